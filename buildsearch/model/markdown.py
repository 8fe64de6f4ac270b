"""Text in Markdown that stays text: names and subjects come from files that anybody may have written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from buildsearch.model.visible import visible

# A command that a sentence quotes, or a word.
_PIECE = re.compile(r"`[^`]+`(?![^\s.,;:)])|\S+")
# Words that no reader of Markdown makes anything of. GitHub links addresses and issues, and notifies people,
# even where the characters are escaped.
_HARMLESS = re.compile(r"(?i)(?!>|.*(//|www\.|GH-\d))[a-z0-9.,;:()%+/'\"=>?!\u00a1-\U0010ffff-]+")


def as_text(sentence: str) -> str:
    """One line in which every word that could be markup, a link or a mention is a code span."""
    return _PIECE.sub(lambda found: _word(found[0]), visible(" ".join(sentence.split())))


def _word(word: str) -> str:
    if _HARMLESS.fullmatch(word):
        return word
    inside = word[1:-1] if re.fullmatch(r"`[^`]+`", word) else word
    return f"`{inside.replace('`', chr(39)).replace('|', '¦')}`"


def table_lines(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = False) -> list[str]:
    """A table; `numbers` puts every column but the first to the right."""
    marks = ["---", *(["---:" if numbers else "---"] * (len(heads) - 1))]
    lines = [list(heads), *([as_text(cell) for cell in row] for row in rows)]
    first, *body = ["| " + " | ".join(cells) + " |" for cells in lines]
    return [first, "|" + "|".join(marks) + "|", *body]

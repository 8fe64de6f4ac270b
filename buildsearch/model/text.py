"""Text for people: counts with nouns, lists in words, and nothing that a terminal or a page would act on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any


def count(number: int, noun: str) -> str:
    """`1 build`, `1,234 builds`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def three_digits(value: float) -> str:
    """`2.52`, `7.20`, `11.4`, `1,476`."""
    if abs(value) >= 999.5:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) < 1 else f"{value:#.3g}".rstrip(".")


# Marks and embeddings of bidirectional text, and separators that some programs take for the end of a line.
TRICKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\u0085"
_ESCAPES = {ord(letter): f"\\u{ord(letter):04x}" for letter in TRICKS}


def without_tricks(text: str) -> str:
    """The text with such characters as escapes; line ends and colours of a terminal stay."""
    return text if text.isascii() else text.translate(_ESCAPES)


# An escaped backslash, or such a character as JSON writes it.
_IN_JSON = re.compile(r"(\\\\)|\\u(" + "|".join(f"{ord(letter):04x}" for letter in TRICKS) + ")")


def plain_json(data: Any, **more: Any) -> str:
    """JSON for a page, whose texts show such characters as escapes."""
    text = json.dumps(data, allow_nan=False, **more)
    return _IN_JSON.sub(lambda found: found[1] or rf"\\u{found[2]}", text)


def visible(text: str) -> str:
    """The text with every control character written out: what a file holds is not to drive a terminal."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )


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

"""`doctor` as a page: the verdict, problems with what to do, then the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from buildsearch.document.blocks import BLANK, Block, Document, Labelled, Step, Text, Tone
from buildsearch.model.text import count


def doctor_document(
    facts: Mapping[str, str],
    packages: Mapping[str, str | None],
    problems: Sequence[str],
    notes: Sequence[str],
) -> Document:
    """What this machine has, and what is wrong with it."""
    verdict = f"{count(len(problems), 'problem')}." if problems else "Everything works."
    blocks: list[Block] = [Text(verdict, Tone.STRONG)]
    blocks += [Labelled("error", problem, Tone.BAD) for problem in problems]
    blocks += [Labelled("note", note, Tone.DIM) for note in notes]
    said = ", ".join(f"{name} {has or 'MISSING'}" for name, has in packages.items())
    blocks += [
        BLANK,
        *(Text(f"{name}: {fact}", indent=2) for name, fact in (*facts.items(), ("Packages", said))),
    ]
    if not problems:
        blocks.append(BLANK)
        blocks.append(Step("buildsearch optimize", "score every build (about 3 minutes)"))
    data = {"facts": facts, "packages": packages, "problems": problems, "notes": notes}
    return Document("Installation", tuple(blocks), data)

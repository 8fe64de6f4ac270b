"""Proposals for balance as a page: today and each proposal side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from buildsearch.proposals.answers import Answer
from buildsearch.proposals.sentences import HEADS, goal_line, remarks, rows, title
from buildsearch.report.html.summary import Sentence
from buildsearch.version import __version__


def balance_content(
    answer: Answer, name: str, run: str, last: str, facts: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """All of it, `last` being the conclusion.

    The template escapes what it shows; the rest is JSON that scripts show as text.
    """
    return {
        "kicker": "Proposals for balance",
        "title": name,
        "facts": [("Rules", name), *facts, ("Run", run), ("buildsearch", __version__)],
        "summary": list(_summary(answer, last)),
        "findings": [],
        "has_board": False,
        "is_partial": answer.is_partial,
        "data": {
            "kind": "balance",
            "score": {"label": "score", "up": False},
            "heads": list(HEADS),
            "lines": [list(cells) for cells in rows(answer)],
            "proposals": [
                {
                    "title": title(each),
                    "remarks": remarks(each),
                    "edits": [edit.text for edit in each.edits],
                    "findings": [
                        {"is": what, "kind": finding.code, "who": " + ".join(finding.subjects)}
                        for what, found in (
                            ("new", each.change.new),
                            ("stays", each.change.stays),
                            ("ended", each.change.gone),
                        )
                        for finding in found
                    ],
                    "free": [each.after.free(0.9).options, each.after.free(0.8).options],
                    "kept": round(each.after.kept, 4),
                }
                for each in answer.proposals
            ],
        },
    }


def _summary(answer: Answer, last: str) -> Iterable[Sentence]:
    yield Sentence("The goal", goal_line(answer), is_bad=bool(answer.broken))
    for proposal in answer.proposals[:1]:
        yield Sentence("The first proposal", f"{title(proposal)} {' '.join(remarks(proposal))}", is_bad=False)
    if answer.proof:
        yield Sentence("What is proved", answer.proof, is_bad=False)
    for note in answer.notes:
        yield Sentence("Note", note, is_bad=False)
    yield Sentence("What to do", last, is_bad=not answer.proposals and bool(answer.broken))

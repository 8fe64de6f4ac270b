"""The health of a game in a sentence, and the class of every option."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from buildsearch.analysis.findings import (
    DEAD,
    DOMINATED,
    ERROR,
    HOPELESS,
    MUST_HAVE,
    OUTCLASSING,
    OVERPOWERED,
    TOO_CHEAP,
    TOO_DEAR,
    Finding,
    Severity,
)

if TYPE_CHECKING:  # it brings kernels, and whoever only says something needs none
    from buildsearch.analysis.assessment import Verdict

# The freedom that a headline speaks of.
VIABLE = 0.8

# What each class of an option says; the gravest comes first.
CLASSES = {
    "must-have": "the best build is far worse without it",
    "overpowered": "part of a combination that is far above the reference level",
    "too cheap": "behind several overpowered combinations, and worth more than it costs",
    "too dear": "its best build is far below the reference level",
    "hopeless": "even its best build is less than half as good as the reference level",
    "outclassing": "better than several others at no higher price",
    "dominated": "another option is at least as good everywhere, at no higher price",
    "dead": "it changes nothing",
    "free": "a player may take it or leave it",
}
_CLASS_OF = {
    MUST_HAVE: "must-have",
    OVERPOWERED: "overpowered",
    TOO_CHEAP: "too cheap",
    TOO_DEAR: "too dear",
    HOPELESS: "hopeless",
    OUTCLASSING: "outclassing",
    DOMINATED: "dominated",
    DEAD: "dead",
    ERROR: "dead",
}


def headline(verdict: Verdict, label: str) -> str:
    """How many options are viable, and how far ahead the best build is."""
    reference, ahead = verdict.reference, verdict.ahead
    if reference is None or ahead is None:
        return "There is no option to choose."
    free = min(verdict.freedom, key=lambda each: abs(each.least - VIABLE))
    of = f" {label}" if label else ""
    said = (
        f"{free.options} of {free.of} options are viable (within {1 - free.least:.0%} of the best); the best "
        f"build is {verdict.contest.yardstick.say(ahead)} than the reference level ({verdict.best:.4g} "
        f"against {reference.score:.4g}{of})."
    )
    return said if verdict.too_small is None else f"{said} {verdict.too_small}"


def conclusion(findings: Sequence[Finding], verdict: Verdict) -> str:
    """What to do next, in a sentence."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    closed = [finding for finding in errors if not finding.is_open]
    if closed:
        cure = closed[0].cures[0] if closed[0].cures else closed[0].text
        many = f"{len(closed)} findings say" if len(closed) > 1 else "One finding says"
        return f"{many} that the game is broken. Begin with the first: {cure}"
    if errors:
        return "Whether the game is broken is open: sampled scores leave it undecided. Run more fights."
    if verdict.too_small is not None:
        return f"Nobody is accused of being too strong. {verdict.too_small}"
    if findings:
        return f"Nothing is broken; {len(findings)} thing{'s' if len(findings) > 1 else ''} could be better."
    return "Nothing is broken, and no option is dead, dominated or far off its price."


def class_of(name: str, findings: Sequence[Finding]) -> str:
    """The class of an option: the gravest of the findings against it."""
    against = {finding.kind for finding in findings if name in finding.culprits}
    return next((word for kind, word in _CLASS_OF.items() if kind in against), "free")

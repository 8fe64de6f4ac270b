"""What is wrong with a game: findings, their codes, and how grave they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # it brings kernels, and nothing is computed here
    from buildsearch.analysis.assessment import Assessment


class FindingCode(StrEnum):
    """What a finding is about, in the order in which to read; the same word in JSON, SARIF and
    buildsearch.toml."""

    NEVER_TRIGGERS = "never-triggers"
    OVERPOWERED = "overpowered-combination"
    MUST_HAVE = "must-have"
    INSTANT_WIN = "instant-win"
    DOMINANT_TYPE = "dominant-type"
    FLAT_SCENARIO = "flat-scenario"
    ABSENT_TARGET = "absent-target"
    UNDERCOSTED = "undercosted"
    OVERCOSTED = "overcosted"
    TOO_WEAK = "too-weak"
    OUTCLASSES = "outclasses"
    STRICTLY_WORSE = "strictly-worse"
    DEAD_OPTION = "dead-option"
    NEAR_LIMIT = "near-limit"


class FindingSeverity(StrEnum):
    """The game is broken, or it could be better, or it is good to know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Certainty(StrEnum):
    """How sure a finding is."""

    EXACT = "exact"
    SAMPLED = "sampled"  # further apart than sampling errors explain
    INCONCLUSIVE = "inconclusive"  # sampled scores could fall either way


@dataclass(frozen=True, slots=True)
class OptionClass:
    """What an option is called that a finding is about, and what that means."""

    name: str
    meaning: str


_DEAD = OptionClass("dead", "it never triggers, or changes nothing")
OPTION_CLASSES: dict[FindingCode, OptionClass] = {
    FindingCode.NEVER_TRIGGERS: _DEAD,
    FindingCode.MUST_HAVE: OptionClass("must-have", "the best build is much worse without it"),
    FindingCode.OVERPOWERED: OptionClass("overpowered", "part of an overpowered combination"),
    FindingCode.ABSENT_TARGET: OptionClass("untested", "what it is for is in no scenario"),
    FindingCode.UNDERCOSTED: OptionClass("undercosted", "a good build could pay more for it"),
    FindingCode.OVERCOSTED: OptionClass(
        "overcosted", "its best build misses the benchmark, and a lower cost may help"
    ),
    FindingCode.TOO_WEAK: OptionClass("too weak", "its best build misses the benchmark at any cost"),
    FindingCode.OUTCLASSES: OptionClass("outclasses", "better than several others at no higher cost"),
    FindingCode.STRICTLY_WORSE: OptionClass(
        "strictly worse", "another option is at least as good everywhere, for no more"
    ),
    FindingCode.DEAD_OPTION: _DEAD,
}
PASSENGER, FINE = "passenger", "fine"
CLASSES = {each.name: each.meaning for each in OPTION_CLASSES.values()} | {
    PASSENGER: "its own best build is as good without it",
    FINE: "a player may take it or leave it",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause: what is wrong, in a sentence, with the numbers behind it, builds as evidence, and a fix.

    `subjects` are options, groups or scenarios by the names of the rules; `builds` are rows of the run.
    `evidence` is the sentence at the end of the text that names a build, `listed` are the names of the list
    in the text: what a page may put on a line of its own, or shorten. `holds` says under which other readings
    of the rules it was looked at, and held.
    """

    code: FindingCode
    severity: FindingSeverity
    subjects: tuple[str, ...]
    text: str
    fix: str = ""
    builds: tuple[int, ...] = ()
    certainty: Certainty = Certainty.EXACT
    holds: str = ""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    evidence: str = ""
    listed: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether sampled scores leave it undecided."""
        return self.certainty is Certainty.INCONCLUSIVE

    @property
    def is_error(self) -> bool:
        """Whether it says, beyond doubt, that the game is broken."""
        return self.severity is FindingSeverity.ERROR and not self.is_open


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    grave, read = list(FindingSeverity), list(FindingCode)
    return sorted(
        findings, key=lambda each: (grave.index(each.severity), each.is_open, read.index(each.code))
    )


# Findings that list options with the same fault.
LISTS = (
    FindingCode.NEVER_TRIGGERS,
    FindingCode.ABSENT_TARGET,
    FindingCode.UNDERCOSTED,
    FindingCode.OVERCOSTED,
    FindingCode.TOO_WEAK,
    FindingCode.OUTCLASSES,
    FindingCode.STRICTLY_WORSE,
    FindingCode.DEAD_OPTION,
)


def by_subject(finding: Finding) -> list[Finding]:
    """A finding that lists options, as one for each of them; any other as it is."""
    if finding.code not in LISTS:
        return [finding]
    return [replace(finding, subjects=(name,)) for name in finding.subjects]


def class_of(name: str, findings: Sequence[Finding], *, is_passenger: bool = False) -> str:
    """The class of an option: the gravest of the findings against it; notes leave it as it is."""
    against = {
        each.code for each in findings if name in each.subjects and each.severity is not FindingSeverity.NOTE
    }
    for code, option_class in OPTION_CLASSES.items():
        if code in against:
            return option_class.name
    return PASSENGER if is_passenger else FINE


# How viable an option must be to be called so.
VIABLE = 0.8


class Status(StrEnum):
    """Broken, healthy, or why neither is said."""

    BROKEN = "broken"
    HEALTHY = "healthy"
    TOO_SMALL = "too small"
    INCONCLUSIVE = "inconclusive"
    INCOMPLETE = "incomplete"

    @property
    def word(self) -> str:
        return self.value.capitalize()


def status(findings: Sequence[Finding], verdict: Assessment) -> Status:
    """Broken where an error is certain; healthy only where nothing stands against it."""
    if any(finding.is_error for finding in findings):
        return Status.BROKEN
    if verdict.flat is not None or any(finding.severity is FindingSeverity.ERROR for finding in findings):
        return Status.INCONCLUSIVE
    if verdict.too_small is not None:
        return Status.TOO_SMALL
    return Status.HEALTHY

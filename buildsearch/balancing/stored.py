"""The first proposal of a finished search, in the few numbers that a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from buildsearch.analysis.findings import Code, Finding, by_subject
from buildsearch.analysis.health import VIABLE

if TYPE_CHECKING:  # they bring kernels, and who reads a stored proposal needs none
    from buildsearch.balancing.answers import Answer, Proposal
    from buildsearch.balancing.measure import Measure

# What a search for costs and bans aims at, unless told otherwise.
AIMED_AT = (Code.OVERPOWERED, Code.MUST_HAVE, Code.INSTANT_WIN)


@dataclass(frozen=True, slots=True)
class StoredHealth:
    """The game after the edits: viable options, the best score, the benchmark, and the share of builds that
    stay legal."""

    viable_options: int
    options: int
    best: float
    benchmark: float | None
    remaining_builds: float


@dataclass(frozen=True, slots=True)
class StoredProposal:
    """`edits` are texts that `balance --try` reads (`barrage.cost=3`), empty where the search found none.

    Of `errors` certain errors that costs and bans can end the edits end `fixed`. `newly_flagged` has the
    code and the option of each finding that the edits bring. `open_why` says why it is not certain that
    the goal holds.
    """

    edits: tuple[str, ...]
    text: str
    errors: int
    fixed: int
    is_proved_minimal: bool
    after: StoredHealth | None
    newly_flagged: tuple[tuple[str, str], ...] = ()
    open_why: str = ""


def stored(answer: Answer) -> StoredProposal | None:
    """The first proposal of an answer; None where nothing was broken, or where the search was cut short."""
    errors = _errors(answer.before.findings)
    if answer.is_kept_already or answer.unjudged or answer.is_partial or answer.ended_by_clock:
        return None
    if not answer.proposals:
        return StoredProposal((), "", errors, 0, is_proved_minimal=False, after=None)
    return stored_first(answer.proposals[0], answer.before)


def stored_first(proposal: Proposal, before: Measure) -> StoredProposal:
    """A proposal with what it does to the game that was measured before."""
    from buildsearch.balancing.measure import describe

    errors, after = _errors(before.findings), proposal.after
    left = _errors(after.findings)
    free = after.free(VIABLE)
    return StoredProposal(
        edits=tuple(edit.text for edit in proposal.edits),
        text=describe(proposal.edits),
        errors=errors,
        fixed=max(0, errors - left),
        is_proved_minimal=proposal.is_proved_minimal,
        after=StoredHealth(free.options, free.of, after.best, after.reference, after.kept),
        newly_flagged=_flagged(proposal),
        open_why=proposal.open_why,
    )


def _flagged(proposal: Proposal) -> tuple[tuple[str, str], ...]:
    found: Sequence[tuple[str, str]] = [
        (each.code.value, name)
        for finding in proposal.change.new
        for each in by_subject(finding)
        for name in each.subjects
    ]
    return tuple(dict.fromkeys(found))


def _errors(findings: Sequence[Finding]) -> int:
    """Only those that costs and bans can end: a rule that never triggers stays as it is."""
    return sum(finding.is_error and finding.code in AIMED_AT for finding in findings)

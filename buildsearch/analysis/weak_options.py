"""Options that do nothing, or that another outclasses, as findings: each accuses one cause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from buildsearch.analysis.choices import Naming
from buildsearch.analysis.dead import DeadRule
from buildsearch.analysis.findings import DEAD, DOMINATED, ERROR, OUTCLASSING, Finding, Severity
from buildsearch.analysis.outclassed import Outclassed

# Who outclasses so many is the one to change.
_MANY = 3


@dataclass(frozen=True, slots=True)
class WeakEvidence:
    """`too_strong` are accused already: their victims are not at fault. `priced` are options with a price: of
    others none is spoken."""

    naming: Naming
    dead: Sequence[DeadRule]
    outclassed: Sequence[Outclassed]
    too_strong: Set[int]
    priced: Set[int]


def dead_findings(evidence: WeakEvidence, *, is_small: bool) -> list[Finding]:
    """Rules that change nothing. In a space too small to accuse anybody that is no error of the rules yet:
    an option that takes most of the budget stands in a handful of builds."""
    findings = []
    for rule in evidence.dead:
        text = f"{evidence.naming.part(rule.part)} {rule.verdict}: {rule.proof}."
        is_error = rule.is_error and not is_small
        cure = "Give it something to do, or take it out."
        if rule.is_error:
            cure = "Correct the rule, or add a scenario in which it can trigger."
        if is_small:
            cure = f"Look at a larger space first. {cure}"
        findings.append(
            Finding(
                kind=ERROR if is_error else DEAD,
                severity=Severity.ERROR if is_error else Severity.WARNING,
                culprits=(evidence.naming.names[rule.part],),
                text=text,
                cures=(cure,),
                numbers={"contexts": rule.contexts, "fights": rule.fights},
            )
        )
    return findings


def dominated_findings(evidence: WeakEvidence) -> list[Finding]:
    """Options that others outclass. Who outclasses many is the one to change, not its victims."""
    dead = {rule.part for rule in evidence.dead}
    by_part: dict[int, list[Outclassed]] = {}
    for each in evidence.outclassed:
        if each.is_proven and each.part not in dead:
            by_part.setdefault(each.part, []).append(each)
    known = set(evidence.too_strong)
    too_good = _too_good(by_part, known)
    findings = [_outclassing(evidence, part) for part in sorted(too_good - known)]
    for part, found in by_part.items():
        nothing = [each for each in found if each.by is None]
        others = [each for each in found if each.by is not None and each.by not in too_good]
        if nothing or (others and part not in too_good):
            findings.append(_one_dominated(evidence, part, nothing or others))
    return findings


def _too_good(by_part: Mapping[int, Sequence[Outclassed]], known: set[int]) -> set[int]:
    """Options that outclass so many that they are the cause, the one with most victims first."""
    found = set(known)
    while True:
        victims: dict[int, int] = {}
        for each in by_part.values():
            rivals = {one.by for one in each if one.by is not None}
            # A victim speaks against those who outclass it only while nothing else explains it.
            if len(rivals) == len(each) and not rivals & found:
                for rival in rivals:
                    victims[rival] = victims.get(rival, 0) + 1
        many = [part for part, number in victims.items() if number >= _MANY]
        if not many:
            return found
        found.add(max(many, key=lambda part: (victims[part], -part)))


def _victims(evidence: WeakEvidence, part: int) -> list[int]:
    dead = {rule.part for rule in evidence.dead}
    return [
        each.part
        for each in evidence.outclassed
        if each.by == part and each.is_proven and each.part not in dead
    ]


def _outclassing(evidence: WeakEvidence, part: int) -> Finding:
    naming, victims = evidence.naming, _victims(evidence, part)
    no_more = "costs no more and " if part in evidence.priced else ""
    return Finding(
        kind=OUTCLASSING,
        severity=Severity.WARNING,
        culprits=(naming.names[part],),
        text=f"{naming.part(part)} outclasses {naming.parts(victims)}: it {no_more}is at least as good in "
        "every scenario and context.",
        cures=("Raise its price, or weaken it." if part in evidence.priced else "Weaken it.",),
        numbers={"victims": [naming.names[victim] for victim in victims]},
    )


def _one_dominated(evidence: WeakEvidence, part: int, found: Sequence[Outclassed]) -> Finding:
    naming = evidence.naming
    chosen = max(found, key=lambda each: (each.compared, each.gain))
    if chosen.by is None:
        by = "leaving it out: it makes no build better in any scenario"
    else:
        no_more = "costs no more and " if part in evidence.priced else ""
        by = f"{naming.part(chosen.by)}, which {no_more}is at least as good in every scenario"
    return Finding(
        kind=DOMINATED,
        severity=Severity.WARNING,
        culprits=(naming.names[part],),
        text=f"{naming.part(part)} is dominated by {by} ({chosen.compared:,} contexts, better in "
        f"{chosen.better:,}; {chosen.certain:.0%} of the comparisons beyond doubt).",
        cures=("Lower its price, or strengthen it." if part in evidence.priced else "Strengthen it.",),
        numbers={
            "by": [None if each.by is None else naming.names[each.by] for each in found],
            "contexts": chosen.compared,
        },
    )

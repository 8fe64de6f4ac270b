"""What a designer should look at: each finding names its culprits and one cause."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from buildsearch.analysis.broken import Combination
from buildsearch.analysis.dead import DeadRule
from buildsearch.analysis.outclassed import Outclassed
from buildsearch.analysis.saturation import Saturation

ERROR = "error in rules or scenarios"
DEAD = "dead rule"
DOMINATED = "dominated option"
OUTCLASSING = "outclassing option"
BROKEN = "broken combination"
UNIVERSAL = "universal option"
# Who outclasses so many is the one to change.
_MANY = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One accusation: what kind, against which parts, in a sentence, with the numbers behind it."""

    kind: str
    parts: tuple[int, ...]
    text: str
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What findings are drawn from. `rest` is the saturation among builds without broken combinations.

    `together` are pairs that do much more together than alone: neither is dominated by the other then, for
    who has the one wants the other.
    """

    names: Sequence[str]
    combinations: Sequence[Combination]
    whole: Saturation
    rest: Saturation
    dead: Sequence[DeadRule]
    outclassed: Sequence[Outclassed]
    together: Set[frozenset[int]]
    build_names: Mapping[int, str]
    scores: Any


def draw_findings(evidence: Evidence) -> list[Finding]:
    """Accuse nobody twice: a part that is dead is not also dominated, a victim is not a culprit."""
    universal = _universal(evidence)
    known = {part for finding in universal for part in finding.parts}
    return [*_broken(evidence), *universal, *_dead(evidence), *_dominated(evidence, known)]


def _broken(evidence: Evidence) -> list[Finding]:
    findings = []
    for each in evidence.combinations:
        if not each.is_broken:
            continue
        names = _names(evidence, each.parts)
        factor = math.exp(each.interaction.mean)
        best = evidence.build_names.get(each.best_with, "")
        text = (
            f"{' + '.join(names)}: together the score is {factor:.2f} times what the parts explain; "
            f"lift {each.lift:.0f} in the top (parts alone {each.parts_lift:.1f}); best with it {best} "
            f"({evidence.scores[each.best_with]:.4g})"
        )
        if each.best_without is not None:
            other = evidence.build_names.get(each.best_without, "")
            text += f", best without {other} ({evidence.scores[each.best_without]:.4g})"
        text += f". Exclude them from one another{_price(each)}."
        findings.append(Finding(BROKEN, each.parts, text, {"lift": each.lift, "price": each.price}))
    return findings


def _price(each: Combination) -> str:
    if each.price is None:
        return ""
    if each.price == 0:
        return "; it costs the best build nothing, others do as well"
    return f", or make them cost {each.price} more together"


def _universal(evidence: Evidence) -> list[Finding]:
    """Universal among all builds, or once broken combinations no longer fill the top."""
    explained = {part for each in evidence.combinations if each.is_broken for part in each.parts}
    curves = {curve.part: curve for curve in evidence.whole.curves if curve.part.feature not in explained}
    curves = {part: curve for part, curve in curves.items() if curve.is_accused}
    curves |= {curve.part: curve for curve in evidence.rest.curves if curve.is_accused}
    findings = []
    for curve in curves.values():
        if curve.part.at_least > 1:
            continue
        text = (
            f"{curve.part.name}: in {min(curve.shares):.0%} or more of the best builds at every cut, and in "
            f"{curve.base:.1%} of all (lift {min(curve.lifts):.1f} or more)."
        )
        victims = _victims(evidence, curve.part.feature)
        if victims:
            text += f" It outclasses {', '.join(victims)} in every context."
        findings.append(Finding(UNIVERSAL, (curve.part.feature,), text, {"lift": min(curve.lifts)}))
    return findings


def _victims(evidence: Evidence, part: int) -> list[str]:
    dead = {rule.part for rule in evidence.dead}
    return [
        evidence.names[each.part]
        for each in evidence.outclassed
        if each.by == part and each.is_proven and each.part not in dead
    ]


def _dead(evidence: Evidence) -> list[Finding]:
    findings = []
    for rule in evidence.dead:
        kind = ERROR if rule.is_error else DEAD
        text = f"{evidence.names[rule.part]} {rule.verdict}: {rule.proof}."
        if rule.is_error:
            text += " It cannot trigger: mend the rule, or add a scenario in which it can."
        findings.append(Finding(kind, (rule.part,), text, {"contexts": rule.contexts, "fights": rule.fights}))
    return findings


def _dominated(evidence: Evidence, universal: set[int]) -> list[Finding]:
    """Options that others outclass. Who outclasses many is the one to change, not its victims."""
    dead = {rule.part for rule in evidence.dead}
    by_part: dict[int, list[Outclassed]] = {}
    for each in evidence.outclassed:
        if each.is_proven and each.part not in dead and {each.part, each.by} not in evidence.together:
            by_part.setdefault(each.part, []).append(each)
    too_good = _too_good(by_part, universal)
    findings = [_outclassing(evidence, part) for part in sorted(too_good - universal)]
    for part, found in by_part.items():
        nothing = [each for each in found if each.by is None]
        others = [each for each in found if each.by is not None and each.by not in too_good]
        if nothing or (others and part not in too_good):
            findings.append(_one_dominated(evidence, part, nothing or others))
    return findings


def _too_good(by_part: Mapping[int, Sequence[Outclassed]], universal: set[int]) -> set[int]:
    """Options that outclass so many that they are the cause, the one with most victims first."""
    found = set(universal)
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


def _outclassing(evidence: Evidence, part: int) -> Finding:
    victims = _victims(evidence, part)
    text = (
        f"{evidence.names[part]} outclasses {', '.join(victims)}: it costs no more and is at least as good "
        "in every scenario and context. Raise its price, or weaken it."
    )
    return Finding(OUTCLASSING, (part,), text, {"victims": victims})


def _one_dominated(evidence: Evidence, part: int, found: Sequence[Outclassed]) -> Finding:
    chosen = max(found, key=lambda each: (each.compared, each.gain))
    if chosen.by is None:
        by = "leaving it out: it makes no build better in any scenario"
    else:
        by = f"{evidence.names[chosen.by]}, which costs no more and is at least as good in every scenario"
    text = (
        f"{evidence.names[part]} is dominated by {by} ({chosen.compared:,} contexts, better in "
        f"{chosen.better:,}; {chosen.certain:.0%} of the comparisons beyond doubt)."
    )
    names = [None if each.by is None else evidence.names[each.by] for each in found]
    return Finding(DOMINATED, (part,), text, {"by": names, "contexts": chosen.compared})


def _names(evidence: Evidence, parts: tuple[int, ...]) -> list[str]:
    return [evidence.names[part] for part in parts]

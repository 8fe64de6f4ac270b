"""Assertions about how scores are spread: saturation, dead and dominated options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from buildsearch.analysis.findings import DEAD, DOMINATED, ERROR, OUTCLASSING
from buildsearch.analysis.saturation import saturation
from buildsearch.gate.assertions import (
    Assertion,
    NoDeadOptions,
    NoDominatedOptions,
    NoSaturatedOption,
)
from buildsearch.gate.facts import Facts
from buildsearch.gate.findings import Finding, Remark


def saturated(name: str, assertion: NoSaturatedOption, facts: Facts) -> Iterator[Finding]:
    """Options far more frequent at the top than elsewhere."""
    limits = facts.limits.saturation.model_copy(update={"shares": (assertion.top,)})
    found = saturation(facts.population, limits)
    at = next((i for i, cut in enumerate(found.cuts) if not cut.is_top), None)
    if at is None:
        return
    for curve in found.curves:
        lift = curve.lifts[at]
        if curve.part.is_chosen and curve.part.at_least == 1 and lift > assertion.lift:
            yield facts.finding(
                name,
                assertion,
                culprits=(curve.part.name,),
                message=f"{curve.part.name} is {lift:.1f} times as frequent in the top {assertion.top:.2%} "
                f"as in all builds ({curve.shares[at]:.1%} against {curve.base:.1%})",
                value=lift,
                limit=assertion.lift,
                # Sampled scores at the edge of the top: the true share could be on either side of the limit.
                is_open=facts.is_sampled and curve.low[at] <= assertion.lift,
            )


def why_not_saturated(assertion: NoSaturatedOption, facts: Facts) -> Remark | None:
    """Which options can never have such a lift: it is at most 1 / share. None where each can."""
    population = facts.population
    shares = [float(population.has(int(part)).mean()) for part in population.free]
    unable = sum(1 / share <= assertion.lift for share in shares if share > 0)
    if unable == 0:
        return None
    why = f"a lift of {assertion.lift:g}: lift is at most 1 / share."
    if unable == len(shares):
        return Remark(f"No option can reach {why}")
    return Remark(f"{unable} of {len(shares)} options can never reach {why}", can_fail=True)


def _from_analysis(name: str, assertion: Assertion, facts: Facts, kinds: Sequence[str]) -> Iterator[Finding]:
    """What analysis accuses, in its own words."""
    for each in facts.analysis.findings:
        if each.kind in kinds:
            yield facts.finding(
                name,
                assertion,
                culprits=each.culprits,
                message=f"{each.kind}: {each.text}",
                value=0.0,
                limit=0.0,
                excess=0.0,
            )


def dead(name: str, assertion: NoDeadOptions, facts: Facts) -> Iterator[Finding]:
    """Options that change nothing."""
    return _from_analysis(name, assertion, facts, (DEAD, ERROR))


def dominated(name: str, assertion: NoDominatedOptions, facts: Facts) -> Iterator[Finding]:
    """Options that another outclasses."""
    return _from_analysis(name, assertion, facts, (DOMINATED, OUTCLASSING))

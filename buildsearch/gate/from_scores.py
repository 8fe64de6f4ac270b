"""Assertions about how scores are spread: outliers, saturation, interactions, dead and dominated options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from buildsearch.analysis.dead import SURE
from buildsearch.analysis.findings import DEAD, DOMINATED, ERROR, OUTCLASSING
from buildsearch.analysis.names import listed
from buildsearch.analysis.outliers import furthest_possible, outlier_groups
from buildsearch.analysis.saturation import saturation
from buildsearch.gate.assertions import (
    Assertion,
    NoBrokenCombinations,
    NoDeadOptions,
    NoDominatedOptions,
    NoOutliers,
    NoSaturatedOption,
)
from buildsearch.gate.facts import Facts
from buildsearch.gate.findings import Finding, Remark
from buildsearch.model.text import count


def outliers(name: str, assertion: NoOutliers, facts: Facts) -> Iterator[Finding]:
    """Builds far out among those of their cost."""
    limits = facts.limits.outliers.model_copy(update={"deviations": assertion.deviations})
    for group in outlier_groups(facts.population, limits, ()):
        example = facts.name(group.best)
        yield facts.finding(
            name,
            assertion,
            culprits=facts.features(group.culprits),
            message=f"{_joined(facts.features(group.culprits))}: {count(group.builds, 'build')} up to "
            f"{group.deviations:.1f} robust deviations better than the median of their cost, e.g. {example}",
            value=group.deviations,
            limit=assertion.deviations,
            builds=group.builds,
            example=example,
        )


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


def why_no_outliers(assertion: NoOutliers, facts: Facts) -> Remark | None:
    """Why no build can be so far out; None where one can."""
    metric = facts.primary
    end = metric.high if metric.higher_is_better else metric.low
    if end is None or (facts.subject.objective is not None and facts.subject.objective.metric is not metric):
        return None
    furthest = furthest_possible(facts.population, facts.limits.outliers.fewest, end)
    if furthest > assertion.deviations:
        return None
    asked = f"{assertion.deviations:g} are asked for"
    return Remark(f"A perfect build would be {furthest:.1f} deviations out, and {asked}.")


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


def broken(name: str, assertion: NoBrokenCombinations, facts: Facts) -> Iterator[Finding]:
    """Combinations that analysis calls broken (they fill the top), beyond a limit of ours."""
    for each in facts.analysis.combinations:
        # Better together is below 0.
        strength = -each.interaction.mean
        low, high = (strength + side * SURE * each.interaction.error for side in (-1, 1))
        if not each.is_broken or high <= assertion.interaction:
            continue
        yield facts.finding(
            name,
            assertion,
            culprits=facts.features(each.parts),
            message=f"{listed(facts.features(each.parts))}: together the score is "
            f"{np.exp(each.interaction.mean):.2f} times what the parts explain; best with it "
            f"{facts.name(each.best_with)}",
            value=strength,
            limit=assertion.interaction,
            builds=each.builds,
            is_open=low <= assertion.interaction,
        )


def _joined(names: Sequence[str]) -> str:
    return " + ".join(names) or "no single part"

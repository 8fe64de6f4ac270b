"""From an assertion and the facts of a run to findings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from buildsearch.analysis.dead import SURE
from buildsearch.analysis.findings import BROKEN, DEAD, DOMINATED, ERROR, OUTCLASSING
from buildsearch.analysis.outliers import outlier_groups
from buildsearch.analysis.saturation import saturation
from buildsearch.gate.config import (
    KINDS,
    Assertion,
    NoBrokenCombinations,
    NoBuildBeats,
    NoDeadOptions,
    NoDominatedOptions,
    NoOutliers,
    NoSaturatedOption,
)
from buildsearch.gate.culprits import causes
from buildsearch.gate.facts import Facts
from buildsearch.gate.findings import AssertionResult, Finding, Level
from buildsearch.gate.memory import Memory
from buildsearch.gate.settling import settle
from buildsearch.model.errors import UsageError
from buildsearch.ruleset.hints import suggest

Advance = Callable[[int], None]


class Judge:
    """Judges assertions on one run after another; `fights` are left to decide what is near a limit."""

    def __init__(self, fights: int, memory: Memory, advance: Advance) -> None:
        self.fights = fights
        self.memory = memory
        self.advance = advance

    def judge(self, name: str, assertion: Assertion, facts: Facts) -> list[AssertionResult]:
        """Its results: one for each scenario where it is about scenarios, none where it does not apply."""
        if assertion.level is Level.OFF or not _applies(name, assertion, facts):
            return []
        if isinstance(assertion, NoBuildBeats):
            return [self._beats(name, assertion, facts, fight) for fight in _fights(assertion, facts)]
        begun = time.perf_counter()
        found = self.memory.recall(name, assertion, facts.content)
        if found is None:
            found = tuple(_JUDGES[type(assertion)](name, assertion, facts))
            self.memory.keep(name, assertion, facts.content, found)
        took = time.perf_counter() - begun
        return [AssertionResult(name, assertion.kind, assertion.level, facts.place, found, took)]

    def _beats(self, name: str, assertion: NoBuildBeats, facts: Facts, fight: int) -> AssertionResult:
        begun = time.perf_counter()
        metric, ledger = facts.primary, facts.ledger
        settled = settle(
            facts.scorer,
            ledger,
            fight,
            assertion.limit,
            higher_is_better=metric.higher_is_better,
            budget=self.fights,
            seed=facts.seed,
            jobs=facts.jobs,
            alpha=facts.alpha,
            advance=self.advance,
        )
        self.fights -= settled.fights
        where = f"{facts.place}, {ledger.names[fight]}"
        findings = [
            *_beating(name, assertion, facts, fight, where, settled.better, is_open=False),
            *_beating(name, assertion, facts, fight, where, settled.undecided, is_open=True),
        ]
        took = time.perf_counter() - begun
        return AssertionResult(name, assertion.kind, assertion.level, where, tuple(findings), took)


def _applies(name: str, assertion: Assertion, facts: Facts) -> bool:
    """Whether the run is one that the assertion is about. What a parameter is called must be known."""
    here = facts.space.parameters
    for parameter in assertion.parameters:
        if parameter not in here:
            raise UsageError(
                f"assertion `{name}` is about the parameter `{parameter}`, which this game does not have. "
                f"{suggest(parameter, here)}"
            )
    return all(str(here[parameter]) in map(str, values) for parameter, values in assertion.parameters.items())


def _fights(assertion: NoBuildBeats, facts: Facts) -> list[int]:
    names = facts.ledger.names
    for name in assertion.scenario:
        if name not in names:
            raise UsageError(f"an assertion is about the scenario `{name}`. {suggest(name, names)}")
    return [i for i, name in enumerate(names) if not assertion.scenario or name in assertion.scenario]


def _beating(
    name: str,
    assertion: NoBuildBeats,
    facts: Facts,
    fight: int,
    where: str,
    rows: Any,
    *,
    is_open: bool,
) -> Iterator[Finding]:
    """Builds beyond a limit, by cause."""
    part = facts.ledger.part(np.sort(rows))
    if len(part) == 0:
        return
    levels = np.concatenate([facts.space.levels(chunk) for chunk in part.chunks])
    means = part.mean(fight, 0)
    sign = -1.0 if facts.primary.higher_is_better else 1.0
    builds = [build for chunk in part.chunks for build in facts.space.builds(chunk)]
    for cause in causes(levels, facts.space.feature_names, frozenset(facts.scores.groups)):
        best = int(cause.rows[np.argmin(sign * means[cause.rows])])
        value = float(means[best])
        example = facts.space.name(builds[best])
        many = f" ({len(cause.rows):,} builds)" if len(cause.rows) > 1 else ""
        verb = "may beat" if is_open else "beats"
        yield Finding(
            assertion=name,
            kind=assertion.kind,
            level=assertion.level,
            culprits=cause.features,
            where=where,
            message=f"{example} {verb} {assertion.limit:g} {facts.primary.label} in {where}: "
            f"{value:.4g}{many}",
            value=value,
            limit=assertion.limit,
            excess=sign * (assertion.limit - value),
            builds=len(cause.rows),
            example=example,
            is_open=is_open,
        )


def _outliers(name: str, assertion: NoOutliers, facts: Facts) -> Iterator[Finding]:
    limits = facts.limits.outliers.model_copy(update={"deviations": assertion.deviations})
    for group in outlier_groups(facts.population, limits, ()):
        example = facts.name(group.best)
        yield Finding(
            assertion=name,
            kind=assertion.kind,
            level=assertion.level,
            culprits=facts.features(group.culprits),
            where=facts.place,
            message=f"{_joined(facts.features(group.culprits))}: {group.builds:,} builds up to "
            f"{group.deviations:.1f} robust deviations better than the median of their cost, e.g. {example}",
            value=group.deviations,
            limit=assertion.deviations,
            excess=group.deviations - assertion.deviations,
            builds=group.builds,
            example=example,
        )


def _saturated(name: str, assertion: NoSaturatedOption, facts: Facts) -> Iterator[Finding]:
    limits = facts.limits.saturation.model_copy(update={"shares": (assertion.top,)})
    found = saturation(facts.population, limits)
    at = next((i for i, cut in enumerate(found.cuts) if not cut.is_top), None)
    if at is None:
        return
    for curve in found.curves:
        lift = curve.lifts[at]
        if curve.part.is_chosen and curve.part.at_least == 1 and lift > assertion.lift:
            yield Finding(
                assertion=name,
                kind=assertion.kind,
                level=assertion.level,
                culprits=(curve.part.name,),
                where=facts.place,
                message=f"{curve.part.name} is {lift:.1f} times as frequent in the top {assertion.top:.2%} "
                f"as in all builds ({curve.shares[at]:.1%} against {curve.base:.1%})",
                value=lift,
                limit=assertion.lift,
                excess=lift - assertion.lift,
                # Sampled scores at the edge of the top: the true share could be on either side of the limit.
                is_open=facts.is_sampled and curve.low[at] <= assertion.lift,
            )


def _from_analysis(name: str, assertion: Assertion, facts: Facts, kinds: Sequence[str]) -> Iterator[Finding]:
    """What analysis accuses, in its own words."""
    for each in facts.analysis.findings:
        if each.kind in kinds:
            yield Finding(
                assertion=name,
                kind=assertion.kind,
                level=assertion.level,
                culprits=facts.features(each.parts),
                where=facts.place,
                message=f"{each.kind}: {each.text}",
                value=0.0,
                limit=0.0,
                excess=0.0,
            )


def _dead(name: str, assertion: NoDeadOptions, facts: Facts) -> Iterator[Finding]:
    return _from_analysis(name, assertion, facts, (DEAD, ERROR))


def _dominated(name: str, assertion: NoDominatedOptions, facts: Facts) -> Iterator[Finding]:
    return _from_analysis(name, assertion, facts, (DOMINATED, OUTCLASSING))


def _broken(name: str, assertion: NoBrokenCombinations, facts: Facts) -> Iterator[Finding]:
    """Combinations that analysis calls broken (they fill the top), beyond a limit of ours."""
    texts = {each.parts: each.text for each in facts.analysis.findings if each.kind == BROKEN}
    for each in facts.analysis.combinations:
        # Better together is below 0.
        strength = -each.interaction.mean
        low, high = (strength + side * SURE * each.interaction.error for side in (-1, 1))
        if each.parts not in texts or high <= assertion.interaction:
            continue
        yield Finding(
            assertion=name,
            kind=assertion.kind,
            level=assertion.level,
            culprits=facts.features(each.parts),
            where=facts.place,
            message=texts[each.parts],
            value=strength,
            limit=assertion.interaction,
            excess=strength - assertion.interaction,
            builds=each.builds,
            is_open=low <= assertion.interaction,
        )


def _joined(names: Sequence[str]) -> str:
    return " + ".join(names) or "no single part"


_JUDGES: dict[type, Callable[[str, Any, Facts], Iterator[Finding]]] = {
    NoOutliers: _outliers,
    NoSaturatedOption: _saturated,
    NoDeadOptions: _dead,
    NoDominatedOptions: _dominated,
    NoBrokenCombinations: _broken,
}

ABOUT = {kind: " ".join((shape.__doc__ or "").split()) for kind, shape in KINDS.items()}

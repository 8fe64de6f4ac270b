"""From an assertion and the facts of a run to findings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from buildsearch.analysis.dead import SURE
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
from buildsearch.gate.settling import settle
from buildsearch.model.errors import UsageError
from buildsearch.ruleset.hints import suggest

Advance = Callable[[int], None]


class Judge:
    """Judges assertions on one run after another; `fights` are left to decide what is near a limit."""

    def __init__(self, fights: int, advance: Advance) -> None:
        self.fights = fights
        self.advance = advance

    def judge(self, name: str, assertion: Assertion, facts: Facts) -> list[AssertionResult]:
        """Its results: one for each scenario where it is about scenarios, none where it does not apply."""
        applies = (not assertion.tier or facts.tier in assertion.tier) and (
            not assertion.archetype or facts.archetype in assertion.archetype
        )
        if assertion.level is Level.OFF or not applies:
            return []
        begun = time.perf_counter()
        if isinstance(assertion, NoBuildBeats):
            return [self._beats(name, assertion, facts, fight) for fight in _fights(assertion, facts)]
        found = tuple(_JUDGES[type(assertion)](name, assertion, facts))
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
        if curve.part.is_chosen and curve.part.at_least == 1 and curve.high[at] > assertion.lift:
            lift = curve.lifts[at]
            if lift <= assertion.lift and facts.scores.error.max(initial=0.0) == 0:
                continue  # nothing is sampled: the share is what it is
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
                # Whose interval reaches across the limit could be on either side of it.
                is_open=lift <= assertion.lift or _is_open(curve.low[at], assertion.lift, facts),
            )


def _is_open(low: float, limit: float, facts: Facts) -> bool:
    return low <= limit and facts.scores.error.max(initial=0.0) > 0


def _dead(name: str, assertion: NoDeadOptions, facts: Facts) -> Iterator[Finding]:
    for rule in facts.dead:
        (option,) = facts.features([rule.part])
        yield Finding(
            assertion=name,
            kind=assertion.kind,
            level=assertion.level,
            culprits=(option,),
            where=facts.place,
            message=f"{option} is dead: {rule.verdict}; {rule.proof}",
            value=rule.furthest,
            limit=0.0,
            excess=0.0,
        )


def _dominated(name: str, assertion: NoDominatedOptions, facts: Facts) -> Iterator[Finding]:
    dead = {rule.part for rule in facts.dead}
    for each in facts.outclassed:
        if each.part in dead:
            continue
        (option,) = facts.features([each.part])
        other = "leaving it out" if each.by is None else facts.features([each.by])[0]
        yield Finding(
            assertion=name,
            kind=assertion.kind,
            level=assertion.level,
            culprits=(option,),
            where=facts.place,
            message=f"{option} is dominated: {other} does as well or better in all "
            f"{each.compared:,} builds that could have either, for no more points",
            value=each.gain,
            limit=0.0,
            excess=0.0,
            is_open=not each.is_proven,
        )


def _broken(name: str, assertion: NoBrokenCombinations, facts: Facts) -> Iterator[Finding]:
    for each in facts.interactions:
        # Better together is below 0.
        strength = -each.mean
        low, high = strength - SURE * each.error, strength + SURE * each.error
        if high <= assertion.interaction:
            continue
        parts = facts.features(each.parts)
        yield Finding(
            assertion=name,
            kind=assertion.kind,
            level=assertion.level,
            culprits=parts,
            where=facts.place,
            message=f"{_joined(parts)} are {np.expm1(strength):.0%} better together than alone, over "
            f"{each.contexts:,} contexts",
            value=strength,
            limit=assertion.interaction,
            excess=strength - assertion.interaction,
            builds=each.contexts,
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

"""From an assertion and the facts of a run to findings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from buildsearch.analysis.causes import minimal_causes
from buildsearch.gate import from_meta, from_scores, from_verdict
from buildsearch.gate.assertions import (
    KINDS,
    Assertion,
    EffectiveBuilds,
    LargestShare,
    NoBuildBeats,
    NoBuildWithoutCounter,
    NoDeadOptions,
    NoDominantType,
    NoDominatedOptions,
    NoFightDecidedAtOnce,
    NoMispricedOption,
    NoMustHave,
    NoOverpoweredBuilds,
    NoSaturatedOption,
    ViableOptions,
)
from buildsearch.gate.facts import Facts
from buildsearch.gate.findings import AssertionResult, Finding, Level, Remark
from buildsearch.gate.limit_sides import settle
from buildsearch.gate.memory import Memory
from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest

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
        # Who beats whom hangs on more than scores; its fights are kept by themselves.
        is_kept = not isinstance(assertion, from_meta.KINDS)
        found = self.memory.recall(name, assertion, facts.content) if is_kept else None
        if found is None:
            found = tuple(_JUDGES[type(assertion)](name, assertion, facts))
            if is_kept:
                self.memory.keep(name, assertion, facts.content, found)
        limit = _LIMITS.get(type(assertion))
        remark = None if limit is None else limit(assertion, facts)
        took = time.perf_counter() - begun
        return [AssertionResult(name, assertion.kind, assertion.level, facts.where, found, took, remark)]

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
        where = f"{facts.where}, {ledger.names[fight]}"
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
    for cause in minimal_causes(levels, facts.space.feature_names, frozenset(facts.scores.groups)):
        best = int(cause.rows[np.argmin(sign * means[cause.rows])])
        value = float(means[best])
        example = facts.space.name(builds[best])
        many = f" ({len(cause.rows):,} builds)" if len(cause.rows) > 1 else ""
        verb = "may beat" if is_open else "beats"
        yield facts.finding(
            name,
            assertion,
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


_JUDGES: dict[type, Callable[[str, Any, Facts], Iterator[Finding]]] = {
    NoSaturatedOption: from_scores.saturated,
    NoDeadOptions: from_scores.dead,
    NoDominatedOptions: from_scores.dominated,
    NoOverpoweredBuilds: from_verdict.overpowered,
    NoMustHave: from_verdict.must_haves,
    NoFightDecidedAtOnce: from_verdict.decided,
    NoDominantType: from_verdict.dominant,
    ViableOptions: from_verdict.viable,
    NoMispricedOption: from_verdict.mispriced,
    NoBuildWithoutCounter: from_meta.without_counter,
    EffectiveBuilds: from_meta.effective,
    LargestShare: from_meta.largest,
}
# Why an assertion can hardly fail, or not at all, on the space at hand.
_LIMITS: dict[type, Callable[[Any, Facts], Remark | None]] = {
    NoSaturatedOption: from_scores.why_not_saturated,
    NoDominatedOptions: from_verdict.why_too_small,
    NoOverpoweredBuilds: from_verdict.why_nobody,
    NoMustHave: from_verdict.why_nobody,
    NoFightDecidedAtOnce: from_verdict.why_not_decided,
    NoDominantType: from_verdict.why_no_dominant,
    ViableOptions: from_verdict.why_nobody,
    NoMispricedOption: from_verdict.why_not_mispriced,
}

ABOUT = {kind: " ".join((shape.__doc__ or "").split()) for kind, shape in KINDS.items()}

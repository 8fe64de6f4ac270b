"""The whole analysis of a run, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from buildsearch.analysis.assessment import Assessment, AssessmentInput, reach_verdict
from buildsearch.analysis.choices import Naming
from buildsearch.analysis.dead import (
    DeadRule,
    DeadRules,
    Drops,
    TriggerStats,
    TriggerWatch,
    dead_findings,
    drops,
    is_blocking,
)
from buildsearch.analysis.dominance import Dominance, dominance
from buildsearch.analysis.dominated import Outclassed, dominated_findings, outclassed
from buildsearch.analysis.fair_costs import BuildsOverBudget, purse_of
from buildsearch.analysis.finding_rules import FindingContext, findings_of, shown_rows, told_together
from buildsearch.analysis.findings import Finding, in_order
from buildsearch.analysis.instant_wins import Chances, Known
from buildsearch.analysis.must_haves import hidden_must_haves
from buildsearch.analysis.pooling import Pooling
from buildsearch.analysis.population import SURE, Population, populate
from buildsearch.analysis.saturation import Saturation, saturation
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.files.large_arrays import put_aside
from buildsearch.model.evaluation import Evaluator, Metric, Replayer, Scale, ScoreWords
from buildsearch.model.rules_file import Option
from buildsearch.model.space import BuildSpace
from buildsearch.search.objectives import Objective
from buildsearch.search.score_table import ScoreTable
from buildsearch.search.timing import timed

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class AnalysisInput:
    """What is analysed. Without a replayer nothing is said about triggers.

    `objective` is what the score measures, `primary` what fights do; without them both are positive
    numbers. `least` is the least number of turns that each fight can take, if turns are what is counted.
    `beyond` has builds above the budget, in a space that allows them: all, or those with options that are
    `covered`. `chances` remembers what engines said about these fights. `below_rules` has parameters with
    fewer points than the rules give: both numbers, by name. `absent_targets` has what options need that
    none of the fights has.
    """

    scores: ScoreTable
    space: BuildSpace
    options: Sequence[Option]
    fights: Mapping[str, Any]
    replayer: Replayer | None
    objective: Objective | None = None
    primary: Metric | None = None
    evaluators: Sequence[Evaluator] = ()
    least: Sequence[float] | None = None
    beyond: tuple[ScoreTable, BuildSpace] | None = None
    covered: frozenset[str] | None = None
    chances: Known = field(default_factory=dict)
    below_rules: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    absent_targets: Mapping[str, str] = field(default_factory=dict)

    @property
    def prices(self) -> dict[str, int | None]:
        return {option.id: option.cost for option in self.options}

    @property
    def titles(self) -> dict[str, str]:
        return {option.id: option.name for option in self.options}


@dataclass(frozen=True, eq=False)
class RunAnalysis:
    """Everything that was found out. `dominance` is there where its certificates were asked for."""

    population: Population
    naming: Naming
    primary_name: str
    words: ScoreWords
    below_rules: Mapping[str, tuple[int, int]]
    verdict: Assessment
    saturation: Saturation
    witnesses: Mapping[int, TriggerStats]
    dead: Sequence[DeadRule]
    dominance: Dominance | None
    outclassed: Sequence[Outclassed]
    drops: Drops | None
    findings: Sequence[Finding]
    build_names: Mapping[int, str]
    seconds: dict[str, float] = field(default_factory=dict)


def analyse(
    subject: AnalysisInput, limits: Thresholds, say: Say, jobs: int = 2, *, certificates: bool = True
) -> RunAnalysis:
    """All stages; the `certificates` of dominance, and trigger rates of everything, if asked for. `say` is
    told which one begins."""
    seconds: dict[str, float] = {}

    @contextmanager
    def stage(name: str) -> Iterator[None]:
        say(name)
        with timed(seconds, name):
            yield
        put_aside()

    with stage("reading builds"):
        population = populate(subject.scores, subject.space)
        _ = population.down, population.best_first
    with stage("saturation"):
        whole = saturation(population, limits.saturation)
    dominated = None
    if certificates:
        with stage("dominance"):
            dominated = dominance(population, SURE, jobs)
    with stage("dead rules"):
        dropped = drops(population, limits.dead.tolerance, SURE) if population.has_drops else None
        watch = _watch(subject, population)
        watched: Sequence[int] = population.free.tolist()
        if not certificates and dropped is not None:
            # What helps some build and lets builds differ is alive: only a table asks how often it triggers.
            watched = [
                part
                for part, helps in zip(population.free.tolist(), dropped.helps, strict=True)
                if helps == 0 or is_blocking(population, part, limits.dead.tolerance)
            ]
        witnesses = {part: watch.look(part, limits.dead.fights) for part in watched} if watch else {}
        pooling = Pooling(_of_fights(subject, limits), limits.dead.point, limits.dead.error_rate)
        dead = DeadRules(population, dropped, witnesses, watch, limits.dead, pooling).rules()
    with stage("verdict"):
        judged = judge(subject, population, limits)
    with stage("dominated options"):
        benchmarks = [each for each in (judged.verdict.reference, judged.verdict.calm) if each is not None]
        beaten = outclassed(judged.verdict.contest, benchmarks, limits.dead.tolerance)
    with stage("findings"):
        names = dict(judged.build_names)
        front = [] if dominated is None else dominated.front.tolist()
        for row in dict.fromkeys([int(population.best_first[0]), *front]):
            names.setdefault(row, population.name(row, subject.space))
        is_small = judged.verdict.too_small is not None
        naming = judged.context.naming
        found = dead_findings(dead, naming, subject.absent_targets, is_small=is_small)
        # An option that takes the whole budget is compared in a handful of builds: too few to accuse it.
        if not is_small:
            prices = subject.prices
            found += dominated_findings(
                naming,
                beaten,
                dead={rule.part for rule in dead},
                too_strong=_too_strong(population, judged.verdict),
                priced={i for i, name in enumerate(population.names) if prices.get(name) is not None},
            )
        # An option that is dead or strictly worse is not also listed as weak.
        explained = frozenset(name for finding in found for name in finding.subjects)
        told = told_together(found, judged.context)
        findings = in_order([*findings_of(replace(judged.context, explained=explained)), *told])
    return RunAnalysis(
        population=population,
        naming=naming,
        primary_name="mean" if subject.primary is None else subject.primary.name,
        words=judged.context.words,
        below_rules=subject.below_rules,
        verdict=judged.verdict,
        saturation=whole,
        witnesses=witnesses,
        dead=dead,
        dominance=dominated,
        outclassed=beaten,
        drops=dropped,
        findings=findings,
        build_names=names,
        seconds=seconds,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The verdict with its findings, and what they were drawn from."""

    verdict: Assessment
    findings: Sequence[Finding]
    context: FindingContext

    @property
    def build_names(self) -> Mapping[int, str]:
        return self.context.build_names


def judge(subject: AnalysisInput, population: Population, limits: Thresholds) -> Judged:
    """What an optimising player finds: a small part of an analysis, in a moment."""
    verdict = reach_verdict(case_of(subject, population, limits), limits.verdict)
    context = FindingContext(
        verdict,
        Naming(population.names, subject.titles),
        {row: population.name(row, subject.space) for row in shown_rows(verdict)},
        ScoreWords(None if subject.objective is None else subject.objective.metric),
        purse_of(population, subject.prices, int(population.scores.cost.max())),
        subject.least,
        below_rules=bool(subject.below_rules),
    )
    return Judged(verdict, in_order(findings_of(context)), context)


def case_of(subject: AnalysisInput, population: Population, limits: Thresholds) -> AssessmentInput:
    """What the verdict is about."""
    scores = subject.scores
    score_scale = Scale.POSITIVE if subject.objective is None else subject.objective.scale
    span = None if subject.objective is None else subject.objective.metric.span
    yardstick = _yardstick(score_scale, span, scores.score, limits, higher=scores.higher_is_better)
    fight_yardstick = _of_fights(subject, limits)
    beyond = None
    if subject.beyond is not None:
        others = populate(*subject.beyond)
        beyond = BuildsOverBudget(others, yardstick.losses(others.scores.score), subject.covered)
    least = subject.least
    chance = Chances(
        population,
        subject.space,
        subject.evaluators,
        subject.fights,
        least or (),
        subject.chances,
        limits.verdict.instant_chance,
    )
    return AssessmentInput(population, yardstick, fight_yardstick, subject.prices, least, chance, beyond)


def _of_fights(subject: AnalysisInput, limits: Thresholds) -> ScoreScale:
    """How the primary metric of single fights is compared."""
    scores, primary = subject.scores, subject.primary
    return _yardstick(
        Scale.POSITIVE if primary is None else primary.scale,
        None if primary is None else primary.span,
        scores.fight_means,
        limits,
        higher=scores.primary_higher_is_better,
    )


def _yardstick(
    scale: Scale, span: float | None, values: Any, limits: Thresholds, *, higher: bool
) -> ScoreScale:
    """Without a declared span differences are parts of what the builds spread over."""
    return ScoreScale(scale, higher, span or float(np.ptp(values)) or 1.0, limits.verdict)


def _too_strong(population: Population, verdict: Assessment) -> set[int]:
    """Parts that are accused of being too good: who is worse than they are is not at fault."""
    if verdict.too_small is not None:
        return set()
    needed = (*verdict.must_haves, *verdict.revealed)
    parts = {choice.part.feature for loss in needed for choice in loss.choices}
    for side in hidden_must_haves(verdict.pair_losses):
        parts |= {choice.part.feature for choice in side.choices}
    return {part for part in parts if part in set(population.free.tolist())}


def _watch(subject: AnalysisInput, population: Population) -> TriggerWatch | None:
    if subject.replayer is None:
        return None
    return TriggerWatch(population, subject.space, subject.replayer, subject.fights)

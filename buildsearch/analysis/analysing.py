"""The whole analysis of a run, stage by stage."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from buildsearch.analysis.broken import (
    Combination,
    Interaction,
    combinations_at_the_top,
    interactions,
    strong,
)
from buildsearch.analysis.corners import Corners, corners
from buildsearch.analysis.dead import SURE, DeadRule, dead_rules
from buildsearch.analysis.dominance import Dominance, dominance
from buildsearch.analysis.drops import Drops, drops
from buildsearch.analysis.fair_cost import FairCosts, fair_costs
from buildsearch.analysis.findings import Evidence, Finding, draw_findings
from buildsearch.analysis.outclassed import Outclassed, outclassed
from buildsearch.analysis.outliers import OutlierGroup, outlier_groups
from buildsearch.analysis.population import Population, populate
from buildsearch.analysis.ranking import Standing, standings
from buildsearch.analysis.restricted import Ban, bans, pair_bans
from buildsearch.analysis.saturation import Saturation, saturation
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.analysis.triggers import TriggerWatch, Witness
from buildsearch.model.option import Option
from buildsearch.model.replay import Replayer
from buildsearch.model.space import BuildSpace
from buildsearch.search.score_table import ScoreTable

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is analysed. Without a replayer nothing is said about triggers."""

    scores: ScoreTable
    space: BuildSpace
    options: Sequence[Option]
    fights: Mapping[str, Any]
    replayer: Replayer | None


@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that was found out. `rest` is the saturation among builds without broken combinations."""

    population: Population
    saturation: Saturation
    rest: Saturation
    standings: Sequence[Standing]
    bans: Sequence[Ban]
    pair_bans: Sequence[Ban]
    witnesses: Mapping[int, Witness]
    dead: Sequence[DeadRule]
    dominance: Dominance
    outclassed: Sequence[Outclassed]
    pairs: Sequence[Interaction]
    triples: Sequence[Interaction]
    combinations: Sequence[Combination]
    outliers: Sequence[OutlierGroup]
    fair: FairCosts
    drops: Drops | None
    corners: Corners
    findings: Sequence[Finding]
    build_names: Mapping[int, str]
    seconds: dict[str, float] = field(default_factory=dict)


def analyse(subject: Subject, limits: Thresholds, say: Say, jobs: int = 2) -> Analysis:
    """All stages. `say` is told which one begins."""
    seconds: dict[str, float] = {}

    @contextmanager
    def stage(name: str) -> Iterator[None]:
        say(name)
        begun = time.perf_counter()
        try:
            yield
        finally:
            seconds[name] = time.perf_counter() - begun

    with stage("reading builds"):
        population = populate(subject.scores, subject.space)
        _ = population.down, population.best_first
    with stage("saturation"):
        whole = saturation(population, limits.saturation)
    with stage("ranking"):
        ranked = standings(population, jobs)
        banned, banned_pairs = bans(population), pair_bans(population)
    with stage("interactions"):
        cornered = corners(population, jobs)
        pairs = interactions(population, cornered.pairs, limits.broken.contexts)
        triples = interactions(population, cornered.triples, limits.broken.contexts)
        combined = combinations_at_the_top(population, (pairs, triples), limits.broken)
        fair = fair_costs(population, cornered, {option.id: option.cost for option in subject.options})
    with stage("dominance"):
        dominated = dominance(population, SURE, jobs)
        beaten = outclassed(population, limits.dead.tolerance, SURE)
    with stage("dead rules"):
        dropped = drops(population, limits.dead.tolerance, SURE) if population.has_drops else None
        watch = _watch(subject, population)
        witnesses = (
            {int(part): watch.look(int(part), limits.dead.fights) for part in population.free}
            if watch
            else {}
        )
        dead = dead_rules(population, dropped, witnesses, watch, limits.dead)
    with stage("findings"):
        broken = [each.parts for each in combined if each.is_broken]
        rest = _rest(population, broken, limits, whole)
        outliers = outlier_groups(population, limits.outliers, broken)
        shown = _shown(population, combined, banned, banned_pairs, outliers, dominated)
        names = {row: population.name(row, subject.space) for row in shown}
        findings = draw_findings(
            Evidence(
                names=population.names,
                combinations=combined,
                whole=whole,
                rest=rest,
                dead=dead,
                outclassed=beaten,
                together={frozenset(pair.parts) for pair in strong(pairs, limits.broken)},
                build_names=names,
                scores=subject.scores.score,
            )
        )
    return Analysis(
        population=population,
        saturation=whole,
        rest=rest,
        standings=ranked,
        bans=banned,
        pair_bans=banned_pairs,
        witnesses=witnesses,
        dead=dead,
        dominance=dominated,
        outclassed=beaten,
        pairs=pairs,
        triples=triples,
        combinations=combined,
        outliers=outliers,
        fair=fair,
        drops=dropped,
        corners=cornered,
        findings=findings,
        build_names=names,
        seconds=seconds,
    )


def _watch(subject: Subject, population: Population) -> TriggerWatch | None:
    if subject.replayer is None:
        return None
    return TriggerWatch(population, subject.space, subject.replayer, subject.fights)


def _rest(
    population: Population, broken: Sequence[tuple[int, ...]], limits: Thresholds, whole: Saturation
) -> Saturation:
    """Broken combinations fill the top and hide what else is there: look at the rest as well."""
    if not broken:
        return whole
    left = np.ones(len(population), dtype=np.bool_)
    for parts in broken:
        left &= ~population.has_all(parts)
    return saturation(population, limits.saturation, left) if left.any() else whole


def _shown(
    population: Population,
    combined: Sequence[Combination],
    banned: Sequence[Ban],
    banned_pairs: Sequence[Ban],
    outliers: Sequence[OutlierGroup],
    dominated: Dominance,
) -> list[int]:
    """The rows whose names people will read."""
    rows = [int(population.best_first[0])]
    for each in combined:
        rows += [each.best_with] + ([] if each.best_without is None else [each.best_without])
    rows += [each.best for each in (*banned, *banned_pairs) if each.best is not None]
    rows += [group.best for group in outliers]
    rows += dominated.front.tolist()
    return list(dict.fromkeys(rows))

"""Sampled builds that an answer hangs on: solved where an engine can, else fought on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.evaluation import Sampling
from buildsearch.proposals.table import Table, population_of
from buildsearch.search.objectives import MEAN

Ints = NDArray[np.int64]

# So many fights a build and scenario: the error is a third of a thousandth of most scores then.
_FIGHTS = 200_000
_MOST_BUILDS = 40


@dataclass(frozen=True, slots=True)
class Settled:
    """The table with better scores of some builds; how many were solved, how many fought on."""

    table: Table
    solved: int
    fought: int


def settle(table: Table, rows: Sequence[int], seconds: float, seed: int = 0) -> Settled:
    """Look at some builds again, one by one, as long as there is time. Only means over fights add up."""
    subject = table.subject
    if subject.objective is None or subject.objective.name != MEAN or not subject.evaluators:
        return Settled(table, 0, 0)
    scores = table.population.scores
    means, errors = scores.fight_means.copy(), scores.fight_errors.copy()
    until = time.monotonic() + seconds
    solved = fought = 0
    touched = []
    for row in list(rows)[:_MOST_BUILDS]:
        if time.monotonic() > until:
            break
        (build,) = subject.space.builds(table.population.chunk(row))
        was_sampled = False
        for place, name in enumerate(scores.fights):
            if errors[place, row] == 0:
                continue
            fight = subject.fights[name]
            engine = next((each for each in subject.evaluators if each.why_not(build, fight) is None), None)
            if engine is None:
                continue
            found = engine.evaluate(build, fight, Sampling(_FIGHTS, seed))
            estimate = found.estimates[found.primary]
            if estimate.se < errors[place, row]:
                means[place, row], errors[place, row] = estimate.value, estimate.se
                touched.append(row)
            was_sampled = was_sampled or estimate.se > 0
        fought += was_sampled
        solved += not was_sampled
    if not touched:
        return Settled(table, solved, fought)
    score, error = scores.score.copy(), scores.error.copy()
    some = np.array(sorted(set(touched)))
    weights = scores.weights / scores.weights.sum()
    score[some] = weights @ means[:, some]
    error[some] = np.sqrt((weights[:, None] ** 2 * errors[:, some] ** 2).sum(axis=0))
    better = replace(
        scores, score=score, error=error, fight_means=means, fight_errors=errors,
        # Those of before hold for the scores of before.
        low=None, high=None, fought=None, rank=None,
    )  # fmt: skip
    loss = -score if scores.higher_is_better else score
    if bool((np.diff(loss) >= 0).all()):
        population = replace(table.population, scores=better)
        return Settled(
            replace(table, subject=replace(subject, scores=better), population=population), solved, fought
        )
    order = np.argsort(loss, kind="stable")
    population = population_of(replace(table, population=replace(table.population, scores=better)), order)
    changed = replace(table, subject=replace(subject, scores=population.scores), population=population)
    return Settled(changed, solved, fought)

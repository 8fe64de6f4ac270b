"""The builds that matter: those that a verdict on a game rests on, today and under other numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from buildsearch.balancing.goals import Goal
from buildsearch.balancing.state import State
from buildsearch.model.arrays import Ints

# The best builds, the best with each option, and those in the way of a goal.
_BEST, _EACH, IN_THE_WAY = 60, 4, 100
_LEAD = 5


def rows_that_matter(state: State, goals: Sequence[Goal], each: int = _EACH) -> Ints:
    """Those that a verdict on the game rests on: the best, so many with and without each option, those in the
    way."""
    chosen = [state.rows[:_BEST]]
    population = state.court.table.population
    for choice in state.choices:
        # Whoever asks for a must-have asks for the best without it.
        has = choice.has(population, state.rows)
        chosen += [state.rows[has][:each], state.rows[~has][:each]]
    # Two that stand in for one another are needed together: so the best without both, of what leads.
    leading = _leading(state)
    chosen += [state.rows[~one & ~other][:each] for one, other in combinations(leading, 2)]
    chosen += [goal.look(state).rows[:IN_THE_WAY] for goal in goals]
    return np.unique(np.concatenate(chosen))


def rows_to_try(state: State, goals: Sequence[Goal]) -> Ints:
    """Those, and what would lead with each option if what leads today did no more."""
    chosen = [rows_that_matter(state, goals)]
    population, leading = state.court.table.population, _leading(state)
    if leading:
        without_all = ~np.logical_or.reduce(leading)
        for choice in state.choices:
            has = choice.has(population, state.rows)
            chosen += [state.rows[has & ~one][:1] for one in leading]
            chosen.append(state.rows[has & without_all][:2])
    return np.unique(np.concatenate(chosen))


def _leading(state: State) -> list[NDArray[np.bool_]]:
    population = state.court.table.population
    has = (choice.has(population, state.rows) for choice in state.choices)
    return [each for each in has if each[:_LEAD].any()]

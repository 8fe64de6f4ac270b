"""The hero's best play, against foes that stay greedy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.best_play import BestPlay, best_play
from buildsearch.engines.graphs import Graph
from buildsearch.systems.dungeoneers.exact.solver import Solver

# What is followed besides what is played for.
_VALUE, _WON, _DRAWN, _LOST, _LIFE = range(5)


class Best(NamedTuple):
    """Means under best play."""

    value: float
    won: float
    drawn: float
    lost: float
    life: float
    rounds: float


class Course(NamedTuple):
    """Best play in one order of turns."""

    graph: Graph
    root: int
    keys: NDArray[np.int64]
    play: BestPlay


def best_courses(solver: Solver, row: NDArray[np.int64], draw_value: float) -> list[Course]:
    """Best play for each order of turns, all equally likely; raises TooLargeError."""
    found = []
    for graph, root, keys in solver.graphs(row, free=True):
        lives = (graph.ends - 1) // 2
        worth = np.zeros((graph.ends, 5))
        won, drawn = worth[1 : 1 + lives], worth[1 + lives :]
        won[:, _VALUE], drawn[:, _VALUE] = 1.0, draw_value
        won[:, _WON] = drawn[:, _DRAWN] = worth[0, _LOST] = 1.0
        won[:, _LIFE] = drawn[:, _LIFE] = np.arange(lives)
        found.append(Course(graph, root, keys, best_play(graph, worth, solver.rounds)))
    return found


def best_of(solver: Solver, row: NDArray[np.int64], draw_value: float) -> Best:
    """The means over the orders of turns."""
    means = [
        [*course.play.values[:, course.root], 1 + course.play.later[course.root]]
        for course in best_courses(solver, row, draw_value)
    ]
    return Best(*(float(mean) for mean in np.mean(means, axis=0)))

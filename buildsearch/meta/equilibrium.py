"""The equilibrium of a symmetric game of two: what to play so that nobody can expect more than half.

`edges[i, j]` is how much more than half of its fights i wins against j, so edges[j, i] is its negative, and
the game is worth 0 to both. A mixture is optimal if no build has an edge over it: a linear programme. There
may be many such mixtures, and a solver would return some corner of them. Of all optimal mixtures the one of
greatest entropy is unique, and leaves nobody out without need. Entropy is concave, so each of its terms lies
below its tangents (Kelley): -p log p <= q - p (1 + log q). With tangents at the last answer added, linear
programmes come down to the greatest entropy from above, and the gap that is left is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_GAP = 1e-9
_MOST_ROUNDS = 200
# Tangents to begin with; far below the smallest of these a share is nobody's.
_FIRST = (1.0, 0.5, 0.2, 0.05, 0.01, 1e-3, 1e-5)
_LEAST = 1e-12
# A share that rounding left is none.
NOTHING = 1e-6
_PRECISE = "primal_feasibility_tolerance: 1e-11 dual_feasibility_tolerance: 1e-11"


def equilibrium(edges: Floats, *, any_: bool = False) -> Floats:
    """The optimal mixture of greatest entropy; `any_`: whichever the solver finds, which is quicker."""
    size = len(edges)
    if size == 1:
        return np.ones(1)
    solver, shares = _game(edges)
    if any_:
        _solve(solver)
        return _cleaned(_values(shares))
    heights = [solver.NumVar(-1.0, 1.0, "") for _ in shares]
    solver.Maximize(sum(heights))
    for share, height in zip(shares, heights, strict=True):
        for at in (*_FIRST, 1 / size):
            _tangent(solver, share, height, at)
    found = np.full(size, 1 / size)
    for _ in range(_MOST_ROUNDS):
        _solve(solver)
        found = _values(shares)
        if solver.Objective().Value() - entropy(found) < _GAP:
            break
        for share, height, value in zip(shares, heights, found, strict=True):
            _tangent(solver, share, height, max(float(value), _LEAST))
    return _cleaned(found)


def entropy(shares: Floats) -> float:
    """In natural logarithms."""
    some = shares[shares > 0]
    return float(-(some * np.log(some)).sum())


def exploitability(edges: Floats, shares: Floats) -> float:
    """The largest edge that any build of the game has over a mixture."""
    return float((edges @ shares).max())


def _game(edges: Floats) -> tuple[Any, list[Any]]:
    """A programme whose solutions are the optimal mixtures."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    solver.SetSolverSpecificParametersAsString(_PRECISE)
    shares = [solver.NumVar(0.0, 1.0, "") for _ in edges]
    whole = solver.Constraint(1.0, 1.0)
    for share in shares:
        whole.SetCoefficient(share, 1.0)
    for row in edges:
        beaten = solver.Constraint(-solver.infinity(), 0.0)
        for share, edge in zip(shares, row, strict=True):
            beaten.SetCoefficient(share, float(edge))
    return solver, shares


def _tangent(solver: Any, share: Any, height: Any, at: float) -> None:
    below = solver.Constraint(-solver.infinity(), at)
    below.SetCoefficient(height, 1.0)
    below.SetCoefficient(share, 1.0 + float(np.log(at)))


def _solve(solver: Any) -> None:
    status = solver.Solve()
    if status not in (solver.OPTIMAL, solver.FEASIBLE):
        # Von Neumann's theorem: edges that are antisymmetric have an optimal mixture.
        raise ValueError(f"no equilibrium was found (GLOP says {status}); edges must be antisymmetric")


def _values(shares: list[Any]) -> Floats:
    return np.array([share.solution_value() for share in shares])


def _cleaned(shares: Floats) -> Floats:
    some = np.where(shares < NOTHING, 0.0, shares)
    return np.asarray(some / some.sum())

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

from buildsearch.model.arrays import Floats

_GAP = 1e-9
_MOST_ROUNDS = 100
# Tangents to begin with; far below the smallest of these a share is nobody's.
_FIRST = (1.0, 0.5, 0.2, 0.05, 0.01, 1e-3, 1e-5)
_LEAST = 1e-9
_DIGITS = 12
# A share that rounding left is none.
NOTHING = 1e-6
# An optimal mixture allows nobody an edge. Of many that are all but optimal a solver that rounds may find
# none, so it is given as little room as it needs.
_SLACKS = (1e-9, 1e-8, 1e-7, 1e-6)
_PRECISE = "primal_feasibility_tolerance: 1e-10 dual_feasibility_tolerance: 1e-10"


def equilibrium(edges: Floats, *, any_: bool = False) -> Floats:
    """The optimal mixture of greatest entropy; `any_`: whichever the solver finds, which is quicker."""
    return _found(edges, any_=any_)[0]


def most_even(edges: Floats) -> tuple[Floats, bool]:
    """The optimal mixture of greatest entropy, and whether the gap to the greatest was closed."""
    return _found(edges, any_=False)


def _found(edges: Floats, *, any_: bool) -> tuple[Floats, bool]:
    if len(edges) == 1:
        return np.ones(1), True
    best, is_done = None, False
    # What exact engines leave in the last digits is no edge, and nothing to trouble a solver with.
    cleaned = np.round(edges, _DIGITS)
    for slack in _SLACKS:
        found, is_done = _solved(cleaned, slack, any_=any_)
        if found is not None and (is_done or best is None or entropy(found) > entropy(best)):
            best = found
        if is_done:
            break
    if best is None:
        # Von Neumann's theorem: edges that are antisymmetric have an optimal mixture.
        raise ValueError("no equilibrium was found: edges must be antisymmetric")
    some = np.where(best < NOTHING, 0.0, best)
    return np.asarray(some / some.sum()), is_done


def _solved(edges: Floats, slack: float, *, any_: bool) -> tuple[Floats | None, bool]:
    """The same, where nobody is to have more than a slack over the mixture, and whether it is the most even.

    None where GLOP finds none.
    """
    solver, shares = _game(edges, slack)
    if any_:
        is_found = _is_solved(solver)
        return (_values(shares) if is_found else None), is_found
    heights = [solver.NumVar(-1.0, 1.0, "") for _ in shares]
    solver.Maximize(sum(heights))
    for share, height in zip(shares, heights, strict=True):
        for at in (*_FIRST, 1 / len(shares)):
            _tangent(solver, share, height, at)
    # A share of 0 lies below its lowest tangent by as much as that is above 0 there.
    enough = _GAP + _LEAST * len(shares)
    found = None
    for _ in range(_MOST_ROUNDS):
        if not _is_solved(solver):
            return found, False
        found = _values(shares)
        above = _values(heights) - np.array([entropy(found[i : i + 1]) for i in range(len(found))])
        if above.sum() < enough:
            return found, True
        for i in np.flatnonzero(above > enough / (2 * len(found))):
            _tangent(solver, shares[i], heights[i], max(float(found[i]), _LEAST))
    return found, False


def entropy(shares: Floats) -> float:
    """In natural logarithms."""
    some = shares[shares > 0]
    return float(-(some * np.log(some)).sum())


def exploitability(edges: Floats, shares: Floats) -> float:
    """The largest edge that any build of the game has over a mixture."""
    return float((edges @ shares).max())


def _game(edges: Floats, slack: float) -> tuple[Any, list[Any]]:
    """A programme whose solutions are the optimal mixtures."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    solver.SetSolverSpecificParametersAsString(_PRECISE)
    shares = [solver.NumVar(0.0, 1.0, "") for _ in edges]
    whole = solver.Constraint(1.0, 1.0)
    for share in shares:
        whole.SetCoefficient(share, 1.0)
    for row in edges:
        beaten = solver.Constraint(-solver.infinity(), slack)
        for share, edge in zip(shares, row, strict=True):
            beaten.SetCoefficient(share, float(edge))
    return solver, shares


def _tangent(solver: Any, share: Any, height: Any, at: float) -> None:
    below = solver.Constraint(-solver.infinity(), at)
    below.SetCoefficient(height, 1.0)
    below.SetCoefficient(share, 1.0 + float(np.log(at)))


def _is_solved(solver: Any) -> bool:
    return solver.Solve() in (solver.OPTIMAL, solver.FEASIBLE)


def _values(shares: list[Any]) -> Floats:
    return np.array([share.solution_value() for share in shares])

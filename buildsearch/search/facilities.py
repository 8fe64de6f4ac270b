"""Loadouts to start from: per fight the best chosen candidate counts (facility location, by CP-SAT)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# CP-SAT counts in whole numbers.
_PARTS = 100_000


def start_loadouts(
    singles: NDArray[np.float64], weights: NDArray[np.float64], size: int, number: int, *, shortlist: int = 60
) -> list[tuple[int, ...]]:
    """So many loadouts, the best first, by `singles[candidate, fight]`; each by candidates taken alone.

    Only the best few candidates of each fight can matter; no loadout is proposed twice.
    """
    from ortools.sat.python import cp_model

    known = np.where(np.isnan(singles), np.inf, singles)
    best = np.unique(np.argsort(known, axis=0, kind="stable")[:shortlist].ravel())
    best = best[np.isfinite(known[best]).all(axis=1)]
    if len(best) < size:
        return []
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"take_{one}") for one in best]
    serves = [[model.new_bool_var(f"use_{i}_{f}") for f in range(known.shape[1])] for i in range(len(best))]
    model.add(sum(taken) == size)
    for fight in range(known.shape[1]):
        model.add_exactly_one(serves[i][fight] for i in range(len(best)))
        for i in range(len(best)):
            model.add_implication(serves[i][fight], taken[i])
    costs = np.rint(known[best] * weights / weights.sum() * _PARTS).astype(int)
    model.minimize(
        sum(int(costs[i, f]) * serves[i][f] for i in range(len(best)) for f in range(known.shape[1]))
    )
    found: list[tuple[int, ...]] = []
    for _ in range(number):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 0
        # Or Ctrl-C would be the solver's from here on, and end the process without a word.
        solver.parameters.catch_sigint_signal = False
        if solver.solve(model) != cp_model.OPTIMAL:
            break
        chosen = [i for i in range(len(best)) if solver.value(taken[i])]
        found.append(tuple(int(best[i]) for i in chosen))
        model.add(sum(taken[i] for i in chosen) <= size - 1)
    return found

"""The smallest family of bans that hits every guilty build, by CP-SAT, with a proof."""

from __future__ import annotations

import numpy as np

from buildsearch.model.arrays import Bools, Ints

_LAST_RESORT = 4.0


def smallest_family(
    cover: Bools, shapes: Bools, counts: Ints, seconds: float, *, bans_first: bool = False
) -> tuple[list[int], bool, int]:
    """The bans that hit every build with fewest builds lost, then fewest bans; is it proved; a bound.

    `cover[b, i]`: ban b hits the guilty build i. `shapes[s, b]`: ban b hits builds of shape s, of which there
    are `counts[s]`. With `bans_first` the fewest bans come before the fewest builds lost.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    bans = [model.new_bool_var(f"ban {i}") for i in range(len(cover))]
    for build in range(cover.shape[1]):
        model.add_bool_or([bans[i] for i in np.flatnonzero(cover[:, build])])
    lost = []
    for shape, count in zip(shapes, counts.tolist(), strict=True):
        gone = model.new_bool_var("")
        for i in np.flatnonzero(shape):
            model.add_implication(bans[i], gone)
        lost.append(count * gone)
    # One build more weighs more than all bans together, or one ban more than all builds.
    weight = (int(counts.sum()) if bans_first else len(bans)) + 1
    model.minimize(weight * sum(bans) + sum(lost) if bans_first else weight * sum(lost) + sum(bans))
    solver = cp_model.CpSolver()
    # Deterministic time, so that a busy machine gives no other answer; the clock is only a last resort.
    solver.parameters.max_deterministic_time = seconds
    solver.parameters.max_time_in_seconds = _LAST_RESORT * seconds
    # One search that is the same every time: several would race, and the first of equal answers would win.
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    # Or Ctrl-C would be the solver's from here on, and end the process without a word.
    solver.parameters.catch_sigint_signal = False
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return _greedy(cover, shapes, counts), False, 0
    chosen = [i for i, ban in enumerate(bans) if solver.value(ban)]
    return chosen, status == cp_model.OPTIMAL, int(solver.best_objective_bound) // weight


def _greedy(cover: Bools, shapes: Bools, counts: Ints) -> list[int]:
    """Ban after ban, the one that loses the fewest builds for each one it hits: good, without a proof."""
    price = counts @ shapes
    left, chosen = np.ones(cover.shape[1], dtype=np.bool_), []
    while left.any():
        gain = (cover & left).sum(axis=1)
        best = int(np.argmax(np.where(gain > 0, gain / np.maximum(price, 1), -1.0)))
        chosen.append(best)
        left &= ~cover[best]
    return chosen

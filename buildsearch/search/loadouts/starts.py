"""A whole search for loadouts: starts by facility location, best responses, then what is near the best.

Every start is followed with short looks; only from the best end on is it worked out that no swap helps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.loadouts import LoadoutScorer
from buildsearch.search.loadouts.search import LoadoutSearch

# Up to so many loadouts every one is valued, and the best of them is proved.
_ALL = 20_000
# Candidates to start from: so many of each fight and on the whole, by what they may be worth alone.
_SHORTLIST = 40
# How many candidates to value for a place while looking where a start leads.
_SHORT = 128
# Candidates to try beside builds that stand behind them.
_PARTNERS = 40
# Candidates to go beside others for what they do alone: so many of each fight and on the whole.
_ALONE = 8


def explore(
    search: LoadoutSearch,
    scorer: LoadoutScorer,
    weights: NDArray[np.float64],
    starts: int,
    top: int,
    *,
    most_to_enumerate: int = _ALL,
) -> list[int]:
    """Value every loadout, or respond from several starts until time is over.

    Gives candidates that go well with others: those of the best loadouts, then the best alone in each fight.
    """
    if search.total() <= most_to_enumerate:
        search.enumerate()
        search.tighten()
        if scorer.extra:
            best = search.ranked(1)[0].loadout
            _extend(search, scorer, best, np.zeros(0, np.int64), top)
        return _members(search, top)
    shortlist = _shortlist(scorer, weights)
    singles = scorer.values(shortlist[:, None])
    ends = []
    proposed = start_loadouts(singles, weights, scorer.size, starts)
    for start in proposed or [(0,) * scorer.size]:
        ends.append(search.respond(tuple(int(shortlist[one]) for one in start), _SHORT))
        if search.is_late or search.score(ends[-1]) <= search.floor + 1e-9:
            break
    search.tighten()
    best = search.respond(min(ends, key=search.score))
    search.near(best, top)
    search.tighten()
    if scorer.extra and not search.is_late:
        _extend(search, scorer, best, shortlist, top)
    order = np.argsort(np.column_stack([singles, singles @ weights]), axis=0, kind="stable")
    alone = shortlist[order[:_ALONE]].ravel().tolist()
    return list(dict.fromkeys([*_members(search, top), *alone]))


def _members(search: LoadoutSearch, top: int) -> list[int]:
    """The builds of the best loadouts, not too many of them."""
    found = dict.fromkeys(one for each in search.ranked(top) for one in each.loadout)
    return list(found)[:_PARTNERS]


def _extend(
    search: LoadoutSearch,
    scorer: LoadoutScorer,
    best: tuple[int, ...],
    shortlist: NDArray[np.int64],
    top: int,
) -> None:
    """Try what stands behind the candidates, beside the best of them and one another."""
    partners = dict.fromkeys([*_members(search, top), *shortlist.tolist()])
    first = scorer.candidates
    chosen = list(partners)[:_PARTNERS]
    search.extend(best, chosen)
    search.extend((first,) * scorer.size, chosen)


def _shortlist(scorer: LoadoutScorer, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    guesses = np.where(np.isfinite(scorer.bounds(())), scorer.guesses(()), np.inf)
    ranked = np.column_stack([guesses, guesses @ (weights / weights.sum())])
    number = min(_SHORTLIST, len(ranked) - 1)
    best = np.argpartition(ranked, number, axis=0)[: number + 1]
    return np.unique(best[np.isfinite(ranked[best, np.arange(ranked.shape[1])])])


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

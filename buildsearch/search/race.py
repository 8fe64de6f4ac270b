"""A race among sampled builds: fights go where ranks are still open.

Every build has a floor of fights. What engines can solve one at a time they are asked first; what would take
them a hundred times as long as most fights a block before that, which rules most of it out. Then, round by
round, a build is dropped when its bound says that it is outside the top K, and among the rest those whose
rank is open fight on, the leaders before the crowd: those of whom one may be the best that is still open.
The bounds hold at every moment for all builds at once but with chance `alpha`, so however the race goes,
with chance 1 - alpha no build of the true top K is ever dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.evaluate.sampling import BLOCK
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.evaluation import TIE
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.scoring import (
    Advance,
    Effort,
    costs_alone,
    no_progress,
    sample_rows,
    solve_all,
    solve_alone,
)

# So many usual (build, fight) are tried by engines that take one at a time: some minutes at worst. A few take
# a hundred times as long as most, and count for as many.
ALONE = 6_000
# Who costs more usual ones than this to solve first fights a block, which takes as long as one or two.
DEAR = 20.0
# So many fights in one scenario: where two builds are still not told apart, others fight before them.
PATIENCE = 1 << 19


@dataclass(frozen=True, slots=True)
class RaceReport:
    """How it went."""

    rounds: int
    fights: int
    contenders: int
    open_ranks: int


def share_of_alpha(ledger: Ledger, alpha: float) -> float:
    """The part of alpha that each side of each sampled (build, fight) may have."""
    return alpha / (2 * max(1, len(ledger.sampled)) * len(ledger.fights))


def score(
    ledger: Ledger, scorer: CachedScorer, effort: Effort, what: str = "", *, races: bool = True
) -> RaceReport | None:
    """Fill a ledger: exact means where engines have them, a floor of fights for the rest, and a race for the
    top. `what` names the builds in bars."""
    builds = f" {what}" if what else ""
    with effort.bar(f"solving{builds}", len(ledger) * len(ledger.fights)) as advance:
        solve_all(scorer, ledger, advance)
    scorer.on_miss = None
    ledger.begin_sampling(everywhere=not effort.is_solved(scorer))
    columns = np.arange(len(ledger.sampled))
    if len(columns) == 0:
        return None
    sampling = f"sampling{builds or f' {effort.floor} fights each'}"
    with effort.bar(sampling, ledger.fights_for(columns, 1)) as advance:
        sample_rows(scorer, ledger, columns, effort.floor, effort.seed, advance)
    if not races:
        return None
    with effort.bar(f"racing{builds} (fights)", effort.budget) as advance:
        return race(scorer, ledger, effort, advance)


def race(scorer: CachedScorer, ledger: Ledger, effort: Effort, advance: Advance = no_progress) -> RaceReport:
    """Fight on until the ranks that matter are decided or the budget is spent; `advance` counts fights."""
    objective = effort.objective
    alpha = share_of_alpha(ledger, effort.alpha)
    rounds, spent = 0, 0
    tried = ledger.everywhere  # where more than means is asked for, exact means decide nothing
    rows = np.arange(len(ledger))
    racing = ledger
    while True:
        low, high = objective.bounds(racing, scorer.scorer, alpha)
        # The bounds hold at every moment, so who is out once is out: later rounds need not look at it.
        kept = contending(low, high, effort.top)
        rows, low, high = rows[kept], low[kept], high[kept]
        racing = racing.part(np.flatnonzero(kept))
        undecided = is_open(low, high)
        columns = _next_to_fight(racing, undecided, low, high)
        if not tried and _is_late(racing, undecided, low, high, effort.budget - spent):
            # Few are left: slower engines may say at once what fights only narrow down. They are asked about
            # those too whose rank fights have decided, as these are shown.
            asked = promising_first(low[racing.sampled], high[racing.sampled])
            columns = asked[undecided[racing.sampled[asked]]]
            columns = _dear(scorer, racing, columns) if spent < effort.budget else asked[:0]
            if len(columns) == 0:
                tried = True
                solve_alone(scorer, racing, asked, ALONE, effort.bar)
                ledger.take_over(racing, rows)
                continue
        report = RaceReport(rounds, spent, len(rows), int(undecided.sum()))
        fights = next_step(int(racing.fought[columns[0]])) if len(columns) else 0
        columns = _affordable(racing, columns, (low, high), fights, effort.budget - spent)
        if len(columns) == 0:
            return report
        needed = racing.fights_for(columns, fights)
        sample_rows(scorer, racing, columns, fights, effort.seed)
        ledger.take_over(racing, rows)
        advance(needed)
        rounds, spent = rounds + 1, spent + needed


def _is_late(ledger: Ledger, undecided: Bools, low: Floats, high: Floats, left: int) -> bool:
    """Whether so few (build, fight) are open that they can be solved alone, or no fights are left."""
    columns = np.flatnonzero(undecided[ledger.sampled])
    if len(columns) == 0:
        return len(ledger.sampled) > 0
    waiting = _next_to_fight(ledger, undecided, low, high)
    step = next_step(int(ledger.fought[waiting[0]]))
    return ledger.fights_for(columns, 1) <= ALONE or ledger.fights_for(waiting, step) > left


def _dear(scorer: CachedScorer, ledger: Ledger, columns: Ints) -> Ints:
    """Of these columns those that cost more to solve than some fights do, and have fought least of them.

    Most of those turn out to be no good; the others have lost next to nothing.
    """
    costs = np.sum(
        [costs_alone(scorer, ledger, columns, fight) for fight in range(len(ledger.fights))], axis=0
    )
    dear = columns[(costs > DEAR) & (ledger.fought[columns] < BLOCK)]
    least: Ints = dear[ledger.fought[dear] == ledger.fought[dear].min(initial=BLOCK)]
    return least


def _next_to_fight(ledger: Ledger, undecided: Bools, low: Floats, high: Floats) -> Ints:
    """Of the open columns those that may be the best of them, and of these those that have fought least.

    Only when those are not told apart after many fights, the others fight on too.
    """
    columns = np.flatnonzero(undecided[ledger.sampled])
    if len(columns) == 0:
        return columns
    fought, rows = ledger.fought[columns], ledger.sampled[columns]
    patient = fought < PATIENCE
    if patient.any():
        columns, fought, rows = columns[patient], fought[patient], rows[patient]
        leading = low[rows] <= high[rows].min() + TIE
        columns, fought = columns[leading], fought[leading]
    least: Ints = columns[fought == fought.min()]
    return least


def next_step(fought: int) -> int:
    """How far a build goes next: in fours within the first block of fights, then in doublings of blocks."""
    return min(4 * fought, BLOCK) if fought < BLOCK else 2 * fought


def _affordable(ledger: Ledger, columns: Ints, bounds: tuple[Floats, Floats], fights: int, left: int) -> Ints:
    """As many columns as the budget still pays for, the most promising first."""
    needed = np.zeros(len(columns), np.int64)
    for fight in range(len(ledger.fights)):
        needed += fights * np.isin(columns, ledger.open_columns(fight, columns))
    rows = ledger.sampled[columns]
    order = promising_first(bounds[0][rows], bounds[1][rows])
    return np.sort(columns[order[np.cumsum(needed[order]) <= left]])


def promising_first(low: Floats, high: Floats) -> Ints:
    """By what a build is at best, then by what it is at worst: after a few fights many may win every one."""
    return np.lexsort((high, low))


def contending(low: Floats, high: Floats, top: int) -> Bools:
    """Which builds may be in the top K: all but those that K others are better than for sure."""
    if top >= len(high):
        return np.ones(len(high), bool)
    threshold = np.partition(high, top - 1)[top - 1]
    result: Bools = low <= threshold + TIE
    return result


def is_open(low: Floats, high: Floats) -> Bools:
    """Whose interval overlaps another's, so that more fights might part them.

    Builds with the very same interval do the same and fight the same fights: they count as one.
    """
    intervals, which = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    lows, highs = intervals[:, 0], intervals[:, 1]
    # Sorted by low end: an interval overlaps an earlier one if that reaches as far, a later one if it does.
    reach = np.maximum.accumulate(highs)
    earlier = np.zeros(len(lows), bool)
    later = np.zeros(len(lows), bool)
    earlier[1:] = reach[:-1] >= lows[1:] - TIE
    later[:-1] = highs[:-1] >= lows[1:] - TIE
    certain = highs - lows <= TIE
    overlapping: Bools = (earlier | later) & ~certain
    return overlapping[np.ravel(which)]


def rank_ranges(low: Floats, high: Floats, rows: Ints) -> tuple[Ints, Ints]:
    """The best and the worst rank that each of these builds can have; ties for sure share a range."""
    best = 1 + np.searchsorted(np.sort(high), low[rows] - TIE, side="left")
    worst = np.searchsorted(np.sort(low), high[rows] + TIE, side="right")
    return best.astype(np.int64), np.maximum(worst, best).astype(np.int64)

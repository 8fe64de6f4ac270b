"""The best response to a mixture, over every build, with bounds that hold however long one plays.

What a build wins against a mixture is the mean of its cells by the opponents' shares, and so are its bounds.
Nobody meets an opponent without need: opponents come in by their shares, and a build whose upper bound is
below the goal fights no more. Likely winners fight on first. Only where there is none, the crowd of those who
still might win fights on, until a winner is sure or nobody is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from buildsearch.meta.matches import MIRROR, Cells, Matches, Rows
from buildsearch.model.arrays import Floats
from buildsearch.search.race import next_step
from buildsearch.search.scoring import Advance

# Of likely winners so many fight on at a time.
_LEADERS = 16
# With so many fights in each cell that matters, a likely winner is taken at its word.
_LIKELY = 8192
# A cell whose part in the width of a bound is below this part of the largest can wait.
_WORTHWHILE = 0.5


@dataclass
class Budget:
    """Fights that are left; counted, and not timed, so that a fast machine gives no other result."""

    left: int

    def within(self, share: float) -> Budget:
        part = Budget(int(self.left * share))
        self.left -= part.left
        return part

    def take_back(self, part: Budget) -> None:
        self.left += part.left
        part.left = 0


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """`row` wins more than half against the mixture; None: nobody does, or (`open`) nobody knows.

    `bound`: no build wins more than half and this, but with chance alpha. `edge` is what the best of them
    seems to win above half.
    """

    row: int | None
    best: int
    edge: float
    bound: float
    open: Rows = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def is_proved(self) -> bool:
        """Whether nobody wins more than the goal."""
        return self.row is None and len(self.open) == 0


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """Opponents by number, and their shares, the largest first."""

    opponents: tuple[int, ...]
    shares: Floats

    @classmethod
    def of(cls, shares: Floats) -> Mixture:
        """Those who have a share."""
        order = [int(i) for i in np.argsort(-shares, kind="stable") if shares[i] > 0]
        return cls(tuple(order), np.asarray(shares[order] / shares[order].sum()))


def payoffs(matches: Matches, mixture: Mixture) -> tuple[Floats, Floats, Floats]:
    """What each build wins against a mixture: at least, about, and at most."""
    low, mean, high = np.zeros(len(matches)), np.zeros(len(matches)), np.zeros(len(matches))
    for opponent, share in zip(mixture.opponents, mixture.shares, strict=True):
        column = matches.columns[opponent]
        low += share * column.low
        mean += share * column.mean
        high += share * column.high
    return low, mean, high


def respond(
    matches: Matches,
    mixture: Mixture,
    epsilon: float,
    floor: int,
    budget: Budget,
    advance: Advance,
    *,
    must_be_sure: bool = False,
) -> Response:
    """Who wins more than half and epsilon / 2 against a mixture? Nobody, if none may win half and epsilon."""
    goal, enough = MIRROR + epsilon, MIRROR + epsilon / 2
    while True:
        low, mean, high = payoffs(matches, mixture)
        open_ = np.flatnonzero(high > goal)
        unmet = _unmet(matches, mixture, open_)
        # Where nothing is known, one half is no estimate.
        seen = np.setdiff1d(open_, unmet[1]) if unmet else open_
        best = int(np.argmax(np.where(high > goal, mean, -1.0))) if len(open_) else int(np.argmax(mean))
        told = (best, float(mean[best]) - MIRROR, max(0.0, float(high.max()) - MIRROR))
        if len(open_) == 0:
            return Response(None, *told)
        sure = seen[low[seen] > enough]
        leaders = seen[mean[seen] > enough]
        if len(sure) == 0 and not must_be_sure:
            fought = _least_fought(matches, mixture, leaders)
            sure = leaders[fought >= _LIKELY]
        if len(sure):
            winner = int(sure[np.argmax(mean[sure])])
            return Response(winner, winner, float(mean[winner]) - MIRROR, told[2], open_)
        if unmet is not None:
            wanted = [Cells(unmet[0], unmet[1], floor)]
        else:
            leaders = leaders[np.argsort(-mean[leaders], kind="stable")][:_LEADERS]
            wanted = next_cells(matches, mixture, np.sort(leaders) if len(leaders) else open_)
        wanted = _affordable(matches, wanted, high, budget.left)
        if not wanted:
            return Response(None, *told, open_)
        budget.left -= matches.cost(wanted)
        matches.play(wanted, advance)


def _unmet(matches: Matches, mixture: Mixture, rows: Rows) -> tuple[int, Rows] | None:
    """The opponent with the largest share whom some of these builds have not met yet, and those builds."""
    for opponent in mixture.opponents:
        strangers = rows[~matches.columns[opponent].is_known(rows)]
        if len(strangers):
            return opponent, strangers
    return None


def _widths(matches: Matches, mixture: Mixture, rows: Rows) -> Floats:
    """By opponent and build: how much of the width of the build's bounds comes from this cell."""
    columns = [matches.columns[opponent] for opponent in mixture.opponents]
    parts = [
        share * (column.high[rows] - column.low[rows])
        for share, column in zip(mixture.shares, columns, strict=True)
    ]
    return np.stack(parts)


def _least_fought(matches: Matches, mixture: Mixture, rows: Rows) -> Rows:
    """The fights of each build in that of the cells that matter in which it has fought least."""
    widths = _widths(matches, mixture, rows)
    fought = np.stack([matches.columns[opponent].fought[rows] for opponent in mixture.opponents])
    matters = (widths >= _WORTHWHILE * widths.max(axis=0)) & (widths > 0)
    return np.asarray(np.where(matters, fought, np.iinfo(np.int64).max).min(axis=0))


def next_cells(matches: Matches, mixture: Mixture, rows: Rows) -> list[Cells]:
    """Of the cells that matter for these builds those with the fewest fights, one step further."""
    widths = _widths(matches, mixture, rows)
    matters = (widths >= _WORTHWHILE * widths.max(axis=0)) & (widths > 0)
    steps: dict[int, list[tuple[int, Rows]]] = {}
    for number, opponent in enumerate(mixture.opponents):
        mine = rows[matters[number]]
        fought = matches.columns[opponent].fought[mine]
        for level in np.unique(fought):
            steps.setdefault(int(level), []).append((opponent, mine[fought == level]))
    if not steps:
        return []
    least = min(steps)
    return [Cells(opponent, mine, next_step(least)) for opponent, mine in steps[least]]


def _affordable(matches: Matches, wanted: Sequence[Cells], high: Floats, left: int) -> list[Cells]:
    """As much of it as the budget still pays for, those who may win most first."""
    if matches.cost(wanted) <= left:
        return list(wanted)
    found = []
    for cells in wanted:
        number = left // cells.fights
        if number:
            rows = cells.rows[np.argsort(-high[cells.rows], kind="stable")][:number]
            found.append(Cells(cells.opponent, np.sort(rows), cells.fights))
            left -= cells.fights * len(rows)
    return found

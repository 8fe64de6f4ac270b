"""The double oracle: a pool of builds that grows by best responses.

It ends when no build wins more than half and epsilon against the equilibrium. That is a statement about this
very mixture, with bounds that hold for every build at once, so noise in the matrix that led to the mixture
does not matter to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.meta.equilibrium import equilibrium, most_even
from buildsearch.meta.matches import MIRROR, Cells, Matches, Rows
from buildsearch.meta.responses import Budget, Mixture, Response, payoffs, respond
from buildsearch.meta.structure import Structure, structure
from buildsearch.model.arrays import Floats
from buildsearch.model.errors import Cancelled
from buildsearch.model.evaluation import TIE
from buildsearch.search.scoring import Advance

# The oracle may have this part of the budget; the rest says who counters whom.
_ORACLE = 0.6
# Of the rest, this part decides pairs and proves the equilibrium anew.
_DECIDING = 0.6
# Another mixture may have others who hold their own against it; where pairs are sampled it is left at that
# after so many times.
_INVITATIONS = 3
# An equilibrium is found up to so much.
_HALF = 1e-5
# A redraw of the whole matrix within its errors gives other shares: so many say how other.
_REDRAWS = 200
# To say who of a pair wins, so many fights at most: a share of 51 % needs them.
_MOST_A_PAIR = 1 << 16
# In pairs that have a share in the mixture, errors are to be below this part of epsilon.
_PRECISE = 4
# Builds with at least this share matter to shares.
_MATTERS = 0.005

# Tries builds against the mixture of a round and adds them to the matches; None: all are there already.
Finder = Callable[[Mixture, int, Budget], None]


@dataclass(frozen=True, slots=True)
class MetaLimits:
    """How long to play. `budget` is counted in fights."""

    epsilon: float = 0.02
    floor: int = 64  # of a build against somebody new
    pair: int = 1024  # of two builds of the pool
    budget: int = 50_000_000
    most: int = 100  # builds in the pool
    seed: int = 0
    alpha: float = 0.05


@dataclass(frozen=True, slots=True)
class Counter:
    """Who beats a build: `by` (a row) wins `wins` of the fights, at least `low`.

    Without `by`, nobody wins more than `most` against it if that `is_proved`; else nobody knows.
    """

    by: int | None
    wins: float
    low: float
    most: float
    is_proved: bool


@dataclass(frozen=True, slots=True, eq=False)
class Meta:
    """The pool, the largest share first, and all that is said of it. Rows are numbers of the matches."""

    matches: Matches
    rules: MetaLimits
    rows: tuple[int, ...]
    names: tuple[str, ...]
    means: Floats
    low: Floats
    high: Floats
    errors: Floats
    fights: Floats
    shares: Floats
    share_low: Floats
    share_high: Floats
    effective: float
    effective_low: float
    effective_high: float
    response: Response  # to this very mixture
    counters: tuple[Counter, ...]
    structure: Structure
    holding: int  # builds that seem to win half of their fights against the mixture, epsilon aside
    outside: int  # so many of these are not in the pool
    is_most_even: bool  # proved: no equilibrium of the whole game is more even
    rounds: int
    is_partial: bool
    counter_names: tuple[str | None, ...]

    @property
    def is_sampled(self) -> bool:
        return bool(self.errors.max(initial=0.0) > 0)


def find_meta(
    matches: Matches,
    start: Sequence[int],
    rules: MetaLimits,
    advance: Advance,
    finder: Finder | None = None,
    on_interrupt: Callable[[], None] = lambda: None,
) -> Meta:
    """Play until nobody beats the equilibrium, or fights are spent.

    Ctrl-C leads to what is known by then; `on_interrupt` is told before that is put in order.
    """
    return _Oracle(matches, rules, advance, finder).run(start, on_interrupt)


class _Oracle:
    def __init__(self, matches: Matches, rules: MetaLimits, advance: Advance, finder: Finder | None) -> None:
        self.matches, self.rules, self.advance, self.finder = matches, rules, advance, finder
        self.budget = Budget(rules.budget)
        self.shares = np.zeros(0)
        self.rounds = 0
        self.counters: dict[int, Counter] = {}

    def run(self, start: Sequence[int], on_interrupt: Callable[[], None]) -> Meta:
        """Pool, then counters, then what follows from the matrix."""
        is_partial = False
        part = self.budget.within(_ORACLE)
        try:
            for row in dict.fromkeys(start):
                self._join(row, part)
            self._grow(part)
            self.budget.take_back(part)
            part = self.budget.within(_DECIDING)
            if self._decide_pairs(part):
                # Another matrix, another equilibrium: it is to be proved too.
                self._grow(part)
            invitations = 0
            while self._invite(part):
                invitations += 1
                if invitations >= _INVITATIONS and not self._is_exact():
                    break
            self.budget.take_back(part)
            self._find_counters()
        except (KeyboardInterrupt, Cancelled):
            is_partial = True
            on_interrupt()
        return self._told(is_partial=is_partial)

    def _join(self, row: int, budget: Budget) -> None:
        """A build joins the pool, and meets everybody in it."""
        self.matches.add_opponent(row)
        self.shares = np.append(self.shares, 0.0)
        self._play_pairs(self.rules.pair, range(len(self.matches.columns)), budget)

    def _play_pairs(self, fights: int, opponents: Sequence[int], budget: Budget) -> bool:
        """Let these opponents have so many fights among themselves; whether any was played."""
        wanted = []
        for number in opponents:
            column = self.matches.columns[number]
            rows = np.array([self.matches.columns[i].row for i in opponents if i > number], np.int64)
            rows = rows[np.isnan(column.exact[rows]) & (column.fought[rows] < fights)]
            if len(rows):
                wanted.append(Cells(number, rows, fights))
        cost = self.matches.cost(wanted)
        if not wanted or cost > budget.left:
            return False
        budget.left -= cost
        self.matches.play(wanted, self.advance)
        return True

    def _solve(self, budget: Budget) -> None:
        """The equilibrium of the pool. Pairs that have a share in it fight on until it hardly moves."""
        most = (MIRROR * _PRECISE / self.rules.epsilon) ** 2
        fights = self.rules.pair
        while True:
            self.shares = equilibrium(self.matches.matrix()[0] - MIRROR)
            heavy = [int(i) for i in np.flatnonzero(self.shares >= _MATTERS)]
            if not self._play_pairs(fights, heavy, budget):
                fights *= 4
                if fights > 4 * most or not self._play_pairs(fights, heavy, budget):
                    return

    def _grow(self, budget: Budget) -> None:
        """Responses join until there is none. A later round starts from what the earlier ones know."""
        rules = self.rules
        while True:
            self._solve(budget)
            self.rounds += 1
            mixture = Mixture.of(self.shares)
            if self.finder is not None:
                self.finder(mixture, self.rounds, budget)
            found = respond(self.matches, mixture, rules.epsilon, rules.floor, budget, self.advance)
            if found.row is None or len(self.matches.columns) >= rules.most:
                return
            if found.row not in self.matches.pool:
                self._join(found.row, budget)

    def _invite(self, budget: Budget) -> bool:
        """Whoever holds its own against the equilibrium joins, if there is room for all; whether any did.

        Against an equilibrium, the builds of every other one win exactly half. So with all who do in the
        pool, and none outside that wins more, the most even equilibrium of the pool is that of the whole
        game: `_is_most_even`.
        """
        guests = np.setdiff1d(self._last_response()[1], self.matches.pool)
        size = len(self.matches.columns) + len(guests)
        pairs = (size * (size - 1) - len(self.matches.columns) ** 2) // 2 * self.rules.pair
        if len(guests) == 0 or size > self.rules.most or 2 * pairs > budget.left:
            return False
        before = self.shares.copy()
        for row in guests:
            self._join(int(row), budget)
        self._grow(budget)
        if len(self._last_response()[0].open):
            # It could not be proved in time; what was proved still holds.
            later = self.shares
            self.shares = np.concatenate([before, np.zeros(len(later) - len(before))])
            if len(self._last_response()[0].open):
                self.shares = later
            return False
        return True

    def _is_exact(self) -> bool:
        rows = np.array(self.matches.pool, np.int64)
        return not any(np.isnan(column.exact[rows]).any() for column in self.matches.columns)

    def _is_most_even(self) -> bool:
        """Whether it is proved that no equilibrium of the whole game is more even than the mixture.

        The pool is exact, the mixture its most even equilibrium, and whoever is not in it wins less than half
        against the mixture. So the mixture is an equilibrium of the game, the builds of every other one win
        half against it and are therefore in the pool, and the pool has none that is more even. Sampled pairs
        prove that only of one build that surely beats all others: else an edge too small to be seen decides
        whether two builds share or one has it all.
        """
        matches, mixture = self.matches, Mixture.of(self.shares)
        if self.finder is not None:
            return False
        high = payoffs(matches, mixture)[2]
        if len(mixture.opponents) == 1:
            others = np.delete(high, matches.columns[mixture.opponents[0]].row)
            if (others < MIRROR).all():
                return True
        if not self._is_exact():
            return False
        others = np.setdiff1d(np.arange(len(matches)), matches.pool)
        if high.max() > MIRROR + _HALF or (high[others] >= MIRROR - _HALF).any():
            return False
        shares, is_proved = most_even(matches.matrix()[0] - MIRROR)
        return is_proved and effective_number(shares) <= effective_number(self.shares) * (1 + _HALF)

    def _find_counters(self) -> None:
        """Who of the pool is beaten by nobody in it is looked at with everybody's eyes."""
        rules, matches = self.rules, self.matches
        order = np.argsort(-self.shares, kind="stable")
        waiting = [int(i) for i in order if self._in_pool(int(i)) is None]
        for left, number in zip(range(len(waiting), 0, -1), waiting, strict=True):
            part = self.budget.within(1 / left)
            alone = Mixture((number,), np.ones(1))
            found = respond(matches, alone, rules.epsilon, rules.floor, part, self.advance, must_be_sure=True)
            self.budget.take_back(part)
            column = matches.columns[number]
            most = MIRROR + found.bound
            if found.row is None:
                self.counters[number] = Counter(None, MIRROR + found.edge, 0.0, most, found.is_proved)
            else:
                low = float(column.low[found.row])
                self.counters[number] = Counter(found.row, MIRROR + found.edge, low, most, is_proved=True)

    def _in_pool(self, number: int) -> Counter | None:
        """The member of the pool that surely beats another, and does so most often."""
        column = self.matches.columns[number]
        beating = [row for row in self.matches.pool if column.low[row] > MIRROR + TIE]
        if not beating:
            return None
        by = max(beating, key=lambda row: column.mean[row])
        return Counter(by, float(column.mean[by]), float(column.low[by]), float(column.high[by]), True)

    def _decide_pairs(self, budget: Budget) -> bool:
        """Pairs of the pool fight on until it is sure who beats whom, the clearest first; whether any did."""
        matches, fights, before = self.matches, self.rules.pair, self.matches.spent
        while fights < _MOST_A_PAIR:
            fights *= 2
            wanted = []
            for number, column in enumerate(matches.columns):
                rows = np.array(matches.pool[number + 1 :], np.int64)
                if len(rows):
                    open_ = (column.low[rows] <= MIRROR + TIE) & (column.high[rows] >= MIRROR - TIE)
                    rows = rows[open_ & np.isnan(column.exact[rows]) & (column.fought[rows] < fights)]
                if len(rows):
                    wanted.append(Cells(number, rows, fights))
            # The second half is for proving what follows.
            if 2 * matches.cost(wanted) > budget.left:
                break
            budget.left -= matches.cost(wanted)
            matches.play(wanted, self.advance)
        return matches.spent > before

    def _told(self, *, is_partial: bool) -> Meta:
        matches = self.matches
        if not matches.columns:
            raise Cancelled("Stopped before the first match; nothing was saved.")
        if len(self.shares) < len(matches.columns) or not self.shares.any():
            # Interrupted before the first game was solved.
            self.shares = equilibrium(matches.matrix()[0] - MIRROR)
        ratings = (matches.matrix()[0] - MIRROR).mean(axis=1)
        order = sorted(range(len(self.shares)), key=lambda i: (-self.shares[i], -ratings[i]))
        rows = [matches.pool[i] for i in order]
        means, low, high, errors, fights = matches.matrix(rows)
        shares = self.shares[order]
        redrawn = _redrawn(means, errors, self.rules.seed)
        drawn = np.vstack([redrawn, shares]) if len(redrawn) else shares[None, :]
        numbers = [effective_number(each) for each in drawn]
        counters = [self._counter(i) for i in order]
        response, holding = self._last_response()
        return Meta(
            matches=matches,
            rules=self.rules,
            rows=tuple(rows),
            names=tuple(matches.name(row) for row in rows),
            means=means,
            low=low,
            high=high,
            errors=errors,
            fights=fights,
            shares=shares,
            share_low=np.minimum(shares, np.quantile(drawn, 0.025, axis=0)),
            share_high=np.maximum(shares, np.quantile(drawn, 0.975, axis=0)),
            effective=effective_number(shares),
            effective_low=min(effective_number(shares), float(np.quantile(numbers, 0.025))),
            effective_high=max(effective_number(shares), float(np.quantile(numbers, 0.975))),
            response=response,
            counters=tuple(counters),
            structure=structure(means, low, high, errors),
            holding=len(holding),
            outside=len(np.setdiff1d(holding, rows)),
            is_most_even=self._is_most_even(),
            rounds=self.rounds,
            is_partial=is_partial,
            counter_names=tuple(None if each.by is None else matches.name(each.by) for each in counters),
        )

    def _counter(self, number: int) -> Counter:
        known = self._in_pool(number) or self.counters.get(number)
        return known or Counter(None, MIRROR, 0.0, 1.0, is_proved=False)

    def _last_response(self) -> tuple[Response, Rows]:
        """What is known by now of responses to the last mixture, and who holds its own against it.

        Bounds hold for any mixture.
        """
        mixture = Mixture.of(self.shares)
        _, mean, high = payoffs(self.matches, mixture)
        everybody = np.arange(len(self.matches))
        columns = [self.matches.columns[i] for i in mixture.opponents]
        met = np.logical_and.reduce([column.is_known(everybody) for column in columns])
        best = int(np.argmax(np.where(met, mean, -1.0)))
        bound = max(0.0, float(high.max()) - MIRROR)
        open_ = np.flatnonzero(high > MIRROR + self.rules.epsilon)
        holding = np.flatnonzero(met & (mean >= MIRROR - self.rules.epsilon) & (high >= MIRROR - _HALF))
        return Response(None, best, float(mean[best]) - MIRROR, bound, open_), holding


def effective_number(shares: Floats) -> float:
    """How many builds with equal shares would be as many: the exponential of the entropy."""
    some = shares[shares > 0]
    return float(np.exp(-(some * np.log(some)).sum()))


def _redrawn(means: Floats, errors: Floats, seed: int) -> Floats:
    """Shares of matrices that differ from this one as its errors allow; none where nothing has an error."""
    if errors.max(initial=0.0) == 0:
        return np.zeros((0, len(means)))
    rng = np.random.default_rng([seed, len(means)])
    found = []
    for _ in range(_REDRAWS):
        noise = np.triu(rng.normal(size=means.shape) * errors, 1)
        edges = np.clip(np.triu(means - MIRROR, 1) + noise, -MIRROR, MIRROR) * np.triu(np.ones_like(means), 1)
        found.append(equilibrium(edges - edges.T, any_=True))
    return np.array(found)

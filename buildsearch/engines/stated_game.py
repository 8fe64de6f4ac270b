"""What the core asks of a game whose fight is a statement: evaluators, scores in bulk, single fights.

The statement measures `win`, `draw`, `loss`, and what is left of the build. A draw is worth what `draw_value`
says: nothing, or half a win. A metric without a name is measured and not shown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache, RowCache, column_digests, distinct, words_of
from buildsearch.engines.replays import only_greedy
from buildsearch.engines.stated import MOST_NODES, Counted, Played, StatedFight, TooLargeError
from buildsearch.engines.statement import Statement, Terms
from buildsearch.engines.told import Listener, play_plainly
from buildsearch.engines.wins import exact_wins, not_below_zero, sampled_wins
from buildsearch.evaluate.one_by_one import OneByOne
from buildsearch.evaluate.randomness import content_digest
from buildsearch.evaluate.sampling import BLOCK, Tally, sample
from buildsearch.evaluate.statistics import mean_estimate, mean_of_sums, share_estimate
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Evaluation, Evaluator, Replay, Sampling, TriggerRate
from buildsearch.model.scorer import Samples, Solver
from buildsearch.model.space import Chunk

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# How a fight is played, as `bout.play` says; any other word is a policy of the statement.
OPTIMAL = "optimal"
# As much as is counted on the way, to judge samples by.
_MOST_GAIN = 2048
# Where the metrics stand.
_WIN, _DRAW, _LOSS = range(3)


class Story(Listener, ABC):
    """A fight as it is told: lines for people, events for programs."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.events: list[dict[str, Any]] = []
        self.gained = 0.0  # on the way, once the fight is over

    def opens(self, t: Any, c: Any, g: Any) -> None:
        """The records to look at."""
        self.t, self.c, self.g = t, c, g

    def tell(self, event: str, *lines: str, **fields: Any) -> None:
        """Something that happened. Turns stand at the margin, what happens in them is indented."""
        self.events.append({"event": event, **{name: _python(value) for name, value in fields.items()}})
        self.lines += lines

    @abstractmethod
    def ends(self, outcome: str, rounds: int, left: int) -> None:
        """How it went: won, drawn or lost, after so many rounds, and what is left of the build."""


def _python(value: Any) -> Any:
    """Without numpy's numbers, which records hold and JSON does not."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_python, value))
    return value.item() if isinstance(value, np.generic) else value


class StatedGame(ABC):
    """What a game says besides its statement; the rest follows."""

    statement: Statement
    too_large = "this fight has more states than can be held at once"
    most_nodes = MOST_NODES
    version = 1  # to be raised when the same fight gets another number
    columns = 64  # numbers of a sheet, at most
    gain = ""  # the metric that is earned on the way, in whole numbers

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self._fights = LruCache[str, StatedFight](64)

    @abstractmethod
    def terms(self, bout: Any) -> Terms:
        """A fight without its build."""

    @abstractmethod
    def row(self, build: Any) -> Ints:
        """The sheet of a build."""

    def rows(self, space: Any, chunk: Chunk) -> Ints:
        """The sheets of a chunk of the space, for `StatedBulk`."""
        raise NotImplementedError

    def draw_value(self, bout: Any) -> float:
        """What a draw is worth: 0 or 0.5, a ruling."""
        return float(bout.rulings.draw_value)

    @abstractmethod
    def story(self, build: Any, bout: Any) -> Story:
        """Who tells a fight."""

    def triggers(self, build: Any) -> Mapping[str, int]:
        """The numbers of what a build has that takes effect at times."""
        return {}

    def explain(self, build: Any, bout: Any, fight: StatedFight, played: Played) -> tuple[str, ...]:
        """Best play in words."""
        return ()

    def fight(self, bout: Any) -> StatedFight:
        """Ready for builds; the last ones are kept."""
        return self._fights.get(repr(bout), lambda: StatedFight(self.terms(bout), most_nodes=self.most_nodes))

    def entered(self, build: Any, bout: Any) -> tuple[StatedFight, Ints]:
        """A build's fight and its sheet there."""
        return self.fight(bout), self.row(build)

    def why_not_best(self, bout: Any) -> str | None:
        """Why best play makes no sense there."""
        return None

    def is_solved_in_bulk(self, bout: Any) -> bool:
        """Whether solving every build is quicker than sampling each."""
        return True

    def is_hopeless(self, build: Any, bout: Any) -> bool:
        """Whether its states are so many that nobody need try to hold them; a quick guess will do."""
        return False

    def worth(self, bout: Any) -> Floats:
        """What best play plays for, by metric."""
        worth = np.zeros(len(self.statement.metrics))
        worth[_WIN], worth[_DRAW] = 1.0, self.draw_value(bout)
        return worth

    def exact_evaluation(self, bout: Any, means: Floats, rounds: float, gain: float) -> Evaluation:
        """Probabilities: no error, no fights, no seed."""
        won, drawn, lost = (min(1.0, float(mean)) for mean in means[:3])
        value, names = self.draw_value(bout), self.statement.metrics
        # A draw that is worth nothing counts as lost.
        outcomes = np.array([lost, drawn, won]) if value else np.array([lost + drawn, 0.0, won])
        # A fight has a round, and sums of chances may fall short of 1 in the last place.
        others = {"rounds": max(1.0, rounds), **dict(zip(names[3:], map(float, means[3:]), strict=True))}
        others |= {names[_DRAW]: drawn, names[_LOSS]: lost, self.gain: max(0.0, gain)}
        return exact_wins(names[_WIN], outcomes, _named(others), mean=won + value * drawn)

    def tally(self, bout: Any, counted: Counted) -> Tally:
        """Counted fights: histograms of the metrics, then of the rounds; sums of the gain and its squares."""
        won, drawn, lost = (int(each) for each in counted.counts[:3, 1])
        half = drawn if self.draw_value(bout) else 0
        histogram = np.array([lost + drawn - half, half, won], np.int64)
        gains = counted.gains.astype(np.int64)
        return Tally(histogram, np.concatenate([counted.counts.ravel(), counted.rounds, gains]))

    def evaluation(self, terms: Terms, tally: Tally, method: str, seed: int) -> Evaluation:
        """The metrics of counted fights."""
        counts, rounds, gains = np.split(tally.counts, [len(terms.most) * (max(terms.most) + 1), -2])
        names = self.statement.metrics
        found = dict(zip(names, counts.reshape(len(names), -1), strict=True))
        others = {"rounds": mean_estimate(rounds)}
        others |= {name: not_below_zero(mean_estimate(found[name])) for name in names[3:]}
        others |= {name: share_estimate(int(found[name][1]), tally.fights) for name in names[1:3]}
        others[self.gain] = not_below_zero(mean_of_sums(tally.fights, *map(int, gains))[0])
        return sampled_wins(names[_WIN], tally, _named(others), method, seed)


def _named(metrics: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in metrics.items() if name}


def stated_evaluators(game: StatedGame) -> tuple[Evaluator, ...]:
    """The best first."""
    return ExactEvaluator(game), BestPlayEvaluator(game), SampledEvaluator(game), PlainEvaluator(game)


class _Evaluator:
    def __init__(self, game: StatedGame) -> None:
        self.game = game

    def _too_large(self, build: Any, bout: Any, *, free: bool = False) -> str | None:
        if self.game.is_hopeless(build, bout):
            return self.game.too_large
        fight, row = self.game.entered(build, bout)
        try:
            fight.explored(row, free=free)
        except TooLargeError:
            return self.game.too_large
        return None


class ExactEvaluator(_Evaluator):
    """Greedy play without sampling: every state that a fight can come to."""

    method = "exact"
    default_fights = 0  # none is sampled

    def why_not(self, build: Any, bout: Any) -> str | None:
        """It solves what fits into memory."""
        return "this engine plays greedily" if bout.play == OPTIMAL else self._too_large(build, bout)

    def evaluate(self, build: Any, bout: Any, sampling: Sampling) -> Evaluation:
        """Solve."""
        fight, row = self.game.entered(build, bout)
        found = fight.solve(row)
        return self.game.exact_evaluation(bout, found.means, found.rounds, found.gain)


class BestPlayEvaluator(_Evaluator):
    """The best that a build can do, while all others stay greedy."""

    method = "exact"
    default_fights = 0

    def why_not(self, build: Any, bout: Any) -> str | None:
        """It solves what fits into memory."""
        if bout.play != OPTIMAL:
            return "this engine plays optimally"
        return self.game.why_not_best(bout) or self._too_large(build, bout, free=True)

    def _played(self, build: Any, bout: Any) -> Played:
        return self.game.fight(bout).best(self.game.row(build), self.game.worth(bout))

    def evaluate(self, build: Any, bout: Any, sampling: Sampling) -> Evaluation:
        """Solve."""
        played = self._played(build, bout)
        return self.game.exact_evaluation(bout, played.means, played.rounds, played.gain)

    def explain(self, build: Any, bout: Any) -> tuple[str, ...]:
        """What is done when."""
        return self.game.explain(build, bout, self.game.fight(bout), self._played(build, bout))


class SampledEvaluator(_Evaluator):
    """Monte Carlo by the compiled statement."""

    method = "sampled"
    default_fights = 20_000

    def why_not(self, build: Any, bout: Any) -> str | None:
        """It plays greedily."""
        return "best play is solved, not sampled" if bout.play == OPTIMAL else None

    def evaluate(self, build: Any, bout: Any, sampling: Sampling) -> Evaluation:
        """Sample fights."""
        fight, row = self.game.entered(build, bout)
        content = fight.content(row)

        def block(number: int, fights: int) -> Tally:
            return self.game.tally(bout, self._counted(fight, row, content, sampling.seed, number, fights))

        return self.game.evaluation(fight.terms, sample(block, sampling), self.method, sampling.seed)

    def _counted(
        self, fight: StatedFight, row: Ints, content: bytes, seed: int, number: int, fights: int
    ) -> Counted:
        return fight.sample(row, seed, number * BLOCK, fights, content)


class PlainEvaluator(SampledEvaluator):
    """The same fights by the same source in plain Python: slow, and can be stepped through."""

    method = "reference"
    default_fights = 500

    def _counted(
        self, fight: StatedFight, row: Ints, content: bytes, seed: int, number: int, fights: int
    ) -> Counted:
        first = number * BLOCK
        played = [play_plainly(fight, row, seed, first + i, content=content) for i in range(fights)]
        return Counted(*(np.sum([each[part] for each in played], axis=0) for part in range(4)))


class StatedReplayer:
    """Single fights; the one with a seed is the first that is sampled with it."""

    brief = 1000

    def __init__(self, game: StatedGame) -> None:
        self.game = game

    def _sampled(self, build: Any, bout: Any, seed: int, fights: int) -> Counted:
        _not_optimal(bout)
        fight, row = self.game.entered(build, bout)
        return fight.sample(row, seed, 0, fights)

    def value(self, build: Any, bout: Any, seed: int) -> float:
        """What the fight with this seed is worth."""
        return self._worth(bout, self._sampled(build, bout, seed, 1))

    def _worth(self, bout: Any, counted: Counted) -> float:
        return float(counted.counts[:, 1] @ self.game.worth(bout))

    def replay(self, build: Any, bout: Any, seed: int) -> Replay:
        """The fight with this seed, told by the source itself."""
        _not_optimal(bout)
        story, (fight, row) = self.game.story(build, bout), self.game.entered(build, bout)
        counted = play_plainly(fight, row, seed, 0, story)
        story.gained = float(counted.gains[0])
        outcome = ("won", "drawn", "lost")[int(np.argmax(counted.counts[:3, 1]))]
        story.ends(outcome, int(np.argmax(counted.rounds)), int(np.argmax(counted.counts[3])))
        value = self._worth(bout, counted)
        return Replay(seed=seed, value=value, lines=tuple(story.lines), events=tuple(story.events))

    def triggers(self, build: Any, bout: Any, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """In how many fights each of them took effect."""
        fired = self._sampled(build, bout, seed, fights).fired
        numbers = self.game.triggers(build)
        return {name: TriggerRate(None, int(fired[number]) / fights) for name, number in numbers.items()}


def _not_optimal(bout: Any) -> None:
    if bout.play == OPTIMAL:
        only_greedy(bout.play)


class _KnownFight:
    """One fight of a run: solved builds by what tells them apart."""

    def __init__(self, fight: StatedFight) -> None:
        self.fight = fight
        self.memory = RowCache()


class StatedBulk(OneByOne):
    """The primary metric of many builds, each kind of fighter solved once; the rest comes from evaluators."""

    def __init__(self, game: StatedGame, space: Any, outcomes: tuple[str, ...]) -> None:
        self.game, self.space, self.outcomes = game, space, outcomes
        self.evaluators = stated_evaluators(game)
        self._known = LruCache[str, _KnownFight](64)
        self._digests = column_digests(game.columns)

    def __reduce__(self) -> tuple[type[StatedBulk], tuple[Any, ...]]:
        return type(self), (self.game, self.space, self.outcomes)  # memories do not travel

    def outcome_range(self, outcome: str, bout: Any) -> tuple[float, float]:
        """Rounds up to the limit, metrics up to their most."""
        terms = self.game.fight(bout).terms
        most = {"rounds": terms.limit, **dict(zip(terms.statement.metrics, terms.most, strict=True))}
        most[self.game.gain] = _MOST_GAIN
        return 0.0, float(most[outcome])

    def context(self, group: str, bout: Any) -> bytes:
        """Everything that decides a fight but the builds' numbers. Names are no part of it.

        The group is, though keys hold its numbers too: a cache sorts a context at every addition, and 400
        contexts of some thousand builds are sorted in no time, one of millions is not.
        """
        said = (self.game.version, self.game.draw_value(bout), bout.play, group)
        return content_digest(self.game.fight(bout).whole, repr(said).encode())

    def keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """A digest of the sheets."""
        return words_of(self.game.rows(self.space, chunk), self._digests)

    def solve(self, chunk: Chunk, bout: Any) -> Floats:
        """Exact means; NaN where a fight has too many states. Raises UsageError for best play of such."""
        return self.solver(chunk, [bout])(0)

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """Sheets are made once, and equal ones looked at once, whatever the fight."""
        rows = self.game.rows(self.space, chunk)
        _, first, where = distinct(words_of(rows, self._digests))
        different = rows[first]
        return lambda number: self._solve_rows(different, fights[number])[where]

    def sample(self, chunk: Chunk, bout: Any, seed: int, fights: int) -> Samples:
        """The fights that `score` plays under the same seed; builds that fight alike have the same."""
        if bout.play == OPTIMAL:
            return super().sample(chunk, bout, seed, fights)
        fight, rows = self.game.fight(bout), self.game.rows(self.space, chunk)
        _, first, where = distinct(fight.tell_apart(rows))
        totals, squares = np.empty((len(self.outcomes), len(first))), np.empty(len(first))
        value, names = self.game.draw_value(bout), self.game.statement.metrics
        for i, row in enumerate(rows[first]):
            counted = fight.sample(row, seed, 0, fights)
            found = dict(zip(names, counted.counts @ np.arange(counted.counts.shape[1]), strict=True))
            won, drawn = found[names[_WIN]], found[names[_DRAW]]
            found |= {
                "rounds": counted.rounds @ np.arange(len(counted.rounds)),
                names[_WIN]: won + value * drawn,
            }
            found[self.game.gain] = counted.gains[0]
            totals[:, i] = [found[name] for name in self.outcomes]
            squares[i] = won + value * value * drawn
        return Samples(fights, totals[:, where], squares[where])

    def _solve_rows(self, rows: Ints, bout: Any) -> Floats:
        if bout.play != OPTIMAL and not self.game.is_solved_in_bulk(bout):
            return np.full(len(rows), np.nan)
        known = self._known.get(repr(bout), lambda: _KnownFight(self.game.fight(bout)))
        words, first, where = distinct(known.fight.tell_apart(rows))
        values = known.memory.find(words)
        new = np.flatnonzero(np.isinf(values))
        if len(new):
            values[new] = self._solve_new(known.fight, rows[first[new]], bout)
            known.memory.add(words[new], values[new])
        return values[where]

    def _solve_new(self, fight: StatedFight, rows: Ints, bout: Any) -> Floats:
        worth = self.game.worth(bout)
        if bout.play != OPTIMAL:
            found: Floats = fight.solve_many(rows)[:, : len(worth)] @ worth
            return found
        why_not = self.game.why_not_best(bout)
        if why_not is not None:
            raise UsageError(f"{bout.name}: {why_not}. Choose another with ‹scenario›.")
        try:
            return np.array([float(fight.best(row, worth).means @ worth) for row in rows])
        except TooLargeError as error:
            raise UsageError(
                f"best play in {bout.name} has too many states for some builds. Choose scenarios of one "
                "or two foes with ‹only›, or fewer builds."
            ) from error


def explained(
    fight: StatedFight,
    played: Played,
    state: Callable[[Any, Any], str],
    deed: Callable[[int], tuple[str, Mapping[str, float]]],
    shown: int = 14,
) -> Iterable[str]:
    """Best play in words: what is done how often in a fight, then the states that fights come to most.

    `state(t, c)` has words for a state, `deed(action)` for an action, with what is counted of it.
    """
    graph, choice = played.explored.graph, played.best.choice
    visits = fight.follow(played).visits
    nodes = np.flatnonzero((visits > 0) & (np.diff(graph.first) > 1))
    desk = fight.desk.state
    states: dict[tuple[str, str], float] = {}
    totals: dict[str, float] = {}
    for node, fields in zip(nodes, played.explored.states(nodes), strict=True):
        desk.flat[:] = fields
        done, numbers = deed(int(graph.what[choice[node]]))
        key = state(desk.t[0], desk.c), done
        states[key] = states.get(key, 0.0) + float(visits[node])
        for word, number in numbers.items():
            totals[word] = totals.get(word, 0.0) + number * float(visits[node])
    total = ", ".join(f"{word} {number:.2f}" for word, number in totals.items() if number >= 0.005)
    yield f"in a fight, in the mean: {total}"
    for (where, done), share in sorted(states.items(), key=lambda each: (-each[1], each[0]))[:shown]:
        yield f"{share:7.2%} {where}: {done}"
    yield (
        f"({len(states)} states in which the build decides; shown are those that fights come to most, with "
        "how often in a fight)"
    )

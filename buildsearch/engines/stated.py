"""A fight of a statement, ready for any build: solved, best played, sampled, told, many at once.

A build is a row of numbers, its sheet. Threads may share a `StatedFight`: each has its own desk.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines import rooms as at
from buildsearch.engines.derived import kernels_of
from buildsearch.engines.dice import Sampler, make_sampler, make_tree
from buildsearch.engines.graphs import Best, Graph, Reached, arrange, best_play, forward
from buildsearch.engines.statement import MOST_WORDS, State, StatementError, Terms
from buildsearch.engines.trouble import cycle_sentence, outside_sentence, trouble_sentence
from buildsearch.evaluate.randomness import content_digest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Nodes of a graph: what most fights need at once, and where an engine gives up (some gigabytes).
FIRST_ROOM = 1 << 14
MOST_NODES = 1 << 22
MOST_OPTIONS = 1 << 25
# Beyond so many, explored states are not kept once they are solved.
_KEPT = 1 << 18
_NOTHING: tuple[tuple[bytes, bool], Explored | None] = ((b"", False), None)
_OPTIONS_A_NODE = 16
# Different things that can be measured at an end.
_MOST_ENDS = 1 << 20


_NO_SWEEPING = at.Sweeping(*(np.zeros(0) for _ in range(5)))


class TooLargeError(Exception):
    """A fight has more states than an engine can hold."""


class Explored(NamedTuple):
    """All states of a build's fight: the graph, its starts, what is gained there, metrics of its ends."""

    graph: Graph
    starts: Ints
    chances: Floats
    gained: float
    ends: Floats
    keys: NDArray[np.uint64]
    layout: tuple[Ints, NDArray[np.uint64], NDArray[np.uint64]]  # of each field: its word, shift and mask

    def states(self, nodes: Ints) -> Ints:
        """A row of fields for each of these nodes."""
        word, shift, mask = self.layout
        return ((self.keys[nodes][:, word] >> shift) & mask).astype(np.int64)


class Solved(NamedTuple):
    """The mean of each metric, of rounds and of the gain; `ends` are metrics with their `chances`."""

    means: Floats
    rounds: float
    gain: float
    ends: Floats
    chances: Floats
    ticks: Floats


class Played(NamedTuple):
    """Best play: the means, and what is chosen at each node."""

    means: Floats
    rounds: float
    gain: float
    explored: Explored
    best: Best


class Counted(NamedTuple):
    """Sampled fights: `counts[metric, value]`, `rounds[number]`, sums of the gain, fights by trigger."""

    counts: Ints
    rounds: Ints
    gains: Floats
    fired: Ints


class StatedFight:
    """One fight, whatever the build."""

    def __init__(self, terms: Terms, *, tie: float = 1e-9, most_nodes: int = MOST_NODES) -> None:
        self.terms = terms
        self.tie = tie
        self.most_nodes = most_nodes
        self.kernels = kernels_of(terms.statement)
        self.shared = _shared_digest(terms)
        # Tables that the build is written to may hold opponents as well: scores are kept by all of it.
        own = [getattr(terms.tables, name) for name in terms.statement.own]
        self.whole = content_digest(self.shared, *_parts(own))
        self._desks = _Desks()
        codes = int(np.prod([1 + top for top in terms.most], dtype=np.float64))
        if codes > _MOST_ENDS:
            raise StatementError(
                f"{terms.statement.name}: `measure` can say {codes:,} different things, {_MOST_ENDS:,} are "
                "the most."
            )
        self._codes = codes

    # What is derived ----------------------------------------------------------------------------

    def tell_apart(self, rows: Ints) -> NDArray[np.uint64]:
        """Two words for each build: builds with equal ones fight alike."""
        words = np.empty((len(rows), 2), np.uint64)
        if self._work(at.TELL, rows, words=words) == 0:
            raise self.error()
        return words

    def content(self, row: Ints) -> bytes:
        """A digest of all that decides the fights of a build."""
        self.write(row)
        return content_digest(self.shared, self.desk.words.own.tobytes())

    def solve(self, row: Ints) -> Solved:
        """Everybody plays as `decide` says; raises TooLargeError."""
        explored = self.explored(row)
        if explored.graph.nodes > _KEPT:
            self._desks.last = _NOTHING
        graph, starts, chances, gained, ends = explored[:5]
        found = forward(graph, starts, chances, self.terms.limit)
        chance = found.ended + found.timed_out
        return Solved(chance @ ends, found.rounds, gained + found.gain, ends, chance, found.ticks)

    def solve_many(self, rows: Ints) -> Floats:
        """A row for each build: the mean of each metric, rounds, gain; NaN where it has too many states."""
        terms = self.terms
        room = at.make_room(FIRST_ROOM, FIRST_ROOM, self.write(rows[0]), self._codes)
        sweeping = at.Sweeping(
            *(np.zeros(size) for size in (FIRST_ROOM, FIRST_ROOM, self._codes, terms.limit + 1, 0))
        )
        found = np.empty((len(rows), len(terms.most) + 2))
        done = self._work(at.SOLVE, rows, room=room, sweeping=sweeping, found=found)
        if done < len(rows):
            self.solve(rows[done])  # says more about a cycle
            raise self.error()
        for i in np.flatnonzero(np.isnan(found[:, 0])):
            try:
                solved = self.solve(rows[i])
            except TooLargeError:
                continue
            found[i] = [*solved.means, solved.rounds, solved.gain]
        return found

    def best(self, row: Ints, worth: Floats) -> Played:
        """The most of `metrics @ worth` that whoever has options can reach, then the fewest rounds."""
        explored = self.explored(row, free=True)
        graph, starts, chances, gained, ends = explored[:5]
        # What is played for, then every metric, then the gain.
        numbers = np.column_stack([ends @ worth, ends, np.zeros(len(ends))])
        best = best_play(graph, numbers, numbers, self.terms.limit, self.tie)
        values = best.values[:, starts] @ chances
        rounds = 1.0 + float(best.later[starts] @ chances)
        return Played(values[1:-1], rounds, gained + float(values[-1]), explored, best)

    def follow(self, played: Played) -> Reached:
        """How a fight goes under best play, with how often it comes to each state."""
        graph, starts, chances, *_ = played.explored
        return forward(graph, starts, chances, self.terms.limit, played.best.choice)

    def sample(self, row: Ints, seed: int, first: int, fights: int, content: bytes | None = None) -> Counted:
        """So many fights from number `first` on; a fight is a matter of seed, build and its number alone."""
        content = self.content(row) if content is None else content
        desk, terms = self.desk, self.terms
        self.write(row)
        dice = make_sampler(terms.triggers)
        counted = empty_counts(terms, dice)
        with np.errstate(over="ignore"):  # as above
            done = self.kernels.sample(
                desk.g, desk.words, dice, stream_of(content, seed), (first, first + fights), terms.limit,
                counted.counts, counted.rounds, counted.gains,
            )  # fmt: skip
        if not done:
            raise self.error()
        return counted

    # How ----------------------------------------------------------------------------------------

    @property
    def desk(self) -> _Desk:
        """This thread's."""
        if self._desks.desk is None:
            self._desks.desk = _Desk(self.terms)
        return self._desks.desk

    def _work(
        self,
        what: int,
        rows: Ints,
        *,
        room: at.Room | None = None,
        sweeping: at.Sweeping | None = None,
        words: NDArray[np.uint64] | None = None,
        found: Floats | None = None,
    ) -> int:
        desk, terms = self.desk, self.terms
        try:
            with np.errstate(over="ignore"):  # hashes wrap around on purpose; without the JIT numpy warns
                return int(
                    self.kernels.work(
                        what,
                        desk.g,
                        terms.source,
                        desk.words,
                        desk.no_room if room is None else room,
                        desk.tree,
                        terms.statement.sheets(rows),
                        terms.limit,
                        _NO_SWEEPING if sweeping is None else sweeping,
                        np.empty((0, 2), np.uint64) if words is None else words,
                        np.empty((0, 0)) if found is None else found,
                    )
                )
        except IndexError as error:
            raise StatementError(outside_sentence(terms)) from error

    def write(self, row: Ints) -> int:
        """A build into the tables of this thread; gives the words of a key."""
        width = self._work(at.TELL, row[None], words=np.empty((1, 2), np.uint64))
        if width == 0:
            raise self.error()
        return width

    def explored(self, row: Ints, *, free: bool = False) -> Explored:
        """The states of a build's fight; raises TooLargeError. The last ones are kept until solved."""
        desks = self._desks
        asked = (row.tobytes(), free)
        if desks.last[0] != asked:
            # Whether a fight can be held is asked before it is solved: kept, it is explored once.
            desks.last = asked, self._explore(row, free)
        if desks.last[1] is None:
            raise TooLargeError
        return desks.last[1]

    def _explore(self, row: Ints, free: bool) -> Explored | None:
        desk, nodes, more = self.desk, min(FIRST_ROOM, self.most_nodes), 1
        words = self.write(row)
        while True:
            options = min(MOST_OPTIONS, nodes * more * (_OPTIONS_A_NODE if free else 1))
            room = at.make_room(nodes, options, words, self._codes)
            if self._work(at.FREE if free else at.EXPLORE, row[None], room=room):
                return self._taken(room, words)
            if desk.words.trouble[0] != at.FULL:
                raise self.error()
            if room.used[at.NODES] < nodes and options < MOST_OPTIONS:
                more *= 2
            elif nodes < self.most_nodes:
                nodes = min(4 * nodes, self.most_nodes)
            else:
                return None

    def _taken(self, room: at.Room, words: int) -> Explored:
        desk, terms = self.desk.words, self.terms
        nodes, options, outcomes, ends, starts = (int(each) for each in room.used)
        word = np.repeat(np.arange(words), np.diff(desk.word[: words + 1]))
        codes = np.unravel_index(room.ends[:ends], [1 + top for top in terms.most])
        graph = Graph(
            np.empty(nodes, np.int64),
            room.first[: nodes + 1].copy(),
            room.begin[: options + 1].copy(),
            room.chance[:outcomes].copy(),
            room.target[:outcomes].copy(),
            room.gain[:options].copy(),
            room.standing[:nodes].copy(),
            room.what[:options].copy(),
            ends,
        )
        explored = Explored(
            graph,
            room.starts[:starts].copy(),
            room.start_chances[:starts].copy(),
            float(room.gain[-1]),
            np.stack(codes, axis=1).astype(np.float64),
            room.keys[: nodes * words].reshape(nodes, words).copy(),
            (word, desk.shift.copy(), desk.mask.copy()),
        )
        degree = np.empty(nodes, np.int32)
        if arrange(nodes, graph.first, graph.begin, graph.target, degree, graph.order) < nodes:
            node = _on_a_cycle(graph, degree)
            raise StatementError(cycle_sentence(terms, self.desk.state, explored.states(node)[0]))
        return explored

    def error(self) -> StatementError:
        """What this thread's kernel met, as a sentence."""
        return StatementError(trouble_sentence(self.terms, self.desk.state, self.desk.words))


class _Desk:
    """What one thread works on: the state, tables of its own, dice."""

    def __init__(self, terms: Terms) -> None:
        statement, tables = terms.statement, terms.tables
        self.state = State(statement, terms.actors, terms.kinds)
        fields = len(self.state.flat)
        blank = np.concatenate(
            [np.zeros(0, np.int64), *(_words(getattr(tables, name)) for name in statement.own)]
        )
        own = blank.copy()
        changed: dict[str, Any] = dict(self.state.counts)
        begin = 0
        for name in statement.own:
            table = getattr(tables, name)
            changed[name] = _view(own[begin : begin + table.size * table.itemsize // 8], table)
            begin += table.size * table.itemsize // 8
        for name in statement.scratch:
            changed[name] = getattr(tables, name).copy()
        self.g = tables._replace(**changed)
        self.tree = make_tree()
        self.no_room = at.make_room(1, 1, 1, 1)
        self.words = at.Desk(
            flat=self.state.flat,
            t=self.state.t,
            c=self.state.c,
            own=own,
            blank=blank,
            most=np.zeros(fields, np.int64),
            mask=np.zeros(fields, np.uint64),
            shift=np.zeros(fields, np.uint64),
            word=np.zeros(MOST_WORDS + 1, np.int64),
            here=np.zeros(fields, np.int64),
            key=np.zeros(MOST_WORDS, np.uint64),
            out=np.zeros(len(terms.most), np.int64),
            tops=np.array(terms.most, np.int64),
            listed=np.zeros(terms.options, np.int64),
            trouble=np.zeros(5, np.int64),
        )


class _Desks(threading.local):
    """A desk for each thread, and what it explored last."""

    def __init__(self) -> None:
        self.desk: _Desk | None = None
        self.last = _NOTHING


def _words(table: NDArray[Any]) -> Ints:
    return np.ascontiguousarray(table).view(np.ndarray).reshape(-1).view(np.int64)


def _view(words: Ints, table: NDArray[Any]) -> Any:
    seen = words.view(table.dtype).reshape(table.shape)
    return seen.view(np.recarray) if table.dtype.names else seen


def empty_counts(terms: Terms, dice: Sampler) -> Counted:
    """Before any fight; triggers are counted by the dice."""
    return Counted(
        np.zeros((len(terms.most), max(terms.most) + 1), np.int64),
        np.zeros(terms.limit + 1, np.int64),
        np.zeros(2),
        dice.fired[1],
    )


def stream_of(content: bytes, seed: int) -> np.uint64:
    """What the streams of a build's fights begin from."""
    digest = content_digest(str(seed).encode(), content)
    return np.uint64(int.from_bytes(digest[:8], "little"))


def _shared_digest(terms: Terms) -> bytes:
    """Of all that decides a fight and is the same for all builds."""
    statement = terms.statement
    left_out = {*statement.own, *statement.scratch, *statement.counts}
    tables = [table for name, table in terms.tables._asdict().items() if name not in left_out]
    return content_digest(str((terms.actors, terms.limit)).encode(), *_parts([*tables, terms.source]))


def _parts(tables: Iterable[Any]) -> Iterator[bytes]:
    for table in tables:
        if isinstance(table, np.ndarray):
            yield _words(table).tobytes()
        elif isinstance(table, tuple):
            yield from _parts(table)
        else:
            yield repr(table).encode()


def _on_a_cycle(graph: Graph, degree: NDArray[np.int32]) -> Ints:
    """A node that leads back to itself within a round: whatever waits, waits for another that does."""
    options = np.repeat(np.arange(graph.nodes), np.diff(graph.first))
    source = np.repeat(options, np.diff(graph.begin))
    target = graph.target.astype(np.int64)
    waits = (target >= 0) & (target & 3 == 0)
    waits &= (degree[source] > 0) & (degree[np.where(waits, target >> 2, 0)] > 0)
    before = dict(zip((target[waits] >> 2).tolist(), source[waits].tolist(), strict=True))
    node = next(iter(before))
    for _ in range(len(before)):
        node = before[node]
    return np.array([node])

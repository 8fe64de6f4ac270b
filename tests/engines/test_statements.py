"""What is derived from a statement, against every sequence of dice of made-up games."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import numba
import numpy as np
import pytest
from brute_force import BruteForce
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_games import DECK, PIT, RAGE, deck, pit

from buildsearch.engines import graphs, kernels
from buildsearch.engines.derived import kernels_of
from buildsearch.engines.dice import chance
from buildsearch.engines.plain import plain
from buildsearch.engines.policies import COLUMNS, TIE, best_order
from buildsearch.engines.stated import StatedFight, TooLargeError
from buildsearch.engines.statement import ANY, StatementError, rule
from buildsearch.engines.told import play_plainly

slow_without_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
WORTH = np.array([1.0, 0.5, 0.0, 0.0])
ROWS = st.tuples(st.integers(1, 3), st.integers(0, 1), st.integers(0, 3))
TERMS = [
    pytest.param(pit, (2, 1, 1), id="pit"),
    pytest.param(deck, (0,), id="deck"),
]


def row_of(numbers):
    return np.array(numbers, np.int64)


def close(found, expected):
    assert list(map(float, found)) == pytest.approx(list(map(float, expected)), abs=1e-13)


def check_solved(terms, row):
    fight, expected = StatedFight(terms), BruteForce(terms, row).whole()
    found = fight.solve(row_of(row))
    close([*found.means, found.rounds, found.gain], expected)
    close(fight.solve_many(np.array([row, row]))[1], expected)
    assert found.chances.sum() == pytest.approx(1, abs=1e-14)
    assert found.ticks.sum() == pytest.approx(1, abs=1e-14)
    return found


def check_best(terms, row):
    expected = BruteForce(terms, row, worth=np.array(list(map(Fraction, WORTH)))).whole()
    found = StatedFight(terms, tie=1e-12).best(row_of(row), WORTH)
    close([*found.means, found.rounds, found.gain], expected)


@settings(max_examples=15, deadline=None)
@given(ROWS, ROWS, st.integers(1, 4))
def test_a_pit_is_the_sum_over_all_dice(row, enemy, limit):
    terms = pit(limit, (*enemy[:2], min(enemy[2], 2)))
    found = check_solved(terms, row)
    # The clock ticks once a round here.
    assert found.ticks @ np.arange(limit + 1) == pytest.approx(found.rounds, abs=1e-13)
    check_best(terms, row)


@settings(max_examples=10, deadline=None)
@given(st.tuples(*[st.integers(0, 2)] * 3), st.integers(1, 5), st.integers(1, 5))
def test_a_deck_is_the_sum_over_all_dice(size, goal, limit):
    check_solved(deck(limit, size, goal), (0,))
    check_best(deck(limit, size, goal), (0,))


@pytest.mark.parametrize(("make", "row"), TERMS)
def test_plain_and_compiled_fight_alike(make, row):
    """The same source, the same stream, the same fight."""
    fight, heard = StatedFight(make()), []
    for number in range(40):
        compiled = fight.sample(row_of(row), 7, number, 1)
        plainly = play_plainly(fight, row_of(row), 7, number, Heard(heard))
        for one, other in zip(compiled, plainly, strict=True):
            assert (one == other).all()
    assert heard or make is deck


class Heard:
    def __init__(self, into):
        self.into = into

    def opens(self, t, c, g):
        self.c = c

    def hears(self, kind, a, b, c):
        assert self.c[a].hp == b
        self.into.append(kind)


@slow_without_jit
@pytest.mark.parametrize(("make", "row"), TERMS)
def test_samples_agree_with_what_is_solved(make, row):
    fight, fights = StatedFight(make()), 200_000
    solved, counted = fight.solve(row_of(row)), fight.sample(row_of(row), 3, 0, fights)
    values = np.arange(counted.counts.shape[1])
    for mean, counts in zip(solved.means, counted.counts, strict=True):
        sampled = counts @ values / fights
        deviation = math.sqrt(max(counts @ values**2 / fights - sampled**2, 0))
        assert abs(sampled - mean) <= 4.5 * deviation / math.sqrt(fights) + 1e-12
    rounds = counted.rounds @ np.arange(len(counted.rounds)) / fights
    assert rounds == pytest.approx(solved.rounds, abs=0.02)
    assert counted.gains[0] / fights == pytest.approx(solved.gain, abs=0.01)
    assert 0 < counted.fired[0] < fights or make is deck


def test_what_may_be_more_than_once_in_a_fight_is_counted():
    """Cards are played a few times a fight; each fight fires at most once by what ended it."""
    fights = 300
    fired = StatedFight(deck()).sample(row_of((0,)), 3, 0, fights).fired
    assert fired[:-1].sum() <= fights < fired[-1]


def test_a_fight_is_a_matter_of_seed_build_and_number():
    fight = StatedFight(pit())
    whole = fight.sample(row_of((3, 1, 1)), 5, 0, 90)
    parts = [fight.sample(row_of((3, 1, 1)), 5, first, number) for first, number in ((0, 20), (20, 70))]
    assert (whole.counts == parts[0].counts + parts[1].counts).all()
    assert (whole.counts != fight.sample(row_of((3, 1, 1)), 6, 0, 90).counts).any()
    assert fight.content(row_of((3, 1, 2))) == fight.content(row_of((3, 1, 3)))
    assert fight.content(row_of((3, 1, 2))) != fight.content(row_of((3, 1, 1)))
    assert fight.content(row_of((3, 1, 2))) != StatedFight(pit(limit=4)).content(row_of((3, 1, 2)))


def test_builds_that_a_fight_cannot_tell_apart():
    words = StatedFight(pit()).tell_apart(np.array([[2, 1, 2], [2, 1, 3], [2, 1, 1], [2, 0, 2]]))
    assert (words[0] == words[1]).all()
    assert len(np.unique(words, axis=0)) == 3


@pytest.mark.parametrize("shared", [True, False])
def test_threads_have_a_desk_each(shared):
    rows = np.array([(hp, rage, blow) for hp in (1, 2, 3, 4) for rage in (0, 1) for blow in (0, 1, 2)] * 4)
    one = StatedFight(pit(limit=6))
    expected = one.solve_many(rows)
    fights = [one if shared else StatedFight(pit(limit=6)) for _ in range(8)]

    def work(fight):
        solved = np.array([fight.solve(row).means for row in rows[:24]])
        return fight.solve_many(rows), solved, fight.sample(rows[3], 1, 0, 200).counts

    with ThreadPoolExecutor(8) as pool:
        for many, solved, counts in pool.map(work, fights):
            assert (many == expected).all()
            assert (np.abs(solved - expected[:24, :4]) < 1e-14).all()
            assert (counts == one.sample(rows[3], 1, 0, 200).counts).all()


def test_equal_states_are_one():
    """With `same` and ANY there are fewer states, and the same results."""

    @rule
    def all_matters(t, c, g):
        t.steps, t.idle = 20, 6
        c[0].points, c[0].played = g.goal, 20
        for k in range(len(g.size)):
            g.hand[0, k] = 2
            g.pile[0, k] = g.size[k]

    @rule
    def as_it_is(t, c, g, code):
        return code

    whole = replace(DECK, name="whole_deck", ranges=all_matters, same=as_it_is)
    few, many = (StatedFight(deck(6, (3, 2, 1), 5, statement)) for statement in (DECK, whole))
    close(few.solve(row_of((0,))).means, many.solve(row_of((0,))).means)
    nodes = [fight.explored(row_of((0,))).graph.nodes for fight in (few, many)]
    assert nodes[0] < nodes[1]


def test_keys_are_as_wide_as_the_state():
    """Nine kinds in hand and pile do not fit into one word, and the results are those of three."""
    narrow, wide = StatedFight(deck(4, (2, 2, 1), 4)), StatedFight(deck(4, (2, 2, 1, *[0] * 30), 4))
    assert (narrow.write(row_of((0,))), wide.write(row_of((0,)))) == (1, 2)
    close(narrow.solve(row_of((0,))).means, wide.solve(row_of((0,))).means)


def test_too_many_states_are_refused():
    fight = StatedFight(deck(), most_nodes=1)
    with pytest.raises(TooLargeError):
        fight.solve(row_of((0,)))


def test_what_is_chosen_can_be_read():
    fight = StatedFight(pit(limit=4))
    played = fight.best(row_of((2, 1, 1)), WORTH)
    explored, visits = played.explored, fight.follow(played).visits
    states = explored.states(np.arange(explored.graph.nodes))
    names = fight.desk.state.names
    assert names == ["side", *(f"{name} of actor {i}" for i in (0, 1) for name in PIT.actor)]
    # Whoever has rage left uses it up where it is used, and never has more than at the start.
    assert states[:, names.index("rage of actor 0")].max() == 1
    taken = explored.graph.what[played.best.choice[(visits > 0) & (states[:, 0] == 0)]]
    assert RAGE in taken


# What is wrong, in sentences ----------------------------------------------------------------------


@rule
def wild(t, c, g, action, dice):
    c[0].hp += 1
    return NEXT if c[0].hp % 2 else ROUND


@rule
def below_zero(t, c, g, action, dice):
    c[1].rage -= 1
    return ROUND


@rule
def never_done(t, c, g, action, dice):
    t.side = 1 - t.side
    return NEXT


@rule
def rolls_a_lot(t, c, g, action, dice):
    for _ in range(65):
        c[1].hp = 1 if chance(dice, 0.5) else 0
    return ROUND


@rule
def odd_code(t, c, g, action, dice):
    return 7


@rule
def over(t, c, g, action, dice):
    return END


@rule
def many_wins(t, c, g, out):
    out[0] = 3
    out[1] = 0
    out[2] = 0
    out[3] = 0


@rule
def endless_field(t, c, g):
    t.side = np.int64(0x7FFFFFFFFFFFFFFF)


@rule
def odd_range(t, c, g):
    t.side = -2


NEXT, ROUND, END = graphs.NEXT, graphs.ROUND, graphs.END
WRONG = {
    "out_of_range": (
        {"act": wild},
        r"`act` \(action 0\) makes `hp of actor 0` 3, and it goes from 0 to 2",
    ),
    "negative": ({"act": below_zero}, r"makes `rage of actor 1` -1, and it goes from 0 to 0"),
    "cycle": (
        {"act": never_done},
        r"a cycle within a round: `act` leads from .*hp of actor 0 2.* back to it",
    ),
    "rolls": ({"act": rolls_a_lot}, r"`act` \(action 0\) rolls more than 64 times. Cut it"),
    "code": ({"act": odd_code}, r"`act` \(action 0\) gives 7, which is none of NEXT, ROUND, TICK and END"),
    "metric": (
        {"act": over, "measure": many_wins},
        r"`win` is measured as 3, and it goes from 0 to 1",
    ),
    "endless": ({"ranges": endless_field}, r"of `side`: a field has at most 62 bits"),
    "odd": ({"ranges": odd_range}, r"`ranges` says -2 of `side`, and a range is a number from 0 up, or ANY"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(name):
    changes, said = WRONG[name]
    fight = StatedFight(pit(statement=replace(PIT, name=name, **changes)))
    with pytest.raises(StatementError, match=said):
        fight.solve(row_of((2, 0, 0)))
    with pytest.raises(StatementError, match=said):
        fight.best(row_of((2, 0, 0)), WORTH)
    if name in ("cycle", "metric"):  # one that is found on the way, and one afterwards
        with pytest.raises(StatementError, match=said):
            fight.solve_many(np.array([(2, 0, 0)]))


def test_states_that_are_too_wide():
    @rule
    def wide(t, c, g):
        for k in range(g.hand.shape[1]):
            g.hand[0, k] = np.int64(1) << 60

    fight = StatedFight(deck(size=(1,) * 70, statement=replace(DECK, name="wide_deck", ranges=wide)))
    with pytest.raises(
        StatementError, match=r"too wide: the fields up to `hand of actor 0, kind 64` take more"
    ):
        fight.solve(row_of((0,)))


def test_a_round_that_never_ends_is_said(monkeypatch):
    fight = StatedFight(pit(statement=replace(PIT, name="never", act=never_done)))
    if numba.config.DISABLE_JIT:
        monkeypatch.setattr(fight.kernels, "MOST_STEPS", 50)
    with pytest.raises(StatementError, match=r"a round never ends: `act` was asked 100,000 times"):
        fight.sample(row_of((2, 0, 0)), 1, 0, 1)


@rule
def lists_too_many(t, c, g, out):
    for i in range(10_000_000):
        out[i] = 0
    return 1


@rule
def says_too_many(t, c, g, out):
    out[0] = 0
    return 5_000


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (lists_too_many, r"too_many: `options` lists more than 1024 actions \(`Terms.options`\)"),
        (says_too_many, r"too_many: `options` gives 5000, and it may list up to 1024 actions"),
    ],
)
def test_more_options_than_there_is_room_for(options, said):
    """Compiled code that wrote them overran memory and said nothing."""
    fight = StatedFight(pit(statement=replace(PIT, name="too_many", options=options)))
    with pytest.raises(StatementError, match=said):
        fight.best(row_of((2, 0, 0)), WORTH)
    assert fight.solve(row_of((2, 0, 0))).rounds >= 1  # nobody chooses there


def test_metrics_of_samples_are_checked():
    fight = StatedFight(pit(statement=replace(PIT, name="metric", act=over, measure=many_wins)))
    with pytest.raises(StatementError, match="`win` is measured as 3"):
        fight.sample(row_of((2, 0, 0)), 1, 0, 1)
    with pytest.raises(StatementError, match="different things"):
        StatedFight(replace(pit(), most=(1 << 8, 1 << 8, 1 << 8, 9)))


def test_compiled_code_is_named_by_what_it_is_made_of():
    assert kernels_of(PIT) is kernels_of(PIT)
    assert PIT.digest == replace(PIT, name="other").digest
    made = [replace(PIT, ranges=_of(number)).digest for number in (1, 2, 1)]
    assert made[0] == made[2] != made[1]
    assert len({PIT.digest, DECK.digest, *made}) == 4
    folders = {kernels_of(each).MADE_OF for each in (PIT, DECK)}
    assert {name for name, _ in folders} == {"pit", "deck"}
    assert not hasattr(kernels, "MADE_OF")


def _of(number):
    @rule
    def ranges(t, c, g):
        t.side = number
        c[0].hp = ANY

    return ranges


def _best_by_trying(gains, cost, left, budget):
    """Every order, one after another: the first of the best, ties to the first tried."""
    best, most = -1, 0.0
    waiting = [(k,) for k in reversed(range(len(cost)))]
    while waiting:
        order = waiting.pop()
        if any(order.count(k) > left[k] for k in order) or sum(cost[k] for k in order) > budget:
            continue
        worth = sum(
            gains[k] / (1 + place) + (k == 1) * order[:place].count(0) for place, k in enumerate(order)
        )
        if worth > most + TIE:
            best, most = order[0], worth
        waiting += [(*order, k) for k in reversed(range(len(cost)))]
    return best, most


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-1, 3), min_size=3, max_size=3),
    st.lists(st.integers(1, 3), min_size=3, max_size=3),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
    st.integers(0, 4),
)
def test_the_best_order_is_the_best_of_all(gains, cost, left, budget):
    """A second thing is worth more after a first, and everything less the later it comes."""
    rows = np.zeros((8, 2))

    def expect(c, g, me, it, kind, depth, rest):
        assert cost[kind] <= rest <= budget
        rows[depth + 1] = rows[depth]
        rows[depth + 1, 0] += gains[kind] / (1 + depth) + (kind == 1) * rows[depth, 1]
        rows[depth + 1, 1] += kind == 0
        return rows[depth + 1, 0]

    had = np.array(left)
    walk = np.zeros((8, COLUMNS), np.int64)
    found = plain(best_order)(expect, None, None, 0, 1, np.array(cost), had, budget, walk, 0.0)
    assert had.tolist() == left
    assert found == pytest.approx(_best_by_trying(gains, cost, left, budget))

"""One build followed through its fights: limits as a chain, the axis beside it, survival."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.chain import MOST_STATES, Chain, joint_chain
from buildsearch.systems.vitality.exact.batch.lumping import lumped
from buildsearch.systems.vitality.exact.forward import Entries, Fight, Plan, States, room_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.turns import Turns
from buildsearch.systems.vitality.exact.solution import Solution
from buildsearch.systems.vitality.exact.transitions import SPECIAL
from buildsearch.systems.vitality.mechanics.limits import state_allows

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_KINDS = 2
_ALWAYS = 0b1111
# All of a setup that its chain depends on.
_READ = (
    *("unmet_waits", "uses", "cooldown", "charge", "hp_cost", "passive", "last_hit", "last_damage"),
    *("last_defeat", "condition", "failed_attack"),
)
_chains = LruCache[tuple[object, ...], Chain](4_096)


def limit_chain_of(ground: ExactGround) -> Chain:
    """A build's limits as a chain; `event` of a step is a set of `UNUSABLE`, `USABLE`, `NOBODY`, as bits."""
    setup, bleeds = ground.setup, bool(ground.setup["bleed_ticks"])
    key = (*(int(setup[name]) for name in _READ), int(setup["levels"]), ground.activation, bleeds)
    return _chains.get(key, lambda: _limit_chain_of(ground, bleeds=bleeds))


def _limit_chain_of(ground: ExactGround, *, bleeds: bool) -> Chain:
    chain = joint_chain(ground.setup, int(ground.setup["levels"]), ground.activation)
    # States that act alike may cost something else.
    if 1 < chain.states <= MOST_STATES and not ground.setup["hp_cost"]:
        return lumped(chain, bleeds=bleeds, several=True, waves=True)
    chain.steps["event"] = 1 << chain.steps["event"]
    return chain


def levels_of(chain: Chain) -> int:
    """How many levels of channelling an attack gets to."""
    return max(int(chain.steps["action"].max()) - SPECIAL + 1, 1)


def asks_hp(ground: ExactGround) -> bool:
    """Whether what is done depends on the attacker's HP or on what the enemies did."""
    asks_enemies = int(ground.setup["since_mask"]) != _ALWAYS or bool(ground.setup["defeat_is_loss"])
    return asks_enemies or not allowed_hp(ground.setup).all()


def allowed_hp(setup: np.void) -> NDArray[np.bool_]:
    """By HP of the attacker whether limits allow the attack: a range of them."""
    # So few numbers that numba would take longer to compile it.
    allows = getattr(state_allows, "py_func", state_allows)
    full, *limits = (int(setup[name]) for name in ("attacker_hp", "hp_at_most", "hp_full", "hp_cost"))
    return np.array([allows(-1, hp, full, *limits) for hp in range(full + 1)], np.bool_)


@dataclass(frozen=True, eq=False)
class CountedSurvival:
    """`shifts`: by living whether its blow is counted. `table[a, b]`: the chance to survive so many.

    Blows follow every turn but the last, so of t turns t - 1 do, and those that are not counted are
    of the second.
    """

    shifts: Ints
    table: Floats

    def of(self, ends: Floats, last: Floats) -> float:
        """The chance to survive, from the chances of fights by turns and blows of the first kind."""
        total = 0.0
        for turn in range(1, len(ends)):
            counts = np.flatnonzero(ends[turn])
            total += float(ends[turn, counts] @ self.table[counts, np.maximum(turn - 1 - counts, 0)])
        counts = np.arange(len(last))
        return total + float(last @ self.table[counts, len(ends) - 1 - counts])


def counted_survival(
    ground: ExactGround, who: list[list[int]], hp: int, max_turns: int
) -> CountedSurvival | None:
    """None where blows are not of one kind and then of another for good: then HP must be followed."""
    if int(ground.setup["waves"]) > 1:
        return None
    kinds: list[Floats] = []
    shifts = np.zeros(len(who), np.int64)
    for i, living in enumerate(who):
        if not living:
            continue  # before the first turn
        blow = ground.losses(living)
        which = next((k for k, known in enumerate(kinds) if np.array_equal(known, blow)), len(kinds))
        if which == len(kinds):
            kinds.append(blow)
        shifts[i] = which
    sizes = np.array([len(living) for living in who])
    some = sizes > 0
    first = shifts == shifts[np.argmax(sizes)]
    # Once fewer live, blows must be of the second kind for good.
    is_mixed = (some & ~first).any() and sizes[some & first].min() <= sizes[some & ~first].max()
    if len(kinds) > _KINDS or is_mixed:
        return None
    return CountedSurvival(shifts, _surviving(tuple(each.tobytes() for each in kinds), hp, max_turns))


@lru_cache(maxsize=64)
def _surviving(given: tuple[bytes, ...], hp: int, max_turns: int) -> Floats:
    """By blows of the second kind counted and the others the chance that fewer than all HP are lost."""
    kinds = [np.frombuffer(each) for each in given]
    second = kinds[1] if len(kinds) == _KINDS else np.eye(1, hp + 1)[0]
    after_second = _sums(second, hp, max_turns)
    after_first = _sums(kinds[0], hp, max_turns) if kinds else _sums(second, hp, max_turns)
    # Fewer than hp in all: of the one at most what the other leaves.
    return np.asarray(after_second @ np.cumsum(after_first, axis=1)[:, ::-1].T)


def _sums(one: Floats, hp: int, most: int) -> Floats:
    """By number of blows the chance that they take so much together, as far as it is less than all HP."""
    found = np.zeros((most + 1, hp))
    found[0, 0] = 1.0
    for number in range(most):
        found[number + 1] = np.convolve(found[number], one[:hp])[:hp]
    return found


@dataclass(frozen=True, eq=False)
class Course:
    """Fields and where rolls lead; by field the number of its living, and who they are.

    `rest`: where doing nothing leads. The last field is the beginning, where enemies are just coming. In
    `idle` fields nobody is left to act against. `chain` is what `turns` are built from.
    """

    chain: Chain
    turns: Turns
    rest: Ints
    living: Ints
    who: list[list[int]]
    idle: NDArray[np.bool_]
    entries: Entries


def follow(ground: ExactGround, course: Course, *, survival: bool = True) -> Solution:
    """Go forward in time; without `survival` the attacker's HP are followed only where limits ask."""
    setup, numbers, who = ground.setup, course.living, course.who
    hp, max_turns = int(setup["attacker_hp"]), int(setup["max_turns"])
    allowed, asks = allowed_hp(setup), asks_hp(ground)
    counted = counted_survival(ground, who, hp, max_turns) if survival and not asks else None
    shifts, wide = np.zeros(0, np.int64), np.ones(len(numbers), bool)
    if counted is not None:
        # As long as blows are of one kind their number is known; the axis is for what met another.
        shifts, size, start = counted.shifts, max_turns + 1, 0
        wide = (shifts != shifts[numbers[course.rest[-1]]])[numbers]
    elif survival or asks:
        # Of HP that nobody tells apart the lowest are one.
        alike = np.flatnonzero(allowed != allowed[0])
        floor = int(alike[0]) - 1 if len(alike) else hp
        if survival or setup["defeat_is_loss"]:
            floor = 0
        allowed, size, start = allowed[floor:], hp - floor + 1, hp - floor
    else:
        shifts, wide, size, start = np.zeros(len(who), np.int64), ~wide, 1, 0
    states = States(
        rest=course.rest,
        living=numbers,
        idle=course.idle,
        blows=np.array([accepted_blows(ground, living) for living in who]),
        shifts=shifts,
        places=np.concatenate([[0], np.cumsum(np.where(wide, room_of(size), 1))[:-1]]).astype(np.int64),
        wide=wide,
    )
    plan = plan_of(ground, course.chain, course.turns, allowed if len(shifts) == 0 else np.ones(size, bool))
    fight = Fight(states, plan, course.entries, size, start)
    fight.begin(len(numbers) - 1)
    ends, last = np.zeros((max_turns + 1, size)), np.zeros(size)
    turn = fight.run(1, max_turns, ends)
    if turn < max_turns:
        ends[turn, start] += fight.remaining
        fight.cut += fight.remaining
    else:
        last = fight.left(max_turns)
    lengths, lost, timeouts = ends.sum(axis=1), float(fight.lost.sum()), float(last.sum())
    if setup["defeat_is_loss"]:
        lost, timeouts = lost + float(last[0]), timeouts - float(last[0])
    lengths[-1] += timeouts + lost
    survived = None
    if survival:
        survived = float(ends[:, 1:].sum() + last[1:].sum()) if counted is None else counted.of(ends, last)
    return Solution(ends=lengths, timeouts=timeouts, lost=lost, cut=fight.cut, survival=survived)


def accepted_blows(ground: ExactGround, living: list[int]) -> Floats:
    """The chance of each loss of HP, by whether limits accept what these enemies did."""
    blows = ground.blows(living, int(ground.setup["since_mask"]))
    return np.asarray(blows[:2] + blows[2:])


def plan_of(ground: ExactGround, chain: Chain, turns: Turns, allowed: NDArray[np.bool_]) -> Plan:
    """The plan of turns that are built from this chain; `allowed`: by place of the axis, a range of them."""
    setup, usable = ground.setup, np.flatnonzero(allowed)
    events, rows = turns.steps[:, 1], turns.steps[:, 2]
    return Plan(
        gates=turns.gates,
        rolls=turns.rolls,
        next_rows=turns.next_rows,
        step_starts=np.searchsorted(turns.steps[:, 0], np.arange(turns.gates + 1)).astype(np.int64),
        steps=np.stack([events, rows, chain.steps["attempts"] * setup["hp_cost"]], axis=1),
        step_chances=turns.chances,
        first_gate=int(chain.entered[0]),
        first_turn=int(setup["first_turn"]),
        last_turn=int(setup["last_turn"]),
        usable_from=int(usable[0]) if len(usable) else 0,
        usable_to=int(usable[-1]) + 1 if len(usable) else 0,
        is_lost=bool(setup["defeat_is_loss"]),
    )

"""Every state that a fight can come to, with what greedy play does there, or all that the build could do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.animon.exact.merging import merge
from buildsearch.systems.animon.mechanics.greedy import buys_die, choose, evolves_to, may_evolve, most_uses
from buildsearch.systems.animon.mechanics.hits import (
    attack_dice,
    attack_net,
    dodge_net,
    dodger_of,
    effects_of,
    pay,
    strike,
    targets_of,
    transfer,
)
from buildsearch.systems.animon.mechanics.initiative import mean_gauge, order_chance, standing
from buildsearch.systems.animon.mechanics.layout import (
    A_CHOICES,
    ATTACKS,
    BOND_DICE,
    DEFEND,
    DEFENDING,
    EVOLVING_ACTS,
    EVOLVING_COST,
    EXTRA_DIE,
    EXTRA_USE,
    F_DODGE,
    INCAPACITATED,
    IS_PC,
    NIBBLE,
    NOTHING,
    PASS,
    PLACE,
    POWER_TRANSFER,
    SIDE,
    SIDES,
    SLOTS,
    STRIKE,
    TOP,
    TRANSFER,
    UNITS,
    WAVE,
    WAVES,
    Floats,
    Ints,
    Words,
)
from buildsearch.systems.animon.mechanics.luck import FATE, GAUGE, LIKELY, TESTS
from buildsearch.systems.animon.mechanics.plans import attack_at, form_at, margin_row, unit_at
from buildsearch.systems.animon.mechanics.slots import (
    ACTS,
    MISSES,
    begin,
    between,
    enter,
    evolve,
    finish,
    is_beaten,
    mark_acted,
)
from buildsearch.systems.animon.mechanics.words import bond_of, form_of, hp_of, turn_off, turn_on

TOO_MANY = -1
LEVELS = 16
_ROOM = 16
# Columns of an option: the stage to evolve to or -1, then what `choose` gives, and whether a die is bought.
EVOLVE, KIND_OF, ATTACK, CHOICE, TARGET, USES, BOUGHT, DIE, OPTION = range(9)


class Room(NamedTuple):
    """Where a graph grows, and what it needs by the way."""

    keys: Ints  # (nodes, words)
    table: NDArray[np.int32]
    levels: Ints
    standing: Ints
    first: Ints
    begin: Ints
    chance: Floats
    target: NDArray[np.int32]
    gain: Floats
    what: Ints
    starts: Ints
    start_chances: Floats
    # nodes, options, outcomes, starts
    used: Ints


class Desk(NamedTuple):
    """Scratch."""

    now: Ints
    paid: Ints
    next: Ints
    later: Ints
    order: Ints
    plain: Floats
    tally: Floats
    luck: Words
    listed: Ints


@njit(nogil=True)
def _hash(words: Ints) -> np.uint64:
    found = np.uint64(0x243F6A8885A308D3)
    for word in words:
        found = (found ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


@njit(nogil=True)
def _visit(room: Room, words: Ints) -> int:
    """The node of a state, a new one where it was not seen; TOO_MANY if there is no room."""
    mask = np.uint64(len(room.table) - 1)
    slot = _hash(words) & mask
    while room.table[slot] >= 0:
        node = room.table[slot]
        same = True
        for i in range(len(words)):
            if room.keys[node, i] != words[i]:
                same = False
                break
        if same:
            return node
        slot = (slot + np.uint64(1)) & mask
    node = room.used[0]
    if node >= len(room.keys):
        return TOO_MANY
    room.used[0] = node + 1
    room.table[slot] = node
    room.keys[node] = words
    places = words[len(words) - 1]
    room.levels[node] = LEVELS - 1 - (((places >> SLOTS) & NIBBLE) - ((places >> PLACE) & NIBBLE))
    room.standing[node] = hp_of(words, 0)
    return node


@njit(nogil=True)
def _emit(room: Room, likely: float, target: int) -> bool:
    """An outcome of the option under way."""
    number = room.used[2]
    if number >= len(room.chance):
        return False
    room.chance[number] = likely
    room.target[number] = target
    room.used[2] = number + 1
    return True


@njit(nogil=True)
def _next_order(order: Ints, number: int) -> bool:
    """The next permutation in lexicographic order."""
    i = number - 2
    while i >= 0 and order[i] >= order[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = number - 1
    while order[j] <= order[i]:
        j -= 1
    order[i], order[j] = order[j], order[i]
    i += 1
    j = number - 1
    while i < j:
        order[i], order[j] = order[j], order[i]
        i += 1
        j -= 1
    return True


@njit(nogil=True)
def _open_wave(
    plan: Ints, odds: Floats, room: Room, desk: Desk, state: Ints, wave: int, likely: float, starts: bool
) -> bool:
    """All orders of a wave's slots; whether there was room. The gauge of initiative is added to the tally."""
    units = plan[UNITS]
    enter(plan, state, wave)
    desk.tally[GAUGE] += mean_gauge(plan, odds, state, wave)
    number = standing(plan, state, desk.order)
    while True:
        chance = order_chance(plan, odds, state, wave, desk.order, number)
        if chance > 0.0:
            packed = 0
            for i in range(number):
                packed |= desk.order[i] << (4 * i)
            desk.later[:] = state
            desk.later[units] = packed
            desk.later[units + 1] = (number << SLOTS) | (wave << WAVE)
            merge(plan, desk.later)
            node = _visit(room, desk.later)
            if node == TOO_MANY:
                return False
            if starts:
                place = room.used[3]
                if place >= len(room.starts):
                    return False
                room.starts[place] = node
                room.start_chances[place] = likely * chance
                room.used[3] = place + 1
            elif not _emit(room, likely * chance, 2 * node + 1):
                return False
        if not _next_order(desk.order, number):
            return True


@njit(nogil=True)
def _lead_on(plan: Ints, odds: Floats, room: Room, desk: Desk, state: Ints, likely: float) -> float:
    """Where a slot that is over leads to: an end, the next slot, or another wave. The gauge; -1: no room."""
    units = plan[UNITS]
    if is_beaten(plan, state, 0):
        return 0.0 if _emit(room, likely, -1) else -1.0
    if not is_beaten(plan, state, 1):
        places = state[units + 1]
        place = ((places >> PLACE) & NIBBLE) + 1
        crosses = 0
        if place == (places >> SLOTS) & NIBBLE:
            place, crosses = 0, 1
        state[units + 1] = (places & ~NIBBLE) | place
        crosses |= merge(plan, state)
        node = _visit(room, state)
        return 0.0 if node != TOO_MANY and _emit(room, likely, 2 * node + crosses) else -1.0
    wave = (state[units + 1] >> WAVE) & NIBBLE
    if wave + 1 == plan[WAVES]:
        return 0.0 if _emit(room, likely, -2 - hp_of(state, 0)) else -1.0
    # Breath may take heart tests; each outcome opens the wave anew.
    gauge, fate, tests = 0.0, 0, 1
    while fate < tests:
        desk.paid[:] = state
        desk.tally[:] = 0.0
        desk.tally[LIKELY], desk.tally[FATE] = 1.0, fate
        between(plan, odds, desk.paid, desk.luck, desk.tally, False)
        tests = 1 << int(desk.tally[TESTS])
        if desk.tally[LIKELY] > 0.0:
            chance = desk.tally[LIKELY]
            if not _open_wave(plan, odds, room, desk, desk.paid, wave + 1, likely * chance, False):
                return -1.0
            gauge += chance * desk.tally[GAUGE]
        fate += 1
    return gauge


@njit(nogil=True)
def _outcomes(
    plan: Ints,
    odds: Floats,
    room: Room,
    desk: Desk,
    unit: int,
    option: Ints,
    margin: int,
    missing: bool,
    likely: float,
) -> float:
    """Everything that a margin, or an action without a roll, leads to. The mean gauge; -1 without room."""
    gauge, fate, tests = 0.0, 0, 1
    while fate < tests:
        state = desk.next
        state[:] = desk.now
        desk.tally[:] = 0.0
        desk.tally[LIKELY], desk.tally[FATE] = 1.0, fate
        if not missing:
            _act(plan, odds, state, unit, option, margin, desk.luck, desk.tally)
        if missing or not (is_beaten(plan, state, 0) or is_beaten(plan, state, 1)):
            finish(plan, odds, state, unit, desk.luck, desk.tally, False)
        tests = 1 << int(desk.tally[TESTS])
        chance, mine = desk.tally[LIKELY], desk.tally[GAUGE]
        if chance > 0.0:
            more = _lead_on(plan, odds, room, desk, state, likely * chance)
            if more < 0.0:
                return -1.0
            gauge += chance * (mine + more)
        fate += 1
    return gauge


@njit(nogil=True)
def _act(
    plan: Ints, odds: Floats, state: Ints, unit: int, option: Ints, margin: int, luck: Words, tally: Floats
) -> None:
    """An action whose margin is known, from the begin of the slot."""
    begin(plan, state, unit)
    if option[EVOLVE] >= 0:
        evolve(plan, state, unit, option[EVOLVE])
    kind = option[KIND_OF]
    if kind == NOTHING:
        turn_off(state, unit, INCAPACITATED)
        return
    if kind == STRIKE:
        pay(plan, state, unit, option[ATTACK], option[USES], option[BOUGHT] == 1, option[DIE] == 1)
        if margin > 0:
            strike(
                plan,
                odds,
                state,
                unit,
                option[ATTACK],
                option[TARGET],
                option[USES],
                margin,
                luck,
                tally,
                False,
            )
    elif kind == TRANSFER:
        pay(plan, state, unit, option[ATTACK], 1, option[BOUGHT] == 1, False)
        transfer(plan, state, unit, option[ATTACK])
    elif kind == DEFEND:
        turn_on(state, unit, DEFENDING)
    mark_acted(plan, state, unit)


@njit(nogil=True)
def _expand(plan: Ints, odds: Floats, room: Room, desk: Desk, unit: int, option: Ints, missing: bool) -> bool:
    """One option of a node with all its outcomes; whether there was room."""
    number = room.used[1]
    if number >= len(room.gain):
        return False
    room.used[1] = number + 1
    room.begin[number] = room.used[2]
    room.what[number] = option
    gauge = 0.0
    if missing or option[KIND_OF] != STRIKE:
        gauge = _outcomes(plan, odds, room, desk, unit, option, 0, missing, 1.0)
        if gauge < 0.0:
            return False
    else:
        # The roll is made after evolving and before anything is paid.
        state = desk.paid
        state[:] = desk.now
        begin(plan, state, unit)
        if option[EVOLVE] >= 0:
            evolve(plan, state, unit, option[EVOLVE])
        attack, target = option[ATTACK], option[TARGET]
        targets = targets_of(plan, state, unit, effects_of(plan, unit, attack), target, option[USES])
        dodger = dodger_of(plan, state, target, targets)
        dice = attack_dice(plan, state, unit, attack) + option[DIE]
        dodge = form_at(plan, dodger, form_of(state, dodger), F_DODGE)
        row = margin_row(
            dice,
            attack_net(plan, state, unit, attack, option[CHOICE], dodger),
            dodge,
            dodge_net(plan, state, dodger),
        )
        if unit_at(plan, unit, IS_PC):
            gauge += dice / plan[SIDES]
        if unit_at(plan, dodger, IS_PC):
            gauge += dodge / plan[SIDES]
        for margin in range(dice + 1):
            if odds[row + margin] > 0.0:
                more = _outcomes(plan, odds, room, desk, unit, option, margin, False, odds[row + margin])
                if more < 0.0:
                    return False
                gauge += odds[row + margin] * more
    room.gain[number] = gauge
    room.begin[number + 1] = room.used[2]
    return True


@njit(nogil=True)
def _add(listed: Ints, number: int, values: tuple[int, int, int, int, int, int, int, int]) -> int:
    if number < len(listed):
        for i in range(OPTION):
            listed[number, i] = values[i]
    return number + 1


@njit(nogil=True)
def _list_actions(plan: Ints, state: Ints, unit: int, stage: int, listed: Ints, number: int) -> int:
    """All that the build could do: attacks in greedy's order, defend, attacks with a die bought, pass."""
    side = unit_at(plan, unit, SIDE)
    enemies = 0
    for other in range(plan[UNITS]):
        if unit_at(plan, other, SIDE) != side and hp_of(state, other):
            enemies += 1
    bond = bond_of(state, unit)
    for die in range(2):
        if die and (not plan[BOND_DICE] or bond < plan[EXTRA_DIE]):
            break
        for target in range(plan[UNITS]):
            if unit_at(plan, target, SIDE) != side and hp_of(state, target):
                number = _add(listed, number, (stage, STRIKE, 0, 0, target, 1, 0, die))
        for attack in range(1, unit_at(plan, unit, ATTACKS) + 1):
            most = most_uses(plan, state, unit, attack, enemies)
            bought = 1 if most == 0 else 0
            if most < 0 or (bought and bond < plan[EXTRA_USE] + die * plan[EXTRA_DIE]):
                continue
            if effects_of(plan, unit, attack) & POWER_TRANSFER:
                continue  # nobody to boost: no better than passing
            for choice in range(attack_at(plan, unit, attack - 1, A_CHOICES)):
                for target in range(plan[UNITS]):
                    if unit_at(plan, target, SIDE) == side or hp_of(state, target) == 0:
                        continue
                    for uses in range(1, max(1, most) + 1):
                        values = (stage, STRIKE, attack, choice, target, uses, bought, die)
                        number = _add(listed, number, values)
        if die == 0:
            number = _add(listed, number, (stage, DEFEND, 0, 0, 0, 1, 0, 0))
    return _add(listed, number, (stage, PASS, 0, 0, 0, 1, 0, 0))


@njit(nogil=True)
def _list_free(plan: Ints, room: Room, desk: Desk, unit: int, acts: bool) -> int:
    """Every option of the build in its slot; evolving last."""
    listed = desk.listed
    state = desk.paid
    state[:] = desk.now
    begin(plan, state, unit)
    number = 0
    if acts:
        number = _list_actions(plan, state, unit, -1, listed, number)
    else:
        number = _add(listed, number, (-1, NOTHING, 0, 0, 0, 1, 0, 0))
    if not may_evolve(plan, state, unit):
        return number
    form = form_of(state, unit)
    for stage in range(form + 1, unit_at(plan, unit, TOP) + 1):
        if stage == unit_at(plan, unit, TOP) and bond_of(state, unit) < plan[EVOLVING_COST]:
            continue
        if not acts:
            number = _add(listed, number, (stage, NOTHING, 0, 0, 0, 1, 0, 0))
        elif plan[EVOLVING_ACTS]:
            number = _add(listed, number, (stage, PASS, 0, 0, 0, 1, 0, 0))
        else:
            state[:] = desk.now
            begin(plan, state, unit)
            evolve(plan, state, unit, stage)
            number = _list_actions(plan, state, unit, stage, listed, number)
    return number


@njit(nogil=True)
def _list_greedy(plan: Ints, odds: Floats, desk: Desk, unit: int, acts: bool) -> None:
    """What greedy play does, as the first option."""
    state = desk.paid
    state[:] = desk.now
    begin(plan, state, unit)
    stage = evolves_to(plan, state, unit)
    if stage >= 0:
        evolve(plan, state, unit, stage)
    if not acts:
        _add(desk.listed, 0, (stage, NOTHING, 0, 0, 0, 1, 0, 0))
        return
    if stage >= 0 and plan[EVOLVING_ACTS]:
        _add(desk.listed, 0, (stage, PASS, 0, 0, 0, 1, 0, 0))
        return
    kind, attack, choice, target, uses, bought = choose(plan, odds, state, unit, desk.plain)
    die = kind == STRIKE and buys_die(plan, state, unit, bought)
    values = (stage, kind, attack, choice, target, uses, 1 if bought else 0, 1 if die else 0)
    _add(desk.listed, 0, values)


@njit(cache=True, nogil=True)
def explore(plan: Ints, odds: Floats, room: Room, desk: Desk, free: bool) -> float:
    """Fill the room from the starts on; gives the gauge of the first initiative, -1 without room.

    `free`: the build may do anything, the others are greedy.
    """
    units = plan[UNITS]
    room.used[:] = 0
    desk.tally[:] = 0.0
    desk.next[:] = 0
    if not _open_wave(plan, odds, room, desk, desk.next, 0, 1.0, True):
        return -1.0
    gauge = desk.tally[GAUGE]
    node = 0
    while node < room.used[0]:
        desk.now[:] = room.keys[node]
        room.first[node] = room.used[1]
        places = desk.now[units + 1]
        unit = (desk.now[units] >> (4 * ((places >> PLACE) & NIBBLE))) & NIBBLE
        desk.paid[:] = desk.now
        what = begin(plan, desk.paid, unit)
        if what == MISSES:
            # `begin` is done in `_act`; a slot that is missed has only that and its end.
            desk.now[:] = desk.paid
            _add(desk.listed, 0, (-1, NOTHING, 0, 0, 0, 1, 0, 0))
            if not _expand(plan, odds, room, desk, unit, desk.listed[0], True):
                return -1.0
        elif free and unit == 0:
            number = _list_free(plan, room, desk, unit, what == ACTS)
            if number > len(desk.listed):
                return -1.0
            for i in range(number):
                if not _expand(plan, odds, room, desk, unit, desk.listed[i], False):
                    return -1.0
        else:
            _list_greedy(plan, odds, desk, unit, what == ACTS)
            if not _expand(plan, odds, room, desk, unit, desk.listed[0], False):
                return -1.0
        node += 1
    room.first[node] = room.used[1]
    return gauge

"""What an option leads to: every margin, every heart test, the next slot, a rest before a wave, an end."""

from __future__ import annotations

from buildsearch.engines.graphs import ROUND
from buildsearch.engines.jit import step_without_refcounts
from buildsearch.systems.animon.exact.equal_states import merge
from buildsearch.systems.animon.exact.options import (
    ATTACK,
    BOUGHT,
    CHOICE,
    DIE,
    EVOLVE,
    KIND_OF,
    TARGET,
    USES,
    list_option,
)
from buildsearch.systems.animon.exact.room import TOO_MANY, Desk, Room, copy, emit, visit
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import form_of, hp_of, turn_off, turn_on
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
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Words
from buildsearch.systems.animon.mechanics.luck import FATE, GAUGE, LIKELY, TESTS
from buildsearch.systems.animon.mechanics.plans import form_at, margin_row, unit_at
from buildsearch.systems.animon.mechanics.slots import (
    begin,
    between,
    end_conditions,
    enter,
    evolve,
    finish,
    is_beaten,
    mark_acted,
)


@step_without_refcounts
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


@step_without_refcounts
def open_wave(
    plan: Ints, odds: Floats, room: Room, desk: Desk, state: Ints, wave: int, likely: float, starts: bool
) -> bool:
    """All orders of a wave's slots; whether there was room. The gauge of initiative is added to the tally."""
    units = plan[at.UNITS]
    enter(plan, state, wave)
    desk.tally[GAUGE] += mean_gauge(plan, odds, state, wave)
    number = standing(plan, state, desk.order)
    while True:
        chance = order_chance(plan, odds, state, wave, desk.order, number)
        if chance > 0.0:
            packed = 0
            for i in range(number):
                packed |= desk.order[i] << (4 * i)
            copy(state, desk.opened)
            desk.opened[units] = packed
            desk.opened[units + 1] = (number << at.SLOTS) | (wave << at.WAVE)
            merge(plan, desk.opened)
            node = visit(room, desk.opened)
            if node == TOO_MANY:
                return False
            if starts:
                place = room.used[3]
                if place >= len(room.starts):
                    return False
                room.starts[place] = node
                room.start_chances[place] = likely * chance
                room.used[3] = place + 1
            elif not emit(room, likely * chance, node << 2):
                return False
        if not _next_order(desk.order, number):
            return True


@step_without_refcounts
def _lead_on(plan: Ints, room: Room, state: Ints, likely: float) -> bool:
    """Where a slot that is over leads to: an end, the next slot, or a rest; whether there was room."""
    units = plan[at.UNITS]
    if is_beaten(plan, state, 0):
        return emit(room, likely, -1)
    if not is_beaten(plan, state, 1):
        places = state[units + 1]
        place = ((places >> at.PLACE) & at.NIBBLE) + 1
        crosses = 0
        if place == (places >> at.SLOTS) & at.NIBBLE:
            place, crosses = 0, 1
        state[units + 1] = (places & ~at.NIBBLE) | place
        crosses |= merge(plan, state)
        node = visit(room, state)
        return node != TOO_MANY and emit(room, likely, (node << 2) | crosses)
    wave = (state[units + 1] >> at.WAVE) & at.NIBBLE
    if wave + 1 == plan[at.WAVES]:
        return emit(room, likely, -2 - hp_of(state, 0))
    # The next wave begins in the next round, if there is one: until then nothing is rolled.
    end_conditions(plan, state)
    state[units], state[units + 1] = 0, wave << at.WAVE
    node = visit(room, state)
    return node != TOO_MANY and emit(room, likely, (node << 2) | ROUND)


@step_without_refcounts
def is_rest(plan: Ints, state: Ints) -> bool:
    """Whether a wave is beaten and the next one has not begun: there are no slots."""
    return (state[plan[at.UNITS] + 1] >> at.SLOTS) & at.NIBBLE == 0


@step_without_refcounts
def expand_rest(plan: Ints, odds: Floats, room: Room, desk: Desk) -> bool:
    """The next wave, from the state at the desk, as the one option of a node; whether there was room."""
    number = room.used[1]
    if number >= len(room.gain):
        return False
    room.used[1] = number + 1
    room.begin[number] = room.used[2]
    list_option(desk.listed, 0, (-1, at.NOTHING, 0, 0, 0, 1, 0, 0))
    copy(desk.listed[0], room.what[number])
    wave = (desk.now[plan[at.UNITS] + 1] >> at.WAVE) & at.NIBBLE
    # Breath may take heart tests; each outcome opens the wave anew.
    gauge, fate, tests = 0.0, 0, 1
    while fate < tests:
        copy(desk.now, desk.paid)
        desk.tally[:] = 0.0
        desk.tally[LIKELY], desk.tally[FATE] = 1.0, fate
        between(plan, odds, desk.paid, desk.luck, desk.tally, False)
        tests = 1 << int(desk.tally[TESTS])
        if desk.tally[LIKELY] > 0.0:
            chance = desk.tally[LIKELY]
            if not open_wave(plan, odds, room, desk, desk.paid, wave + 1, chance, False):
                return False
            gauge += chance * desk.tally[GAUGE]
        fate += 1
    room.gain[number] = gauge
    room.begin[number + 1] = room.used[2]
    return True


@step_without_refcounts
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
        copy(desk.now, state)
        desk.tally[:] = 0.0
        desk.tally[LIKELY], desk.tally[FATE] = 1.0, fate
        if not missing:
            _act(plan, odds, state, unit, option, margin, desk.luck, desk.tally)
        if missing or not (is_beaten(plan, state, 0) or is_beaten(plan, state, 1)):
            finish(plan, odds, state, unit, desk.luck, desk.tally, False)
        tests = 1 << int(desk.tally[TESTS])
        chance, mine = desk.tally[LIKELY], desk.tally[GAUGE]
        if chance > 0.0:
            if not _lead_on(plan, room, state, likely * chance):
                return -1.0
            gauge += chance * mine
        fate += 1
    return gauge


@step_without_refcounts
def _act(
    plan: Ints, odds: Floats, state: Ints, unit: int, option: Ints, margin: int, luck: Words, tally: Floats
) -> None:
    """An action whose margin is known, from the begin of the slot."""
    begin(plan, state, unit)
    if option[EVOLVE] >= 0:
        evolve(plan, state, unit, option[EVOLVE])
    kind = option[KIND_OF]
    if kind == at.NOTHING:
        turn_off(state, unit, at.INCAPACITATED)
        return
    if kind == at.STRIKE:
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
    elif kind == at.TRANSFER:
        pay(plan, state, unit, option[ATTACK], 1, option[BOUGHT] == 1, False)
        transfer(plan, state, unit, option[ATTACK])
    elif kind == at.DEFEND:
        turn_on(state, unit, at.DEFENDING)
    mark_acted(plan, state, unit)


@step_without_refcounts
def expand(plan: Ints, odds: Floats, room: Room, desk: Desk, unit: int, option: Ints, missing: bool) -> bool:
    """One option of a node with all its outcomes; whether there was room."""
    number = room.used[1]
    if number >= len(room.gain):
        return False
    room.used[1] = number + 1
    room.begin[number] = room.used[2]
    copy(option, room.what[number])
    gauge = 0.0
    if missing or option[KIND_OF] != at.STRIKE:
        gauge = _outcomes(plan, odds, room, desk, unit, option, 0, missing, 1.0)
        if gauge < 0.0:
            return False
    else:
        # The roll is made after evolving and before anything is paid.
        state = desk.paid
        copy(desk.now, state)
        begin(plan, state, unit)
        if option[EVOLVE] >= 0:
            evolve(plan, state, unit, option[EVOLVE])
        attack, target = option[ATTACK], option[TARGET]
        targets = targets_of(plan, state, unit, effects_of(plan, unit, attack), target, option[USES])
        dodger = dodger_of(plan, state, target, targets)
        dice = attack_dice(plan, state, unit, attack) + option[DIE]
        dodge = form_at(plan, dodger, form_of(state, dodger), at.F_DODGE)
        row = margin_row(
            dice,
            attack_net(plan, state, unit, attack, option[CHOICE], dodger),
            dodge,
            dodge_net(plan, state, dodger),
        )
        if unit_at(plan, unit, at.IS_PC):
            gauge += dice / plan[at.SIDES]
        if unit_at(plan, dodger, at.IS_PC):
            gauge += dodge / plan[at.SIDES]
        for margin in range(dice + 1):
            if odds[row + margin] > 0.0:
                more = _outcomes(plan, odds, room, desk, unit, option, margin, False, odds[row + margin])
                if more < 0.0:
                    return False
                gauge += odds[row + margin] * more
    room.gain[number] = gauge
    room.begin[number + 1] = room.used[2]
    return True

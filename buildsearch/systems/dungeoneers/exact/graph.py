"""Every state that a fight can come to, with what greedy play does there, or all that the hero could do."""

from __future__ import annotations

import numpy as np
from numba import njit

from buildsearch.engines.jit import step
from buildsearch.systems.dungeoneers.exact.layout import (
    ACTION_BITS,
    ACTIONS,
    AMBIENT,
    AMOUNT,
    ARMOR,
    AT_ARMOR,
    AT_DEFENDING,
    AT_MAGICA,
    AT_STRESS,
    AT_WOUNDS,
    ATTACK,
    BASE,
    BREAKING,
    BUYS,
    CALM,
    CAPACITY,
    CAST,
    CHANGE,
    DEED,
    DEFEND,
    DEFEND_BELOW,
    DESPERATE_PRICE,
    END,
    GAIN_FACTOR,
    HARM,
    LIMIT,
    MAGICA_PRICE,
    MAGICA_TOP,
    MEND,
    MOST,
    OURS,
    PER_ATTACK,
    PLACE_BITS,
    SPELLS,
    STATE_SHIFT,
    STRESS_PRICE,
    STRESS_TOP,
    TAKES,
    THEIRS,
    WEAKEST,
    WOUNDS,
    WOUNDS_FACTOR,
    Ints,
    Plan,
    Room,
)
from buildsearch.systems.dungeoneers.mechanics.steps import gain, harm, life

# Worths that differ by no more are one worth.
TIE = 1e-9
TOO_MANY = -1
_HASH = np.uint64(0x9E3779B97F4A7C15)
_ROOM = 33  # bits that a product is shifted by at least


@njit(inline="always")
def _get(state: int, who: Ints, creature: int, field: int) -> int:
    return int((state >> who[creature, field]) & who[creature, field + 1])


@njit(inline="always")
def _put(state: int, who: Ints, creature: int, field: int, value: int) -> int:
    at, mask = who[creature, field], who[creature, field + 1]
    return int((state & ~(mask << at)) | ((value & mask) << at))


@step
def _arrive(state: int, who: Ints, turns: Ints, place: int, actions: int) -> int:
    """The key of the next moment: the same turn while actions are left, else whoever's turn begins."""
    while actions == 0:
        place = place + 1 if place + 1 < len(turns) else 0
        creature = turns[place]
        if _get(state, who, creature, AT_WOUNDS) > who[creature, MOST]:
            continue
        # Spec, A turn: defending ends, magica +1, then actions.
        state = _put(state, who, creature, AT_DEFENDING, 0)
        magica = min(who[creature, MAGICA_TOP], _get(state, who, creature, AT_MAGICA) + 1)
        state = _put(state, who, creature, AT_MAGICA, magica)
        actions = who[creature, ACTIONS]
    return (state << STATE_SHIFT) | (actions << PLACE_BITS) | place


@step
def _visit(key: int, keys: Ints, table: Ints, slots: Ints, nodes: int) -> tuple[int, int]:
    """The node of a key, and how many nodes there are then; TOO_MANY if there is no room for a new one."""
    mask = len(table) - 1
    slot = np.int64((np.uint64(key) * _HASH) >> np.uint64(_ROOM)) & mask
    while table[slot] >= 0:
        if keys[table[slot]] == key:
            return table[slot], nodes
        slot = (slot + 1) & mask
    if nodes >= len(keys):
        return TOO_MANY, nodes
    keys[nodes] = key
    table[slot] = nodes
    slots[nodes] = slot
    return nodes, nodes + 1


@step
def _close(state: int, who: Ints, target: int) -> int:
    """The end that a death is: 0 lost, 1 and the hero's life won, -1 none. Who is dead has no other state."""
    if _get(state, who, target, AT_WOUNDS) <= who[target, MOST]:
        return -1
    if target == 0:
        return 0
    for foe in range(1, len(who)):
        if _get(state, who, foe, AT_WOUNDS) <= who[foe, MOST]:
            return -1
    mine, stress = _get(state, who, 0, AT_WOUNDS), _get(state, who, 0, AT_STRESS)
    return 1 + life(mine, who[0, MOST], stress, who[0, CAPACITY])


@step
def _struck(state: int, law: Ints, who: Ints, target: int, number: int, change: int) -> int:
    """The state after an effect of wounds on the target."""
    wounds, stress = harm(
        _get(state, who, target, AT_WOUNDS),
        who[target, MOST],
        _get(state, who, target, AT_STRESS),
        who[target, CAPACITY],
        number,
        law[WOUNDS_FACTOR],
        change,
    )
    return _set_body(state, who, target, wounds, stress)


@step
def _stressed(state: int, law: Ints, who: Ints, target: int, number: int) -> int:
    """The state after the target gains stress."""
    capacity = who[target, CAPACITY]
    wounds, stress = gain(
        _get(state, who, target, AT_WOUNDS),
        who[target, MOST],
        _get(state, who, target, AT_STRESS),
        capacity,
        number,
        law[GAIN_FACTOR],
        law[LIMIT] * capacity,
        law[BREAKING],
    )
    return _set_body(state, who, target, wounds, stress)


@njit(inline="always")
def _set_body(state: int, who: Ints, target: int, wounds: int, stress: int) -> int:
    if wounds > who[target, MOST]:
        # One state for all who are dead.
        state = _put(state, who, target, AT_STRESS, 0)
        state = _put(state, who, target, AT_MAGICA, 0)
        state = _put(state, who, target, AT_ARMOR, 0)
        state = _put(state, who, target, AT_DEFENDING, 0)
    else:
        # Beyond the last limit, more stress is no other state: layouts say where that is.
        state = _put(state, who, target, AT_STRESS, min(stress, who[target, STRESS_TOP]))
    return _put(state, who, target, AT_WOUNDS, wounds)


@step
def _life(state: int, who: Ints, creature: int) -> int:
    return life(
        _get(state, who, creature, AT_WOUNDS),
        who[creature, MOST],
        _get(state, who, creature, AT_STRESS),
        who[creature, CAPACITY],
    )


@step
def _best_spell(state: int, creature: int, target: int, best: float, plan: Plan) -> tuple[float, int, int]:
    """The spell at the target that is worth more than the best so far: (worth, slot, extra magica).

    The slot is -1 where there is none. Extra magica from the least up, while the pool can pay.
    """
    law, prices, who, spells, spell_change, _, cast = plan
    magica = _get(state, who, creature, AT_MAGICA)
    direction, foe = (OURS, target) if creature == 0 else (THEIRS, creature)
    before = _life(state, who, target)
    slot, number = -1, 0
    for j in range(who[creature, SPELLS]):
        deed, base = spells[creature, j, DEED], spells[creature, j, BASE]
        if deed >= ARMOR:
            continue
        if deed == HARM:
            change = spell_change[foe, j] if creature == 0 else 0
            after = _struck(state, law, who, target, spells[creature, j, AMOUNT], change)
        else:
            after = _stressed(state, law, who, target, spells[creature, j, AMOUNT])
        taken = before - _life(after, who, target)
        extra = max(0, law[AMBIENT] - base)
        while base + extra - law[AMBIENT] <= magica:
            worth = cast[direction, foe, j, _get(state, who, target, AT_DEFENDING), extra] * taken
            worth -= prices[MAGICA_PRICE] * (base + extra - law[AMBIENT])
            if worth > best + TIE:
                best = worth
                slot, number = j, extra
            extra += 1
    return best, slot, number


@njit(cache=True, nogil=True)
def _choose(state: int, creature: int, plan: Plan) -> tuple[int, int, int, int]:
    """What greedy play does: (kind, target, slot, number). Spec, Greedy play."""
    law, prices, who, spells, _, strike, _ = plan
    wounds, stress = _get(state, who, creature, AT_WOUNDS), _get(state, who, creature, AT_STRESS)
    magica = _get(state, who, creature, AT_MAGICA)
    capacity, most = who[creature, CAPACITY], who[creature, MOST]
    known = who[creature, SPELLS]
    # 1: the first self spell whose moment it is.
    for j in range(known):
        deed = spells[creature, j, DEED]
        if deed < ARMOR or max(0, spells[creature, j, BASE] - law[AMBIENT]) > magica:
            continue
        if (
            (deed == ARMOR and _get(state, who, creature, AT_ARMOR) == 0)
            or (deed == MEND and wounds == most and most > 0)
            or (deed == CALM and stress >= capacity and stress > 0)
        ):
            return CAST, creature, j, 0
    # 2: the target.
    target, direction, foe = 0, THEIRS, creature
    if creature == 0:
        least = 1 << 30
        for other in range(1, len(who)):
            left = _life(state, who, other)
            if left > 0 and (target == 0 or (law[WEAKEST] == 1 and left < least)):
                target, least = other, left
        direction, foe = OURS, target
    is_defending, is_armored = _get(state, who, target, AT_DEFENDING), _get(state, who, target, AT_ARMOR)
    before = _life(state, who, target)
    # 3: worths. Attacks with k = 0, 1, ..
    change = who[foe, TAKES] if creature == 0 else who[foe, CHANGE]
    taken = before - _life(_struck(state, law, who, target, who[creature, WOUNDS], change), who, target)
    is_desperate = life(wounds, most, stress, capacity) == 1
    price = prices[DESPERATE_PRICE] if is_desperate else prices[STRESS_PRICE]
    limit = law[LIMIT] * capacity if is_desperate else capacity
    best = strike[direction, foe, 0, is_defending, 1 if stress > capacity else 0, is_armored] * taken
    kind, slot, number = ATTACK, -1, 0
    for k in range(1, law[PER_ATTACK] + 1 if who[creature, BUYS] == 1 else 1):
        gained = k * law[GAIN_FACTOR] if stress > capacity else k
        if stress + gained > limit:
            break
        over = 1 if stress + gained > capacity else 0
        worth = strike[direction, foe, k, is_defending, over, is_armored] * taken - price * gained
        if worth > best + TIE:
            best, number = worth, k
    worth, spell, extra = _best_spell(state, creature, target, best, plan)
    if spell >= 0:
        best = worth
        kind, slot, number = CAST, spell, extra
    # 4: defend where nothing is worth much, end where nothing is worth anything.
    if best < prices[DEFEND_BELOW] - TIE and _get(state, who, creature, AT_DEFENDING) == 0:
        return DEFEND, creature, -1, 0
    if best > TIE:
        return kind, target, slot, number
    return END, creature, -1, 0


@step
def _list_all(state: int, law: Ints, who: Ints, spells: Ints, listed: Ints) -> int:
    """All that the hero can do: attacks (target, k), spells (table order, target, extra), defend, end."""
    magica = _get(state, who, 0, AT_MAGICA)
    number = 0
    for target in range(1, len(who)):
        if _life(state, who, target) > 0:
            for k in range(law[PER_ATTACK] + 1):
                number = _add(listed, number, ATTACK, target, -1, k)
    for j in range(who[0, SPELLS]):
        base = spells[0, j, BASE]
        if spells[0, j, DEED] >= ARMOR:
            if max(0, base - law[AMBIENT]) <= magica:
                number = _add(listed, number, CAST, 0, j, 0)
            continue
        for target in range(1, len(who)):
            if _life(state, who, target) > 0:
                for extra in range(max(0, law[AMBIENT] - base), magica + law[AMBIENT] - base + 1):
                    number = _add(listed, number, CAST, target, j, extra)
    if _get(state, who, 0, AT_DEFENDING) == 0:
        number = _add(listed, number, DEFEND, 0, -1, 0)
    return _add(listed, number, END, 0, -1, 0)


@njit(inline="always")
def _add(listed: Ints, at: int, kind: int, target: int, slot: int, number: int) -> int:
    listed[at, 0] = kind
    listed[at, 1] = target
    listed[at, 2] = slot
    listed[at, 3] = number
    return at + 1


@step
def _done(
    state: int, creature: int, kind: int, target: int, slot: int, number: int, plan: Plan
) -> tuple[float, int, int, int]:
    """What comes of it: the state with chance p, the state otherwise, and who may have died of the first."""
    law, _, who, spells, spell_change, strike, cast = plan
    direction, foe = (OURS, target) if creature == 0 else (THEIRS, creature)
    if kind == ATTACK:
        bad = _stressed(state, law, who, creature, number)
        if _get(bad, who, creature, AT_WOUNDS) > who[creature, MOST]:
            return 1.0, bad, bad, creature  # the purchase kills the buyer, and the attack is not made
        over = 1 if _get(bad, who, creature, AT_STRESS) > who[creature, CAPACITY] else 0
        is_defending, is_armored = _get(state, who, target, AT_DEFENDING), _get(state, who, target, AT_ARMOR)
        change = who[foe, TAKES] if creature == 0 else who[foe, CHANGE]
        good = _struck(bad, law, who, target, who[creature, WOUNDS], change)
        return strike[direction, foe, number, is_defending, over, is_armored], good, bad, target
    if kind == CAST:
        deed, amount = spells[creature, slot, DEED], spells[creature, slot, AMOUNT]
        paid = max(0, spells[creature, slot, BASE] + number - law[AMBIENT])
        bad = _put(state, who, creature, AT_MAGICA, _get(state, who, creature, AT_MAGICA) - paid)
        if deed == ARMOR:
            return 1.0, _put(bad, who, creature, AT_ARMOR, 1), bad, -1
        if deed == MEND:
            wounds = max(0, _get(state, who, creature, AT_WOUNDS) - amount)
            return 1.0, _put(bad, who, creature, AT_WOUNDS, wounds), bad, -1
        if deed == CALM:
            stress = max(0, _get(state, who, creature, AT_STRESS) - amount)
            return 1.0, _put(bad, who, creature, AT_STRESS, stress), bad, -1
        if deed == HARM:
            change = spell_change[foe, slot] if creature == 0 else 0
            good = _struck(bad, law, who, target, amount, change)
        else:
            good = _stressed(bad, law, who, target, amount)
        return cast[direction, foe, slot, _get(state, who, target, AT_DEFENDING), number], good, bad, target
    if kind == DEFEND:
        return 1.0, _put(state, who, creature, AT_DEFENDING, 1), state, -1
    return 1.0, state, state, -1


@njit(cache=True, nogil=True)
def explore(
    plan: Plan, turns: Ints, start: int, free: bool, most_life: int, room: Room
) -> tuple[int, int, int]:
    """Fill the room with the graph of a fight from a state on; gives (root, nodes, options).

    `turns` is the order of turns. `free`: the hero may do anything, and every option is listed. Where the
    room does not suffice, the root is TOO_MANY.
    """
    law, _, who, spells, _, _, _ = plan
    keys, table, slots, levels, standing, first, chance, yes, no, what, listed = room
    root, nodes = _visit(_arrive(start, who, turns, len(turns) - 1, 0), keys, table, slots, 0)
    done = 0
    options = 0
    while done < nodes:
        key = keys[done]
        place = key & ((1 << PLACE_BITS) - 1)
        actions = (key >> PLACE_BITS) & ((1 << ACTION_BITS) - 1)
        state = key >> STATE_SHIFT
        creature = turns[place]
        levels[done] = (place << ACTION_BITS) | ((1 << ACTION_BITS) - 1 - actions)
        standing[done] = 2 + most_life + _life(state, who, 0)
        first[done] = options
        if free and creature == 0:
            number = _list_all(state, law, who, spells, listed)
        else:
            choice = _choose(state, creature, plan)
            number = _add(listed, 0, choice[0], choice[1], choice[2], choice[3])
        if options + number > len(chance):
            return TOO_MANY, nodes, options
        for i in range(number):
            kind, target, slot, amount = listed[i, 0], listed[i, 1], listed[i, 2], listed[i, 3]
            p, good, bad, hit = _done(state, creature, kind, target, slot, amount, plan)
            left = 0 if kind == END else actions - 1
            if p <= 0.0:
                p, good, hit = 1.0, bad, -1
            end = _close(good, who, hit) if hit >= 0 else -1
            node = -1 - end
            if end < 0:
                node, nodes = _visit(_arrive(good, who, turns, place, left), keys, table, slots, nodes)
                if node == TOO_MANY:
                    return TOO_MANY, nodes, options
            yes[options] = node
            if p < 1.0:
                node, nodes = _visit(_arrive(bad, who, turns, place, left), keys, table, slots, nodes)
                if node == TOO_MANY:
                    return TOO_MANY, nodes, options
            no[options] = node
            chance[options] = p
            what[options] = ((kind * 16 + target) * 32 + slot + 1) * 256 + amount
            options += 1
        done += 1
    first[nodes] = options
    return root, nodes, options

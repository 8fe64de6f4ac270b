"""Animon Story's fight, slot by slot. `engines/statement.py` says in which form it is stated.

Who is in it and what attacks do is in `attacks.py`, who acts when in `initiative.py`, how it is played in
`policies.py`.
"""

from __future__ import annotations

from typing import Any

from buildsearch.engines.dice import tell
from buildsearch.engines.graphs import END, NEXT, ROUND
from buildsearch.engines.statement import rule
from buildsearch.systems.animon.attacks import (
    ATTACKS,
    BASIC,
    BREATHED,
    CONDITIONS,
    DEFEND,
    DEFENDED,
    EVOLVE,
    EVOLVED,
    FLEDGLING,
    FORMS,
    ORDER,
    OURS,
    POISON,
    REST,
    SLOT,
    STRIKE,
    THEIRS,
    TRANSFER,
    UNTIL_CAUSER,
    UNTIL_TARGET,
    WAIT,
    WAITED,
    Fight,
    Ints,
    at,
    end_conditions,
    fall,
    heart_test,
    hurt,
    is_beaten,
    parts,
    pay,
    strike,
    transfer,
)
from buildsearch.systems.animon.initiative import initiative
from buildsearch.systems.animon.rules.model import MOST_DICE, MOST_HP

# Slots ----------------------------------------------------------------------------------------------


@rule
def may_evolve(c: Any, g: Fight, me: int) -> bool:
    """Text, Evolution in Combat: once per encounter, and not after devolving."""
    return c[me].form < g.who[me].top and c[me].evolved + c[me].devolved == 0


@rule
def evolve(c: Any, g: Fight, me: int, stage: int, dice: Any) -> None:
    """Text, Evolution in Combat. Only the highest stage has a price."""
    cost = g.evolving if stage == g.who[me].top else 0
    c[me].bond -= cost
    c[me].form = stage
    c[me].evolved = 1
    if g.first_evolution:
        c[me].hp = g.form[at(c, me)].hp
    tell(dice, EVOLVED, me, stage, cost)


@rule
def begin_slot(c: Any, me: int) -> None:
    """Spec, A fight: what ends as the slot of somebody begins, and be it of the fallen."""
    c[me].defending = 0
    for i in range(len(c)):
        if c[i].disoriented == me + 1:
            c[i].disoriented = 0


@rule
def end_slot(c: Any, g: Fight, me: int) -> None:
    """Spec, A fight: conditions that end with a slot."""
    for i in range(len(c)):
        if g.vulnerable_lasts == UNTIL_CAUSER and c[i].vulnerable == me + 1:
            if c[i].lasts == 0:
                c[i].lasts = 1
            else:
                c[i].vulnerable = 0
                c[i].lasts = 0
    if g.vulnerable_lasts == UNTIL_TARGET:
        c[me].vulnerable = 0
        c[me].lasts = 0
    c[me].weakened = 0
    c[me].boosted = 0


@rule
def go_on(t: Any, c: Any, g: Fight, dice: Any) -> int:
    """To the next slot of somebody who stands. Those of the fallen only let conditions end."""
    code = NEXT
    while True:
        t.place += 1
        if t.place == t.slots:
            t.place = 0
            code = ROUND
        me = c[t.place].acts
        begin_slot(c, me)
        if c[me].hp > 0:
            tell(dice, SLOT, me, 0, 0)
            return code
        end_slot(c, g, me)


@rule
def open_wave(t: Any, c: Any, g: Fight, wave: int, dice: Any) -> None:
    """The foes of a wave come in, our side before the first; all roll for initiative."""
    for i in range(len(c)):
        if g.who[i].wave == wave and (wave == 0 or g.who[i].side == THEIRS):
            c[i].form = g.who[i].start
            c[i].hp = g.form[at(c, i)].hp
            c[i].bond = g.who[i].bond
    t.wave = wave
    t.slots = initiative(dice, c, g, wave)
    t.place = 0
    tell(dice, ORDER, wave, 0, 0)
    tell(dice, SLOT, c[0].acts, 0, 0)


@rule
def begin(t: Any, c: Any, g: Fight, dice: Any) -> None:
    """The first wave."""
    open_wave(t, c, g, 0, dice)


@rule
def breathe(c: Any, g: Fight, i: int, dice: Any) -> None:
    """Text, Catching Your Breath: heart tests of the fallen, the first stage, HP, and a new start."""
    if c[i].hp == 0 and g.who[i].is_pc:
        if c[i].form >= g.devolving_from or c[i].form == BASIC:
            needed = g.devolving if c[i].form >= g.devolving_from else g.staying_basic
            passed = heart_test(dice, g, i, g.form[at(c, i)].heart, needed)
            c[i].form = BASIC if passed else FLEDGLING
    elif c[i].hp > 0 and c[i].evolved and not c[i].devolved:
        c[i].form = g.who[i].start
        c[i].hp = min(c[i].hp, g.form[at(c, i)].hp)
    own = g.form[at(c, i)]
    hp = c[i].hp + min(g.breath_hp + own.heart, max(0, own.hp - c[i].hp))
    fall(c, i)  # all marks are gone
    c[i].hp = hp


@rule
def rest(t: Any, c: Any, g: Fight, dice: Any) -> int:
    """Spec, Waves: between two of them some catch their breath."""
    if g.breath:
        for i in range(len(c)):
            if g.who[i].side == OURS:
                breathe(c, g, i, dice)
        tell(dice, BREATHED, 0, 0, 0)
    open_wave(t, c, g, t.wave + 1, dice)
    return NEXT


@rule
def act(t: Any, c: Any, g: Fight, chosen: int, dice: Any) -> int:
    """One action of whose slot it is, and on to whoever decides next."""
    kind, attack, _, _, uses, bought, _ = parts(chosen)
    if kind == REST:
        return END if is_beaten(c, g, OURS) else rest(t, c, g, dice)
    me = c[t.place].acts
    if kind == EVOLVE:
        evolve(c, g, me, uses, dice)
        if not g.evolving_acts or c[me].incapacitated:
            return NEXT
    elif kind == WAIT:
        tell(dice, WAITED, me, c[me].stunned, 0)
        c[me].stunned = 0
        c[me].incapacitated = 0
    elif kind == STRIKE:
        strike(c, g, me, chosen, dice)
    elif kind == TRANSFER:
        pay(c, g, me, attack, 1, bought, 0)
        transfer(c, g, me, attack, dice)
    elif kind == DEFEND:
        c[me].defending = 1
        tell(dice, DEFENDED, me, 0, 0)
    if kind != WAIT and g.watches[0]:
        c[me].acted = 1
    if not is_beaten(c, g, OURS) and not is_beaten(c, g, THEIRS):
        end_slot(c, g, me)
        if c[me].poison > 0:
            hurt(c, g, me, c[me].poison - 1, POISON, dice)
    if is_beaten(c, g, OURS):
        return END
    if not is_beaten(c, g, THEIRS):
        return go_on(t, c, g, dice)
    if t.wave + 1 == g.waves:
        return END
    # The next wave begins in the next round, if there is one: until then nothing is rolled.
    for i in range(len(c)):
        end_conditions(c, i)
        c[i].acts = 0
    t.place = 0
    t.slots = 0
    return ROUND


@rule
def measure(t: Any, c: Any, g: Fight, out: Ints) -> None:
    """win_rate, draws, (losses), hp_left: the HP of the build."""
    lost = is_beaten(c, g, OURS)
    won = not lost and is_beaten(c, g, THEIRS) and t.wave + 1 == g.waves
    out[0] = 1 if won else 0
    out[1] = 0 if won or lost else 1
    out[2] = 1 if lost else 0
    out[3] = min(MOST_HP, c[0].hp)


# For exact play -----------------------------------------------------------------------------------


@rule
def ranges(t: Any, c: Any, g: Fight) -> None:
    """The most of each field."""
    actors = len(c)
    t.place = actors - 1
    t.slots = actors
    t.wave = g.waves - 1
    for i in range(actors):
        for form in range(FORMS):
            c[i].hp = max(c[i].hp, g.form[FORMS * i + form].hp)
            c[i].spent = max(c[i].spent, g.form[FORMS * i + form].uses)
        c[i].form = g.who[i].top
        c[i].bond = g.who[i].bond
        c[i].evolved = 1
        c[i].devolved = 1
        c[i].defending = 1
        c[i].acted = g.watches[0]
        c[i].vulnerable = actors
        c[i].lasts = 1
        c[i].disoriented = actors
        c[i].weakened = 1
        c[i].stunned = 1
        c[i].incapacitated = 1
        c[i].boosted = 1
        c[i].poison = MOST_DICE
        c[i].has_poisoned = 1
        c[i].efficient = (1 << ATTACKS) - 1
        c[i].marks = CONDITIONS
        c[i].acts = actors - 1


@rule
def is_remembered(c: Any, me: int) -> bool:
    """Whether somebody has a condition that ends with a slot of this one."""
    for i in range(len(c)):
        if c[i].disoriented == me + 1 or c[i].vulnerable == me + 1:
            return True
    return False


@rule
def renumber(t: Any, c: Any, one: int, other: int) -> None:
    """What is said of one is said of the other."""
    for i in range(len(c)):
        if c[i].disoriented == other + 1:
            c[i].disoriented = one + 1
        if c[i].vulnerable == other + 1:
            c[i].vulnerable = one + 1
        if i < t.slots and c[i].acts == other:
            c[i].acts = one


@rule
def same(t: Any, c: Any, g: Fight, code: int) -> int:
    """States that go on alike are one: slots of the fallen are dropped, and equal foes close ranks.

    Rules only ever ask which of two comes first. So foes that are the same may be renumbered as long as those
    who stand keep their order among themselves: what is left of a pack is a multiset with an order.
    """
    number, now = 0, t.place
    for slot in range(t.slots):
        i = c[slot].acts
        if c[i].hp == 0 and not is_remembered(c, i):
            now -= 1 if slot < t.place else 0
        else:
            c[number].acts = i
            number += 1
    for slot in range(number, t.slots):
        c[slot].acts = 0
    t.slots = number
    t.place = now
    for foe in range(len(c)):
        if g.who[foe].side == OURS or c[foe].hp > 0 or is_remembered(c, foe):
            continue
        # The next one who stands takes the place of who is down, if of that kind: nobody passes others.
        for other in range(foe + 1, len(c)):
            if c[other].hp > 0:
                if g.who[other].kind == g.who[foe].kind:
                    mine, theirs = c[foe].acts, c[other].acts
                    c[foe] = c[other]
                    c[foe].acts = mine
                    c[other].acts = theirs
                    fall(c, other)
                    renumber(t, c, foe, other)
                break
    return code

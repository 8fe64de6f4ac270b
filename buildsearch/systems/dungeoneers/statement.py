"""Dungeoneers' fight: the place where its rules are written down. `engines/statement.py` says in which form.

Actor 0 is the hero, the foes follow as they are listed. "Text" is the rule text, "Spec" our reading of it.
An action is one number, made by `action` and taken apart by `parts`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.dice import below, chance, primitive, tell, trigger
from buildsearch.engines.graphs import END, NEXT, ROUND
from buildsearch.engines.statement import rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Worths that differ by no more are one worth. Spec, Greedy play and Best play.
TIE = 1e-9
ATTACK, CAST, DEFEND, STOP = range(4)
# What spells do; from ARMOR on to the caster.
HARM, STRESS, ARMOR, MEND, CALM = range(5)
# Whose table of chances: the hero's at a foe, a foe's at the hero.
OURS, THEIRS = range(2)
# What is told.
ORDER, TURN, BROKE, STRUCK, CASTED, ON_SELF, DEFENDS, RESTS = range(8)

# Records. `takes`: wounds more or fewer when the hero strikes it; `spells`: bits, all that it can ever cast.
BODY = (
    *("most", "endurance", "ap", "buys", "harm", "bonus", "takes"),
    *("spells", "magica", "magica_top", "stress_top", "armors"),
)
SPELL = ("deed", "amount", "base", "saves", "die", "against", "pierce", "type")
SHEET = (
    *("power", "prowess", "endurance", "resistance", "spell", "mind"),
    *("av", "sr", "bane", "hit", "pierce", "harm", "type", "known"),
)
GIVEN = ("dodge", "bonus", "ap", "buys", "most")


class Fight(NamedTuple):
    """The tables; those down to `through` are written for each build (`sheet.py`)."""

    who: Any  # BODY
    turn: Ints  # turn[i, place]: who acts; all orders are equally likely
    turns: Ints  # how many orders
    hit: Floats  # hit[whose, foe, stress bought, defending]
    pierced: Floats  # pierced[whose, foe, attacker over, defender armored]
    test: Floats  # test[whose, foe, spell, defending]
    through: Floats  # through[whose, foe, spell, extra magica]
    book: Any  # SPELL
    weak: Ints  # weak[actor, type of damage], less what it resists
    aims_at_weakest: int  # a ruling; then numbers of the fight and of stress as the rules name them
    rounds: int
    ambient: int
    stress_per_attack: int
    stress_price: float
    desperate_price: float
    magica_price: float
    defend_below: float
    breaking: int
    breaking_wounds: int
    wounds_factor: int
    gain_factor: int


# Wounds and stress --------------------------------------------------------------------------------


@rule
def is_dead(c: Any, g: Fight, i: int) -> bool:
    """Text, Wounds: past the most that it can sustain."""
    return c[i].wounds > g.who[i].most


@rule
def is_over(c: Any, g: Fight, i: int) -> bool:
    """Text, Stress: strictly more than it can handle."""
    return c[i].stress > g.who[i].endurance


@rule
def life_of(g: Fight, i: int, wounds: int, stress: int) -> int:
    """Spec, Greedy play 2: 0 if dead, else 1, the wounds it can still sustain, and its free stress."""
    most = g.who[i].most
    return 0 if wounds > most else 1 + most - wounds + max(0, g.who[i].endurance - stress)


@rule
def life(c: Any, g: Fight, i: int) -> int:
    """Of an actor as it stands."""
    return life_of(g, i, c[i].wounds, c[i].stress)


@rule
def sustained(wounds: int, most: int, number: int) -> int:
    """Wounds at once. Text, Wounds: dead with more than the maximum, or with any when already there."""
    if number <= 0:
        return wounds
    return most + 1 if number > most or wounds >= most else min(most, wounds + number)


@rule
def effect(c: Any, g: Fight, i: int, number: int, change: int) -> int:
    """Wounds that an effect is. Text, Stress: twice as many when over; Text, Pierce Dice: then modifiers."""
    return max(0, number * (g.wounds_factor if is_over(c, g, i) else 1) + change)


@rule
def harmed(c: Any, g: Fight, i: int, number: int, change: int) -> tuple[int, int]:
    """(wounds, stress) after an effect. Text, Stress: free stress absorbs, the rest is sustained."""
    number = effect(c, g, i, number, change)
    absorbed = min(number, max(0, g.who[i].endurance - c[i].stress))
    return sustained(c[i].wounds, g.who[i].most, number - absorbed), c[i].stress + absorbed


@rule
def gained(c: Any, g: Fight, i: int, number: int) -> int:
    """Text, Stress: twice as much stress when over."""
    return number * (g.gain_factor if is_over(c, g, i) else 1)


@rule
def stressed(c: Any, g: Fight, i: int, number: int) -> tuple[int, int]:
    """(wounds, stress) after a gain. Text, Stress: past 3 times the capacity it wounds, twice since over."""
    wounds, stress = c[i].wounds, c[i].stress + gained(c, g, i, number)
    if number > 0 and stress > g.breaking * g.who[i].endurance:
        wounds = sustained(wounds, g.who[i].most, g.breaking_wounds * g.wounds_factor)
    return wounds, stress


@rule
def put(c: Any, g: Fight, i: int, body: tuple[int, int]) -> None:
    """An actor's new body. More stress than the top is no other state, nor is anything of the dead."""
    c[i].wounds = body[0]
    c[i].stress = min(body[1], g.who[i].stress_top)
    if is_dead(c, g, i):
        c[i].stress = 0
        c[i].magica = 0
        c[i].armor = 0
        c[i].defending = 0


# Attacks and spells -------------------------------------------------------------------------------


@rule
def attack_chance(c: Any, g: Fight, me: int, it: int, bought: int, over: int) -> float:
    """Text, Making an Attack: it has to hit, then to pierce."""
    whose, foe = (OURS, it) if me == 0 else (THEIRS, me)
    return g.hit[whose, foe, bought, c[it].defending] * g.pierced[whose, foe, over, c[it].armor]


@rule
def spell_chance(c: Any, g: Fight, me: int, it: int, j: int, extra: int) -> float:
    """Text, Casting a Spell: an attack or a save, then spell resistance."""
    whose, foe = (OURS, it) if me == 0 else (THEIRS, me)
    return g.test[whose, foe, j, c[it].defending] * g.through[whose, foe, j, extra]


@rule
def price(g: Fight, j: int, extra: int) -> int:
    """Magica of the pool. Text, Casting a Spell: ambient magica pays first."""
    return max(0, g.book[j].base + extra - g.ambient)


@rule
def struck(c: Any, g: Fight, me: int, it: int) -> tuple[int, int]:
    """(wounds, stress) of whom an attack wounds."""
    return harmed(c, g, it, g.who[me].harm, g.who[me].bonus + g.who[it].takes)


@rule
def spelled(c: Any, g: Fight, it: int, j: int) -> tuple[int, int]:
    """(wounds, stress) of whom a spell takes effect on."""
    if g.book[j].deed == HARM:
        return harmed(c, g, it, g.book[j].amount, g.weak[it, g.book[j].type])
    return stressed(c, g, it, g.book[j].amount)


@primitive
def attempt(dice: Any, p: float, me: int, it: int, spell: int, number: int) -> Any:
    """Whether an attack (spell -1) or a spell takes effect. `telling.py` shows the dice of it."""


@attempt.by(tuple)
def _(dice: Any, p: float, me: int, it: int, spell: int, number: int) -> bool:
    return chance(dice, p)


# Decisions ----------------------------------------------------------------------------------------


@rule
def action(kind: int, it: int, j: int, number: int) -> int:
    """As one number: the kind, at whom, which spell, how much stress or extra magica."""
    return ((kind * 16 + it) * 32 + j) * 256 + number


@rule
def parts(chosen: int) -> tuple[int, int, int, int]:
    """What `action` put together."""
    return chosen >> 17, (chosen >> 13) & 15, (chosen >> 8) & 31, chosen & 255


@rule
def acting(t: Any, g: Fight) -> int:
    """Whose turn it is."""
    return g.turn[t.order, t.place]


@rule
def self_spell(c: Any, g: Fight, me: int) -> int:
    """Spec, Greedy play 1: the first spell on oneself that can be paid and whose moment it is; -1: none."""
    a = g.who[me]
    if a.spells:
        for j in range(len(g.book)):
            deed = g.book[j].deed
            if (a.spells >> j) & 1 and deed >= ARMOR and price(g, j, 0) <= c[me].magica:
                if deed == ARMOR and not c[me].armor:
                    return j
                if deed == MEND and c[me].wounds == a.most and a.most > 0:
                    return j
                if deed == CALM and c[me].stress >= a.endurance and c[me].stress > 0:
                    return j
    return -1


@rule
def target(c: Any, g: Fight, me: int) -> int:
    """Spec, Greedy play 2: the hero for foes; the first living foe for the hero, or the one of least life."""
    it, least = 0, 1 << 30
    if me == 0:
        for i in range(1, len(c)):
            left = life(c, g, i)
            if left > 0 and (it == 0 or (g.aims_at_weakest and left < least)):
                it, least = i, left
    return it


@rule
def greedy(t: Any, c: Any, g: Fight) -> int:
    """Spec, Greedy play."""
    me = acting(t, g)
    on_self = self_spell(c, g, me)
    if on_self >= 0:
        return action(CAST, me, on_self, 0)
    a, it = g.who[me], target(c, g, me)
    before, stress = life(c, g, it), c[me].stress
    # 3: the worth of an option is its chance times the life that it takes, less its price.
    wounds_then, stress_then = struck(c, g, me, it)
    taken = before - life_of(g, it, wounds_then, stress_then)
    is_desperate = life(c, g, me) == 1
    each = g.desperate_price if is_desperate else g.stress_price
    limit = g.breaking * a.endurance if is_desperate else a.endurance
    top = attack_chance(c, g, me, it, 0, 1 if is_over(c, g, me) else 0) * taken
    chosen = action(ATTACK, it, 0, 0)
    for k in range(1, g.stress_per_attack + 1 if a.buys else 1):
        more = gained(c, g, me, k)
        if stress + more > limit:
            break
        worth = attack_chance(c, g, me, it, k, 1 if stress + more > a.endurance else 0) * taken - each * more
        if worth > top + TIE:
            top, chosen = worth, action(ATTACK, it, 0, k)
    if a.spells:
        for j in range(len(g.book)):
            if (a.spells >> j) & 1 and g.book[j].deed < ARMOR:
                wounds_then, stress_then = spelled(c, g, it, j)
                taken = before - life_of(g, it, wounds_then, stress_then)
                extra = max(0, g.ambient - g.book[j].base)
                while price(g, j, extra) <= c[me].magica:
                    worth = spell_chance(c, g, me, it, j, extra) * taken - g.magica_price * price(g, j, extra)
                    if worth > top + TIE:
                        top, chosen = worth, action(CAST, it, j, extra)
                    extra += 1
    # 4: defend where nothing is worth much, stop where nothing is worth anything.
    if top < g.defend_below - TIE and not c[me].defending:
        return action(DEFEND, me, 0, 0)
    return chosen if top > TIE else action(STOP, me, 0, 0)


@rule
def options(t: Any, c: Any, g: Fight, out: Ints) -> int:
    """Spec, Best play: attacks (target, stress), spells (spell, target, extra), defend, stop."""
    if acting(t, g) != 0:
        return 0
    number = 0
    for it in range(1, len(c)):
        if not is_dead(c, g, it):
            for k in range(g.stress_per_attack + 1):
                out[number] = action(ATTACK, it, 0, k)
                number += 1
    for j in range(len(g.book)):
        is_known, is_on_self = (g.who[0].spells >> j) & 1, g.book[j].deed >= ARMOR
        if is_known and is_on_self and price(g, j, 0) <= c[0].magica:
            out[number] = action(CAST, 0, j, 0)
            number += 1
        for it in range(1, len(c) if is_known and not is_on_self else 1):
            if not is_dead(c, g, it):
                least = max(0, g.ambient - g.book[j].base)
                for extra in range(least, c[0].magica + g.ambient - g.book[j].base + 1):
                    out[number] = action(CAST, it, j, extra)
                    number += 1
    if not c[0].defending:
        out[number] = action(DEFEND, 0, 0, 0)
        number += 1
    out[number] = action(STOP, 0, 0, 0)
    return number + 1


# A fight ------------------------------------------------------------------------------------------


@rule
def begin(t: Any, c: Any, g: Fight, dice: Any) -> None:
    """Spec, A fight: an order of turns, and everybody with all their magica."""
    for i in range(len(c)):
        c[i].magica = g.who[i].magica
    t.order = below(dice, g.turns[0])
    tell(dice, ORDER, 0, 0, 0)
    t.place = -1
    go_on(t, c, g, dice)


@rule
def go_on(t: Any, c: Any, g: Fight, dice: Any) -> int:
    """To who has an action point. Spec, A fight: a turn begins: defending ends, magica +1, then actions."""
    code = NEXT
    while t.ap == 0:
        t.place += 1
        if t.place == len(c):
            t.place = 0
            code = ROUND
        me = acting(t, g)
        if not is_dead(c, g, me):
            t.ap = g.who[me].ap
            c[me].defending = 0
            c[me].magica = min(g.who[me].magica_top, c[me].magica + 1)
            tell(dice, TURN, me, 0, 0)
    return code


@rule
def attack(c: Any, g: Fight, me: int, it: int, bought: int, dice: Any) -> None:
    """Text, Making an Attack. Stress is bought before any dice are rolled; it may kill the buyer."""
    put(c, g, me, stressed(c, g, me, bought))
    if is_dead(c, g, me):
        tell(dice, BROKE, me, bought, 0)
        return
    over = 1 if is_over(c, g, me) else 0
    if attempt(dice, attack_chance(c, g, me, it, bought, over), me, it, -1, bought):
        put(c, g, it, struck(c, g, me, it))
    tell(dice, STRUCK, me, it, bought)


@rule
def cast(c: Any, g: Fight, me: int, it: int, j: int, extra: int, dice: Any) -> None:
    """Text, Casting a Spell: the magica is spent whatever is rolled. Spells on oneself take no roll."""
    deed, amount = g.book[j].deed, g.book[j].amount
    c[me].magica -= price(g, j, extra)
    if deed < ARMOR:
        if attempt(dice, spell_chance(c, g, me, it, j, extra), me, it, j, extra):
            put(c, g, it, spelled(c, g, it, j))
            if me == 0:
                trigger(dice, j)
        tell(dice, CASTED, me, it, j)
        return
    if deed == ARMOR:
        c[me].armor = 1
    elif deed == MEND:
        c[me].wounds = max(0, c[me].wounds - amount)
    else:
        c[me].stress = max(0, c[me].stress - amount)
    if me == 0:
        trigger(dice, j)
    tell(dice, ON_SELF, me, j, 0)


@rule
def is_won(c: Any, g: Fight) -> bool:
    """No foe lives."""
    for i in range(1, len(c)):
        if not is_dead(c, g, i):
            return False
    return True


@rule
def act(t: Any, c: Any, g: Fight, chosen: int, dice: Any) -> int:
    """One action of whoever's turn it is, and on to whoever decides next."""
    me = acting(t, g)
    kind, it, j, number = parts(chosen)
    t.ap -= 1
    if kind == ATTACK:
        attack(c, g, me, it, number, dice)
    elif kind == CAST:
        cast(c, g, me, it, j, number, dice)
    elif kind == DEFEND:
        c[me].defending = 1
        tell(dice, DEFENDS, me, 0, 0)
    else:
        t.ap = 0
        tell(dice, RESTS, me, 0, 0)
    if is_dead(c, g, 0) or is_won(c, g):
        return END
    if is_dead(c, g, me):
        t.ap = 0
    return go_on(t, c, g, dice)


@rule
def measure(t: Any, c: Any, g: Fight, out: Ints) -> None:
    """win, draw, loss, life."""
    lost = is_dead(c, g, 0)
    won = not lost and is_won(c, g)
    out[0] = 1 if won else 0
    out[1] = 0 if won or lost else 1
    out[2] = 1 if lost else 0
    out[3] = life(c, g, 0)


@rule
def ranges(t: Any, c: Any, g: Fight) -> None:
    """The most of each field, by who fights."""
    t.order = g.turns[0] - 1
    t.place = len(c) - 1
    for i in range(len(c)):
        a = g.who[i]
        t.ap = max(t.ap, a.ap)
        c[i].wounds = a.most + 1
        c[i].stress = a.stress_top
        c[i].magica = a.magica_top
        c[i].armor = a.armors
        c[i].defending = 1

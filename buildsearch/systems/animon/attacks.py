"""Animon Story's records, dice and attacks: what one action does. `statement.py` has the fight around it.

Actor 0 is the build, then come its allies and all foes, wave by wave; who is not in the fight has 0 HP.
"Text" is the rule text, "Spec" our reading of it. Attack 0 is the plain one, the others are signatures.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.dice import Tree, below, chance, gain, pick, primitive, tell, trigger
from buildsearch.engines.statement import rule
from buildsearch.systems.animon.rules.model import EFFECTS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FORMS, ATTACKS = 5, 5
FLEDGLING, BASIC = range(2)
OURS, THEIRS = range(2)
UNTIL_CAUSER, UNTIL_END, UNTIL_TARGET = range(3)
# Actions. PASS is for best play alone, WAIT of who is stunned or incapacitated, REST lies between two waves.
STRIKE, TRANSFER, DEFEND, PASS, EVOLVE, WAIT, REST = range(7)
# What D is asked for: as it is, and with one change.
PLAIN, ATTACK_LESS, HALVED, DODGE_LESS, ATTACK_MORE, DODGE_MORE, CHANGES = range(7)
# What is told; HARMED and what caused it.
ORDER, SLOT, WAITED, EVOLVED, STRUCK, HARMED, FOUGHT_ON = range(7)
DEVOLVED, CAUSED, DRAINED, BOOSTED, DEFENDED, BREATHED = range(7, 13)
DAMAGE, SPLASH, POISON = range(3)

# Bits of the effects, in the order of the rules.
_BIT = {name: 1 << i for i, name in enumerate(EFFECTS)}
BLOCK_BREAK: Final = _BIT["block_break"]
EFFICIENT: Final = _BIT["efficient"]
ENERGY_DRAIN: Final = _BIT["energy_drain"]
EXPLOSIVE: Final = _BIT["explosive"]
HEAVY_STRIKE: Final = _BIT["heavy_strike"]
MISDIRECT: Final = _BIT["misdirect"]
MULTI_HIT: Final = _BIT["multi_hit"]
POISON_STRIKE: Final = _BIT["poison_strike"]
OVERCHARGE: Final = _BIT["overcharge"]
POWER_TRANSFER: Final = _BIT["power_transfer"]
QUICK_STRIKE: Final = _BIT["quick_strike"]
SAP: Final = _BIT["sap"]
STUNNING_STRIKE: Final = _BIT["stunning_strike"]
TOUGH_BREAK: Final = _BIT["tough_break"]
BREAKING: Final = BLOCK_BREAK | TOUGH_BREAK
HARMLESS: Final = POISON_STRIKE | STUNNING_STRIKE
HALVING: Final = BLOCK_BREAK | SAP | EXPLOSIVE
SPREADING: Final = OVERCHARGE | MULTI_HIT
# Text, Conditions: what strikes a target once an encounter, as its marks have it.
CONDITIONS: Final = STUNNING_STRIKE | MISDIRECT | SAP | BLOCK_BREAK

# Records. `vulnerable` and `disoriented` name who caused it, from 1; `lasts`: since an earlier slot;
# `poison` is the power and one more; `efficient` has bits of attacks; `acts` belongs to a slot: whose it is.
TABLE = ("place", "slots", "wave")
ACTOR = (
    *("hp", "form", "spent", "bond", "evolved", "devolved", "defending", "acted", "vulnerable", "lasts"),
    *("disoriented", "weakened", "stunned", "incapacitated", "boosted", "poison", "has_poisoned"),
    *("efficient", "marks", "acts"),
)
WHO = ("side", "is_pc", "is_build", "wave", "level", "top", "start", "bond", "attacks", "kind")
FORM = ("hp", "damage", "attack", "power", "dodge", "initiative", "uses", "heart")
ATTACK = ("effects", "rank", "stage", "choices")


class Fight(NamedTuple):
    """The tables; those down to `watches` are written for each build (`sheet.py`)."""

    who: Any  # WHO
    form: Any  # FORM of `at(c, i)`
    attack: Any  # ATTACK of `attack_of(i, attack)`
    edge: Ints  # edge[attack, choice, target]: what the element of a choice adds
    watches: Ints  # whether somebody strikes quickly: else nobody cares who has acted
    mean: Floats  # mean[form, form of the target, change]: D of the reading
    element: Ints  # element[attack, choice]
    plain: Floats  # scratch: what a plain attack is worth, by target
    tied: Ints  # scratch of initiative: where those who are tied end, by place; then successes, by actor
    among: Floats
    sixes: Floats
    margins: Floats  # chances of margins from `margin_row` on, 0 a miss
    successes: Floats  # successes[dice, net, number]
    passes: Floats  # passes[needed, heart dice]
    nets: int
    dodges: int
    sides: int
    success: int
    most_boost: int
    waves: int
    breath: int
    devolves: int
    first_evolution: int
    ties_again: int
    evolving_acts: int
    tough_halves: int
    vulnerable_lasts: int
    adjacent: int
    least_exhausting: int
    transfer_by_rank: int
    bond_dice: int
    heavy_extra: int
    devolving_from: int
    devolving: int
    staying_basic: int
    breath_hp: int
    fight_on: int
    kept: int
    evolving: int
    extra_use: int
    extra_die: int
    surprised: int


# Dice ---------------------------------------------------------------------------------------------


@primitive
def throw(dice: Any, number: int, sides: int, needed: int) -> Any:
    """So many dice: how many show `needed` or more, how many the highest face. `telling.py` shows them."""


@throw.by(tuple)
def _(dice: Any, number: int, sides: int, needed: int) -> tuple[int, int]:
    hits, highest = 0, 0
    for _ in range(number):
        face = below(dice, sides) + 1
        hits += 1 if face >= needed else 0
        highest += 1 if face == sides else 0
    return hits, highest


@rule
def clamp(g: Fight, net: int) -> int:
    """Text, Boosts and Setbacks; the limit is ours."""
    return min(g.most_boost, max(-g.most_boost, net))


@rule
def margin_row(g: Fight, number: int, net: int, dodge: int, dodge_net: int) -> int:
    """Where the chances of margins begin."""
    most = g.nets // 2
    ours = (number * g.nets + net + most) * g.dodges + dodge
    return (ours * g.nets + dodge_net + most) * g.successes.shape[2]


@primitive
def margin(dice: Any, g: Fight, me: int, number: int, net: int, it: int, dodge: int, dodge_net: int) -> Any:
    """Text, Attack Mechanics: successes beyond the dodge's. Highest faces of players fill the gauge."""


@margin.by(tuple)
def _(dice: Any, g: Fight, me: int, number: int, net: int, it: int, dodge: int, dodge_net: int) -> int:
    hits, highest = throw(dice, number, g.sides, g.success - net)
    dodges, theirs = throw(dice, dodge, g.sides, g.success - dodge_net)
    gain(dice, float(g.who[me].is_pc * highest + g.who[it].is_pc * theirs))
    return max(0, hits - dodges)


@margin.by(Tree)
def _(dice: Tree, g: Fight, me: int, number: int, net: int, it: int, dodge: int, dodge_net: int) -> int:
    gain(dice, (g.who[me].is_pc * number + g.who[it].is_pc * dodge) / g.sides)
    return pick(dice, g.margins, margin_row(g, number, net, dodge, dodge_net), number + 1)


@primitive
def heart_test(dice: Any, g: Fight, me: int, number: int, needed: int) -> Any:
    """Text, Heart Tests: no modifiers."""


@heart_test.by(tuple)
def _(dice: Any, g: Fight, me: int, number: int, needed: int) -> bool:
    hits, highest = throw(dice, number, g.sides, g.success)
    gain(dice, float(g.who[me].is_pc * highest))
    return hits >= needed


@heart_test.by(Tree)
def _(dice: Tree, g: Fight, me: int, number: int, needed: int) -> bool:
    gain(dice, g.who[me].is_pc * number / g.sides)
    return chance(dice, g.passes[needed, number])


# Actions ----------------------------------------------------------------------------------------


@rule
def action(kind: int, attack: int, choice: int, it: int, uses: int, bought: int, die: int) -> int:
    """As one number; `uses` is the stage for EVOLVE."""
    return (((((kind * 8 + attack) * 16 + choice) * 16 + it) * 64 + uses) * 2 + bought) * 2 + die


@rule
def parts(chosen: int) -> tuple[int, int, int, int, int, int, int]:
    """What `action` put together."""
    low = chosen >> 2
    return (
        chosen >> 19,
        chosen >> 16 & 7,
        chosen >> 12 & 15,
        low >> 6 & 15,
        low & 63,
        chosen >> 1 & 1,
        chosen & 1,
    )


# Attacks ------------------------------------------------------------------------------------------


@rule
def at(c: Any, i: int) -> int:
    """The form that it has now, as tables count them."""
    return FORMS * i + c[i].form


@rule
def attack_of(i: int, attack: int) -> int:
    """As tables count them."""
    return ATTACKS * i + attack


@rule
def are_foes(g: Fight, i: int, j: int) -> bool:
    return g.who[i].side != g.who[j].side


@rule
def is_beaten(c: Any, g: Fight, side: int) -> bool:
    """Nobody of a side stands."""
    for i in range(len(c)):
        if c[i].hp > 0 and g.who[i].side == side:
            return False
    return True


@rule
def uses_left(c: Any, g: Fight, me: int) -> int:
    """Text, Uses: those of the form now, less those spent."""
    return max(0, g.form[at(c, me)].uses - c[me].spent)


@rule
def is_free(c: Any, g: Fight, me: int, attack: int) -> int:
    """Text, Efficient: the first use costs none."""
    effects = g.attack[attack_of(me, attack)].effects
    return 1 if effects & EFFICIENT and (c[me].efficient >> attack) & 1 == 0 else 0


@rule
def exhausts(c: Any, g: Fight, me: int, attack: int, uses: int, bought: int) -> bool:
    """Text, Overcharge: emptying the uses incapacitates. A ruling says from how many on."""
    if g.attack[attack_of(me, attack)].effects & OVERCHARGE == 0:
        return False
    if bought:
        return g.least_exhausting == 1
    return uses >= g.least_exhausting and uses_left(c, g, me) - uses + is_free(c, g, me, attack) <= 0


@rule
def pay(c: Any, g: Fight, me: int, attack: int, uses: int, bought: int, die: int) -> None:
    """Uses and bond points, and what emptying the uses does."""
    c[me].bond -= g.extra_use * bought + g.extra_die * die
    if attack > 0:
        exhausted = exhausts(c, g, me, attack, uses, bought)
        if not bought:
            c[me].spent += uses - is_free(c, g, me, attack)
            if g.attack[attack_of(me, attack)].effects & EFFICIENT:
                c[me].efficient |= 1 << attack
        if exhausted:
            c[me].incapacitated = 1


@rule
def score_of(c: Any, g: Fight, me: int, attack: int, uses: int) -> int:
    """The damage of a hit before the margin and halves. Text, Damage, Overcharge, Heavy Strike."""
    a = g.attack[attack_of(me, attack)]
    score = g.form[at(c, me)].damage
    if a.effects & OVERCHARGE:
        score *= uses
    return score + g.heavy_extra + a.rank if a.effects & HEAVY_STRIKE else score


@rule
def halves_of(c: Any, g: Fight, me: int, effects: int, it: int) -> int:
    """How often damage is halved: once by effects, again by weakness."""
    halves = 1 if effects & HALVING else 0
    if effects & TOUGH_BREAK and (g.tough_halves or c[it].marks & BLOCK_BREAK == 0):
        halves = 1
    return halves + c[me].weakened


@rule
def targets_of(c: Any, g: Fight, me: int, effects: int, it: int, uses: int) -> int:
    """Their bits. Text, Multi-Hit: one more for each use; Spec: the chosen one, then the first who stand."""
    found = 1 << it
    if effects & MULTI_HIT:
        left = uses - 1
        for i in range(len(c)):
            if left > 0 and i != it and c[i].hp > 0 and are_foes(g, i, me):
                found |= 1 << i
                left -= 1
    return found


@rule
def dodger_of(c: Any, g: Fight, it: int, targets: int) -> int:
    """Who dodges for all: most dodge dice, of equals the first."""
    if targets == 1 << it:
        return it
    best, most = it, -1
    for i in range(len(c)):
        if (targets >> i) & 1 and g.form[at(c, i)].dodge > most:
            best, most = i, g.form[at(c, i)].dodge
    return best


@rule
def attack_net(c: Any, g: Fight, me: int, attack: int, choice: int, it: int) -> int:
    """Text, Elements, Stage Differences, Conditions, Quick Strike."""
    net = g.edge[attack_of(me, attack), choice, it] + clamp(g, c[me].form - c[it].form)
    net += c[me].boosted - (1 if c[me].disoriented else 0)
    if g.attack[attack_of(me, attack)].effects & QUICK_STRIKE and not c[it].acted:
        net += 1
    return clamp(g, net)


@rule
def dodge_net(c: Any, g: Fight, it: int) -> int:
    """Text, Defend, Conditions."""
    return clamp(g, c[it].defending + c[it].boosted - (1 if c[it].vulnerable else 0))


@rule
def can_poison(c: Any, me: int, it: int) -> bool:
    """Spec: each attacker poisons once, and nobody is poisoned twice."""
    return c[me].has_poisoned == 0 and c[it].poison == 0


@rule
def fall(c: Any, i: int) -> None:
    """Down: only the stage and the bond points stay."""
    c[i].hp = 0
    c[i].spent = 0
    c[i].evolved = 0
    c[i].devolved = 0
    c[i].acted = 0
    c[i].poison = 0
    c[i].has_poisoned = 0
    c[i].efficient = 0
    c[i].marks = 0
    end_conditions(c, i)


@rule
def end_conditions(c: Any, i: int) -> None:
    """After a wave: all but poison, which lasts as long as the encounter does."""
    c[i].defending = 0
    c[i].vulnerable = 0
    c[i].lasts = 0
    c[i].disoriented = 0
    c[i].weakened = 0
    c[i].stunned = 0
    c[i].incapacitated = 0
    c[i].boosted = 0


@rule
def hurt(c: Any, g: Fight, i: int, damage: int, cause: int, dice: Any) -> None:
    """HP lost. Text, Fight On, Devolution from 0 HP: whatever is left of the damage is lost with it."""
    c[i].hp = max(0, c[i].hp - damage)
    if c[i].hp == 0:
        if g.who[i].is_pc and c[i].bond >= g.fight_on:
            c[i].bond -= g.fight_on
            c[i].hp = 1
            tell(dice, FOUGHT_ON, i, 0, 0)
        else:
            gain(dice, float(g.who[i].is_pc))
            if g.who[i].is_pc and g.devolves and c[i].form >= g.devolving_from:
                passed = heart_test(dice, g, i, g.form[at(c, i)].heart, g.devolving)
                c[i].form = BASIC if passed else FLEDGLING
                c[i].hp = g.form[at(c, i)].hp
                c[i].devolved = 1
                tell(dice, HARMED, i, damage, cause)
                tell(dice, DEVOLVED, i, 0, 0)
                return
            fall(c, i)
    tell(dice, HARMED, i, damage, cause)


@rule
def afflict(c: Any, g: Fight, me: int, effects: int, it: int, is_first: bool, dice: Any) -> None:
    """Text, Conditions. Spec: each strikes a target once an encounter, whoever causes it."""
    causes = (effects | (BLOCK_BREAK if effects & TOUGH_BREAK else 0)) & CONDITIONS & ~c[it].marks
    if causes:
        c[it].marks |= causes
        if causes & STUNNING_STRIKE:
            c[it].stunned = 1
        if causes & MISDIRECT:
            c[it].disoriented = me + 1
        if causes & SAP:
            c[it].weakened = 1
        if causes & BLOCK_BREAK:
            c[it].vulnerable = me + 1
            c[it].lasts = 0
        tell(dice, CAUSED, it, causes, 0)
    if effects & POISON_STRIKE and is_first and can_poison(c, me, it):
        c[it].poison = g.form[at(c, me)].power + 1
        c[me].has_poisoned = 1
        tell(dice, CAUSED, it, POISON_STRIKE, 0)


@rule
def strike(c: Any, g: Fight, me: int, chosen: int, dice: Any) -> None:
    """Spec, Hits: the roll; for each target damage, drain, 0 HP, conditions; then the splash."""
    _, attack, choice, it, uses, bought, die = parts(chosen)
    effects = g.attack[attack_of(me, attack)].effects
    targets, enemies = targets_of(c, g, me, effects, it, uses), 0
    dodger = dodger_of(c, g, it, targets)
    number = g.form[at(c, me)].attack + g.attack[attack_of(me, attack)].rank + die
    net, dodge = attack_net(c, g, me, attack, choice, dodger), g.form[at(c, dodger)].dodge
    pay(c, g, me, attack, uses, bought, die)
    by = margin(dice, g, me, number, net, dodger, dodge, dodge_net(c, g, dodger))
    tell(dice, STRUCK, me, chosen, by)
    if by == 0:
        return
    if me == 0 and attack > 0:
        trigger(dice, attack - 1)
    score, actors = score_of(c, g, me, attack, uses), len(c)
    for i in range(actors):
        enemies |= 1 << i if c[i].hp > 0 and are_foes(g, i, me) else 0
    left = g.adjacent if effects & EXPLOSIVE else 0
    splash = g.who[me].level
    # The chosen one first, then the other targets in order, then those next to them.
    for turn in range(-1, 2 * actors if left else actors):
        i = it if turn < 0 else turn if turn < actors else turn - actors
        damage, is_target = 0, turn < actors
        if is_target and ((targets >> i) & 1 == 0 or turn == it):
            continue
        if not is_target:
            if left == 0 or (enemies & ~targets) >> i & 1 == 0:
                continue
            left -= 1
            damage = splash >> c[me].weakened
        elif effects & HARMLESS == 0:
            damage = (score + by) >> halves_of(c, g, me, effects, i)
        if is_target and damage > 0 and effects & ENERGY_DRAIN:
            before, most = c[me].hp, g.form[at(c, me)].hp
            c[me].hp = max(before, min(most, before + g.who[i].level))
            tell(dice, DRAINED, me, c[me].hp - before, 0)
        if is_target or damage > 0:
            hurt(c, g, i, damage, DAMAGE if is_target else SPLASH, dice)
        if is_target and c[i].hp > 0:
            afflict(c, g, me, effects, i, turn < 0, dice)


@rule
def transfer(c: Any, g: Fight, me: int, attack: int, dice: Any) -> None:
    """Text, Power Transfer: other allies who stand are boosted."""
    left = g.attack[attack_of(me, attack)].rank if g.transfer_by_rank else len(c)
    boosted = 0
    for i in range(len(c)):
        if left > 0 and i != me and c[i].hp > 0 and not are_foes(g, i, me):
            c[i].boosted = 1
            boosted |= 1 << i
            left -= 1
    if me == 0:
        trigger(dice, attack - 1)
    tell(dice, BOOSTED, me, attack, boosted)

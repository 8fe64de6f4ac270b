"""Fighters of level 5 against an ogre, a knight or four goblins, by the d20 rules. See docs/your-game.md."""

from typing import Literal

from buildsearch.kit import (
    LOST, NEXT, OPEN, ROUND, WON, Dice, Entry, Fight, Flag, Game, Integer, Measure, Natural, Numbers, any_of,
    chance, dice, one_of, roll, rule, scores, tell, trigger,
)  # fmt: skip

Kind = Literal["two-handed", "one-handed", "ranged"]
ATTACK, POWER, WIND, SURGE = range(4)
HITS, MISSES, HEALS, SURGES = range(4)


class Weapon(Entry):
    damage: Dice
    kind: Kind
    finesse: Flag = False
    shield: Natural = 0


class Talent(Entry):
    only: Kind | None = None
    to_hit: Integer = 0
    damage: Integer = 0
    ac: Integer = 0
    reroll: Natural = 0
    hp_a_level: Natural = 0
    power: Natural = 0
    best_of: Natural = 1
    luck: Natural = 0


class Armour(Entry):
    ac: Natural
    most_dex: Natural


class Foe(Entry):
    hp: Natural
    ac: Natural
    to_hit: Integer
    damage: Dice
    critical: Dice
    attacks: Natural = 1


class Table(Numbers):
    level: Natural
    hp: Natural
    proficiency: Natural
    attacks: Natural
    second_wind: Dice
    power_penalty: Natural


CHOICES = [
    one_of("weapon", Weapon), one_of("style", Talent), any_of("feats", Talent, limit="feats"),
    one_of("armour", Armour), scores("abilities"),
]  # fmt: skip
game = Game("fighters", "Fighters", CHOICES, foe=Foe, numbers=Table, hero="the fighter")


@game.requires
def suits_weapon(weapon, style, feats):
    for each in (style, *feats.values()):
        if each.only and each.only != weapon.kind:
            return f"{each.name} is for {each.only} weapons, and {weapon.name} is {weapon.kind}"


@game.sheet
def sheet(build, rules):
    table, weapon, style, feats = rules.numbers, build.weapon, build.style, build.feats.values()
    bonus = {name: (score - 10) // 2 for name, score in build.abilities.items()}
    main = bonus["dex"] if weapon.finesse else bonus["str"]
    rolled, best_of = dice(weapon.damage, style.reroll), max((feat.best_of for feat in feats), default=1)
    return {
        "hp": table.hp + table.level * (bonus["con"] + sum(feat.hp_a_level for feat in feats)),
        "ac": build.armour.ac + min(bonus["dex"], build.armour.most_dex) + weapon.shield + style.ac,
        "to_hit": table.proficiency + main + style.to_hit,
        "damage": rolled.highest(best_of) + main + style.damage,
        "critical": rolled.times(2).highest(best_of) + main + style.damage,
        "power": sum(feat.power for feat in feats),
        "attacks": table.attacks,
        "luck": sum(feat.luck for feat in feats),
    }


@rule
def target(c, me):
    it = 1 if me == 0 else 0
    while c[it].hp == 0:
        it += 1
    return it


@rule
def begin(t, c, g, dice):
    for i in range(len(c)):
        c[i].hp, c[i].luck = g.who[i].hp, g.who[i].luck
    c[0].wind = c[0].surge = 1
    t.who = 0 if chance(dice, 0.5) else 1
    t.left = g.who[t.who].attacks


@rule
def decide(t, c, g):
    if t.who > 0:
        return ATTACK
    if c[0].wind and g.who[0].hp - c[0].hp >= g.second_wind.shape[1]:
        return WIND
    if c[0].surge:
        return SURGE
    return POWER if g.who[0].power and g.who[target(c, 0)].ac <= g.who[0].to_hit + 8 else ATTACK


@rule
def options(t, c, g, out):
    out[0], number = ATTACK, 1
    for action, is_there in ((POWER, g.who[0].power), (WIND, c[0].wind), (SURGE, c[0].surge)):
        if is_there:
            out[number] = action
            number += 1
    return number if t.who == 0 else 0


@rule
def swing(c, g, me, it, is_power, dice):
    to_hit = g.who[me].to_hit - (g.power_penalty if is_power else 0)
    faces = min(19, max(1, 21 + to_hit - g.who[it].ac))
    is_hit = chance(dice, faces / 20)
    if not is_hit and c[me].luck:
        c[me].luck -= 1
        is_hit = chance(dice, faces / 20)
        trigger(dice, 0)
    if not is_hit:
        tell(dice, MISSES, me, it, 0)
        return
    points = roll(dice, g.critical if chance(dice, 1 / faces) else g.damage, me)
    points += g.who[me].power if is_power else 0
    c[it].hp = max(0, c[it].hp - points)
    tell(dice, HITS, me, it, points)


@rule
def act(t, c, g, action, dice):
    if action == WIND:
        c[0].wind, c[0].hp = 0, min(g.who[0].hp, c[0].hp + roll(dice, g.second_wind, 0))
        tell(dice, HEALS, 0, 0, 0)
        return NEXT
    if action == SURGE:
        c[0].surge, t.left = 0, t.left + g.who[0].attacks
        tell(dice, SURGES, 0, 0, 0)
        return NEXT
    swing(c, g, t.who, target(c, t.who), action == POWER, dice)
    t.left -= 1
    if t.left:
        return NEXT
    t.who = (t.who + 1) % len(c)
    while t.who > 0 and c[t.who].hp == 0:
        t.who = (t.who + 1) % len(c)
    t.left = g.who[t.who].attacks
    return ROUND if t.who == 0 else NEXT


@rule
def outcome(t, c, g):
    if c[0].hp == 0:
        return LOST
    for i in range(1, len(c)):
        if c[i].hp > 0:
            return OPEN
    return WON


game.fight = Fight(
    actor={"hp": "hp", "luck": "luck", "wind": 1, "surge": 1}, table={"who": 15, "left": 15},
    begin=begin, decide=decide, options=options, act=act, outcome=outcome, triggers=("lucky",),
    metrics=(Measure("hp", "HP left", lambda t, c, g: c[0].hp, span=100, unit="HP"),),
    story={
        HITS: "{me} hits {it} for {c}: {it.hp} HP left", MISSES: "{me} misses {it}",
        HEALS: "{me} catches a second wind: {me.hp} HP", SURGES: "{me} surges",
    },
)  # fmt: skip

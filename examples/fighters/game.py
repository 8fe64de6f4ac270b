"""Fighters of level 5 against an ogre, a knight or four goblins, by the d20 rules. See docs/your-game.md."""

from typing import Literal

from buildsearch.kit import (  # noqa: I001
    LOST, NEXT, OPEN, ROUND, WON, Dice, Entry, Fight, Flag, Game, Integer, Measure, Natural, Numbers, any_of,
    chance, dice, one_of, roll, rule, scores, tell, trigger,
)  # fmt: skip

Kind = Literal["two-handed", "one-handed", "ranged"]
WIND, SURGE, POWER = 1, 2, 4  # bits of an action: before an attack, and with it
SWINGS, MISSES, HEALS, SURGES = range(4)


class Weapon(Entry):
    damage: Dice
    kind: Kind
    finesse: Flag = False
    shield: Natural = 0


class Style(Entry):
    only: Kind | None = None
    to_hit: Integer = 0
    damage: Integer = 0
    ac: Integer = 0
    reroll: Natural = 0


class Feat(Entry):
    only: Kind | None = None
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
    attacks: Natural = 1
    initiative: Integer = 0


class Table(Numbers):
    level: Natural
    hp: Natural
    proficiency: Natural
    attacks: Natural
    second_wind: Dice
    power_penalty: Natural


game = Game(
    "fighters",
    "Fighters",
    [
        one_of("weapon", Weapon),
        one_of("style", Style),
        any_of("feats", Feat, limit="feats"),
        one_of("armour", Armour),
        scores("abilities"),
    ],
    foe=Foe,
    numbers=Table,
    hero="the fighter",
)


@game.requires
def style_suits_weapon(weapon, style):
    if style.only and style.only != weapon.kind:
        return f"{style.name} is for {style.only} weapons, and {weapon.name} is {weapon.kind}"


@game.requires
def feats_suit_weapon(weapon, feats):
    for feat in feats.values():
        if feat.only and feat.only != weapon.kind:
            return f"{feat.name} is for {feat.only} weapons, and {weapon.name} is {weapon.kind}"


@game.sheet
def sheet(build, rules):
    table, weapon, style, feats = rules.numbers, build.weapon, build.style, build.feats.values()
    bonus = {name: (score - 10) // 2 for name, score in build.abilities.items()}
    main = bonus["dex"] if weapon.finesse else bonus["str"]
    rolled, tries = dice(weapon.damage, style.reroll), max((feat.best_of for feat in feats), default=1)
    more = main + style.damage
    return {
        "hp": table.hp + table.level * (bonus["con"] + sum(feat.hp_a_level for feat in feats)),
        "ac": build.armour.ac + min(bonus["dex"], build.armour.most_dex) + weapon.shield + style.ac,
        "to_hit": table.proficiency + main + style.to_hit,
        "damage": rolled.highest(tries) + more,
        "critical": rolled.times(2).highest(tries) + more,
        "mean": round(100 * (rolled.highest(tries) + more).mean),
        "power": sum(feat.power for feat in feats),
        "attacks": table.attacks,
        "initiative": bonus["dex"],
        "luck": sum(feat.luck for feat in feats),
        "abilities": 1,
    }


@game.foe
def foe(entry, rules):
    damage = dice(entry.damage)
    numbers = {name: getattr(entry, name) for name in ("hp", "ac", "to_hit", "attacks", "initiative")}
    return numbers | {"damage": damage, "critical": damage + dice(entry.damage.partition("+")[0])}


@game.tables
def tables(rules):
    return {"second_wind": dice(rules.numbers.second_wind), "penalty": rules.numbers.power_penalty}


@rule
def hits(g, me, it, penalty):
    return min(19, max(1, 21 + g.who[me].to_hit - penalty - g.who[it].ac))


@rule
def target(c, me):
    it = 1 if me == 0 else 0
    while it < len(c) - 1 and c[it].hp == 0:
        it += 1
    return it


@rule
def begin(t, c, g, dice):
    for i in range(len(c)):
        c[i].hp, c[i].luck = g.who[i].hp, g.who[i].luck
    c[0].wind = c[0].surge = 1
    ahead = 20 + g.who[0].initiative - g.who[1].initiative
    t.who = 0 if chance(dice, min(39, max(1, ahead)) / 40) else 1
    t.left = g.who[t.who].attacks


@rule
def decide(t, c, g):
    if t.who > 0:
        return 0
    number, it = hits(g, 0, target(c, 0), 0), target(c, 0)
    action = WIND if c[0].wind and g.who[0].hp - c[0].hp >= g.second_wind.shape[1] - 1 else 0
    if g.who[0].power and hits(g, 0, it, g.penalty) * (g.who[0].mean + 100 * g.who[0].power) > number * g.who[0].mean:
        action += POWER
    return action + (SURGE if c[0].surge else 0)


@rule
def options(t, c, g, out):
    number = 0
    for action in range(8 if t.who == 0 else 0):
        is_possible = (c[0].wind or not action & WIND) and (c[0].surge or not action & SURGE)
        if is_possible and (g.who[0].power or not action & POWER):
            out[number] = action
            number += 1
    return number


@rule
def act(t, c, g, action, dice):
    me, it = t.who, target(c, t.who)
    if action & WIND:
        c[me].wind = 0
        c[me].hp = min(g.who[me].hp, c[me].hp + roll(dice, g.second_wind, 0))
        tell(dice, HEALS, me, 0, 0)
    if action & SURGE:
        c[me].surge = 0
        t.left += g.who[me].attacks
        tell(dice, SURGES, me, 0, 0)
    number = hits(g, me, it, g.penalty if action & POWER else 0)
    is_hit = chance(dice, number / 20)
    if not is_hit and c[me].luck:
        c[me].luck -= 1
        is_hit = chance(dice, number / 20)
        trigger(dice, 0)
    if is_hit:
        is_critical = chance(dice, 1 / number)
        points = roll(dice, g.critical if is_critical else g.damage, me) + (g.who[me].power if action & POWER else 0)
        c[it].hp = max(0, c[it].hp - points)
        tell(dice, SWINGS, me, it, points)
    else:
        tell(dice, MISSES, me, it, 0)
    t.left -= 1
    if t.left:
        return NEXT
    t.who = (me + 1) % len(c)
    while c[t.who].hp == 0 and t.who > 0:
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
    actor={"hp": "hp", "luck": "luck", "wind": 1, "surge": 1},
    table={"who": 15, "left": 15},
    begin=begin, decide=decide, options=options, act=act, outcome=outcome,
    metrics=(Measure("hp", "HP left", lambda t, c, g: c[0].hp, span=100, unit="HP"),),
    story={
        SWINGS: "{me} hits {it} for {c}: {it.hp} HP left", MISSES: "{me} misses {it}",
        HEALS: "{me} catches a second wind: {me.hp} HP", SURGES: "{me} surges",
    },
    triggers=("lucky",),
)  # fmt: skip

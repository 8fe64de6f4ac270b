"""Why a build is not allowed."""

from __future__ import annotations

from buildsearch.model.errors import Problem
from buildsearch.systems.dungeoneers.builds.grammar import Build
from buildsearch.systems.dungeoneers.rules.model import MOST_SCORE, SLOTS, DungeoneersRules, Limits


def spent(build: Build, rules: DungeoneersRules) -> tuple[int, int]:
    """Points of attributes, and of gear."""
    known = rules.gear
    return sum(dict(build.raises).values()), sum(known[name].cost for name in build.gear)


def reasons_against(
    build: Build, rules: DungeoneersRules, settings: Limits, *, at_any_cost: bool
) -> list[Problem]:
    """Every reason; points, gear and ranks aside if told."""
    found = [*_slots(build, rules), *_needs(build, rules)]
    return found if at_any_cost else [*found, *_limits(build, rules, settings)]


def _slots(build: Build, rules: DungeoneersRules) -> list[Problem]:
    found = []
    weapons = [name for name in build.gear if name in rules.weapons]
    if not weapons:
        found.append(Problem("a build has a weapon", hint="Bare fists are `improvised`."))
    elif len(weapons) > 1:
        found.append(Problem(f"{_list(weapons)} are {len(weapons)} weapons, and one is the most"))
    for slot in SLOTS:
        names = [name for name in build.gear if name in rules.armour and rules.armour[name].slot == slot]
        if len(names) > 1:
            found.append(Problem(f"{_list(names)} are all for one place, {slot}", hint="Keep one."))
    return found


def _needs(build: Build, rules: DungeoneersRules) -> list[Problem]:
    found = []
    known = rules.gear
    hands = {name: known[name].hands for name in build.gear}
    if sum(hands.values()) > rules.hero.hands:
        holding = _list([name for name in build.gear if hands[name]])
        message = f"{holding} take {sum(hands.values())} hands, and a hero has {rules.hero.hands}"
        found.append(Problem(message, value=str(sum(hands.values()))))
    points = dict(build.raises)
    power = rules.hero.base + points.get("power", 0)
    for name in build.gear:
        need = getattr(known[name], "power", 0)
        if need > power:
            hint = f"Buy `power+{need - rules.hero.base}`."
            found.append(Problem(f"`{name}` needs power {need}, not {power}", value=name, hint=hint))
    for name, number in points.items():
        if rules.hero.base + number > MOST_SCORE:
            message = f"`{name}` would be {rules.hero.base + number}, and engines know {MOST_SCORE} at most"
            found.append(Problem(message, value=str(number)))
    return found


def _limits(build: Build, rules: DungeoneersRules, settings: Limits) -> list[Problem]:
    found = []
    points, gear = spent(build, rules)
    if points > settings.points:
        found.append(Problem(f"{points} points of attributes, and there are {settings.points}"))
    elif points < settings.points:
        hint = "All points are spent."
        found.append(Problem(f"{settings.points - points} points of attributes are left", hint=hint))
    for name, steps in build.raises:
        score = rules.hero.base + steps
        if score > settings.max_rank:
            found.append(Problem(f"`{name}` is {score}, and {settings.max_rank} is the most", value=name))
    if gear > settings.gear:
        found.append(Problem(f"the gear costs {gear} points, and there are {settings.gear}", value=str(gear)))
    spells = [name for name in build.gear if name in rules.spells]
    if len(spells) > settings.max_spells:
        found.append(
            Problem(f"{_list(spells)} are {len(spells)} spells, and {settings.max_spells} is the most")
        )
    for name in build.gear:
        rank = rules.weapons[name].rank if name in rules.weapons else None
        if rank is not None and rules.ranks.index(rank) > rules.ranks.index(settings.rank):
            hint = f"Allow it with `-p rank={rank}`."
            found.append(Problem(f"`{name}` is of rank {rank}, above {settings.rank}", value=name, hint=hint))
    return found


def _list(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)

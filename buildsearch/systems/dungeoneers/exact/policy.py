"""Best play in words: what the hero does in the states that fights come to most."""

from __future__ import annotations

import numpy as np

from buildsearch.engines.visits import visits
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.build import Hero
from buildsearch.systems.dungeoneers.exact.best import Course
from buildsearch.systems.dungeoneers.exact.layout import (
    ACTION_BITS,
    AT_ARMOR,
    AT_DEFENDING,
    AT_MAGICA,
    AT_STRESS,
    AT_WOUNDS,
    ATTACK,
    CAPACITY,
    CAST,
    DEFEND,
    MAGICA_TOP,
    MOST,
    PLACE_BITS,
    SPELLS,
    STATE_SHIFT,
    Plan,
)
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules

# States that are shown: those that most fights come to.
_SHOWN = 14


def describe_play(
    rules: DungeoneersRules, hero: Hero, bout: Bout, plan: Plan, courses: list[Course]
) -> tuple[str, ...]:
    """A line for what is done how often, then the states of the first rounds with what is done there."""
    # The kernel keeps the spells that can ever be cast.
    spells = _castable(rules, hero, bout, int(plan.who[0, SPELLS]))
    names = [f"{each.name} #{number}" for number, each in enumerate(bout.foes, 1)]
    states: dict[tuple[str, str], float] = {}
    kinds = {"attack": 0.0, "stress bought": 0.0, "cast": 0.0, "extra magica": 0.0, "defend": 0.0, "end": 0.0}
    for course in courses:
        weight = 1 / len(courses)
        seen = visits(course.graph, course.play.choice, course.root, bout.numbers.rounds)
        for node in np.flatnonzero(seen > 0):
            graph, option = course.graph, int(course.play.choice[node])
            if graph.first[node + 1] - graph.first[node] == 1:
                continue  # a foe, or nothing to decide
            kind, target, slot, number = _said(int(graph.what[option]))
            share = float(seen[node]) * weight
            deed, key = _deed(kind, target, slot, number, names, spells), int(course.keys[node])
            state = _state(key, plan, names)
            states[state, deed] = states.get((state, deed), 0.0) + share
            word = {ATTACK: "attack", CAST: "cast", DEFEND: "defend"}.get(kind, "end")
            kinds[word] += share
            kinds["stress bought"] += share * number if kind == ATTACK else 0.0
            kinds["extra magica"] += share * number if kind == CAST else 0.0
    total = ", ".join(f"{word} {number:.2f}" for word, number in kinds.items() if number >= 0.005)
    shown = sorted(states.items(), key=lambda each: (-each[1], each[0]))[:_SHOWN]
    return (
        f"in a fight, in the mean: {total}",
        *(f"{share:7.2%} {state}: {deed}" for (state, deed), share in shown),
        f"({len(states)} states in which the hero decides; shown are those that fights come to most, "
        "with how often in a fight)",
    )


def _castable(rules: DungeoneersRules, hero: Hero, bout: Bout, number: int) -> tuple[str, ...]:
    """The hero's spells in the order of the kernel's slots."""
    mind = hero.attributes[5] + (0 if bout.rulings.magica_cap == "mind" else bout.numbers.rounds)
    known = tuple(
        name
        for name in rules.spells
        if name in hero.spells and max(0, rules.spells[name].base - bout.numbers.ambient) <= mind
    )
    return known if number else ()


def _said(what: int) -> tuple[int, int, int, int]:
    """Kind, target, slot and number of an option."""
    rest, number = divmod(what, 256)
    rest, slot = divmod(rest, 32)
    kind, target = divmod(rest, 16)
    return kind, target, slot - 1, number


def _deed(kind: int, target: int, slot: int, number: int, names: list[str], spells: tuple[str, ...]) -> str:
    if kind == ATTACK:
        return f"attack {names[target - 1]}" + (f", buying {number} stress" if number else "")
    if kind == CAST:
        at = f" at {names[target - 1]}" if target else ""
        return f"cast {spells[slot]}{at}" + (f" with {number} extra magica" if number else "")
    return "defend" if kind == DEFEND else "end the turn"


def _state(key: int, plan: Plan, names: list[str]) -> str:
    actions = (key >> PLACE_BITS) & ((1 << ACTION_BITS) - 1)
    state, who = key >> STATE_SHIFT, plan.who
    parts = []
    for creature in range(len(who)):
        wounds, stress, magica, armor, defending = (
            int((state >> int(who[creature, at])) & int(who[creature, at + 1]))
            for at in (AT_WOUNDS, AT_STRESS, AT_MAGICA, AT_ARMOR, AT_DEFENDING)
        )
        most, capacity = int(who[creature, MOST]), int(who[creature, CAPACITY])
        if wounds > most:
            continue
        more = f", {magica} magica" if who[creature, MAGICA_TOP] else ""
        more += ", armored" if armor else ""
        more += ", defending" if defending else ""
        name = names[creature - 1] if creature else "hero"
        parts.append(f"{name} {wounds}/{most} wounds {stress}/{capacity} stress{more}")
    return f"{actions} AP, {'; '.join(parts)}"

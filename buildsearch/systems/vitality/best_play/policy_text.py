"""A policy in words: how often each action is taken, and in which situations."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby

import numpy as np

from buildsearch.model.loadouts import Use
from buildsearch.systems.vitality.best_play.optimum import Optimum
from buildsearch.systems.vitality.best_play.playthrough import Playthrough
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.exact.transitions import fields_of_one
from buildsearch.systems.vitality.mechanics.limits import ATTACK, BASIC, CHARGE

_MOST_LINES = 24
_RARE = 5e-4


def letter(attack: int) -> str:
    """A, B, C, ... for the attacks of a loadout."""
    return chr(ord("A") + attack)


def shares(build: Build, optimum: Optimum, played: Playthrough) -> dict[str, float]:
    """The share of turns of each action, the most frequent first."""
    return {use.action: use.share for use in uses(build, optimum, played)}


def uses(build: Build, optimum: Optimum, played: Playthrough) -> list[Use]:
    """How often each action is taken, the most frequent first."""
    turns = np.bincount(played.policy.ravel(), played.seen.ravel(), len(optimum.graph.choices))
    found: dict[tuple[int | None, str], float] = defaultdict(float)
    for number in np.flatnonzero(turns):
        choice = optimum.graph.choices[number]
        part = int(choice["which"]) if choice["kind"] == ATTACK else None
        found[part, _action(build, optimum, int(number))] += float(turns[number] / turns.sum())
    ordered = sorted(found.items(), key=lambda item: -item[1])
    return [Use(part, action, share) for (part, action), share in ordered]


def describe(build: Build, optimum: Optimum, played: Playthrough) -> tuple[str, ...]:
    """Lines for people: shares of turns, then situations with what to do by the enemy's HP."""
    lines = [f"{letter(i)}: {_name(attack)}" for i, attack in enumerate(build.attacks)]
    said = ", ".join(f"{action} {share:.1%}" for action, share in shares(build, optimum, played).items())
    lines.append(f"turns: {said}")
    found = _situations(build, optimum, played)
    total = sum(weight for weight, _ in found)
    for weight, text in found[:_MOST_LINES]:
        if weight >= _RARE * total:
            lines.append(f"{weight / total:6.1%}  {text}")
    if len(found) > _MOST_LINES:
        rest = sum(weight for weight, _ in found[_MOST_LINES:])
        lines.append(f"{rest / total:6.1%}  in {len(found) - _MOST_LINES} other situations")
    return tuple(lines)


def _situations(build: Build, optimum: Optimum, played: Playthrough) -> list[tuple[float, str]]:
    """(turns spent, text): by enemy, counters, retaliation and own HP, what is done at which HP."""
    hp_of, place_of, bleeds = _fields(optimum)
    chosen: dict[tuple[int, str], dict[int, dict[str, float]]] = {}
    weights: dict[tuple[int, str], float] = defaultdict(float)
    for field, state, event, k in np.argwhere(played.seen > 0):
        number = int(played.policy[field, state, event, k])
        seen = float(played.seen[field, state, event, k])
        key = (int(place_of[field]), _situation(optimum, int(state), int(event), int(k), bool(bleeds[field])))
        by_hp = chosen.setdefault(key, defaultdict(lambda: defaultdict(float)))
        by_hp[int(hp_of[field])][_action(build, optimum, number)] += seen
        weights[key] += seen
    found = []
    for (place, text), by_hp in chosen.items():
        where = f"enemy {place + 1}, " if len(optimum.places) > 1 else ""
        # With a bleed pending the choice may differ within one HP: the usual one is said.
        usual = [(hp, max(by_hp[hp], key=lambda action: by_hp[hp][action])) for hp in sorted(by_hp)]
        found.append((weights[place, text], f"{where}{text}: {_ranges(usual)}"))
    return sorted(found, key=lambda item: (-item[0], item[1]))


def _ranges(usual: list[tuple[int, str]]) -> str:
    parts = []
    for action, run in groupby(usual, key=lambda item: item[1]):
        hps = [hp for hp, _ in run]
        span = f"{hps[0]}" if len(hps) == 1 else f"{hps[0]}-{hps[-1]}"
        parts.append(f"{action} at {span} HP")
    return "; ".join(parts)


def _fields(optimum: Optimum) -> tuple[list[int], list[int], list[bool]]:
    ticks = optimum.loadout.ticks
    hp_of: list[int] = []
    place_of: list[int] = []
    bleeds: list[bool] = []
    for place, each in enumerate(optimum.places):
        for hp in range(1, int(each["max_hp"]) + 1):
            pending = 1 + hp * ticks
            hp_of += [hp] * pending
            bleeds += [False] + [True] * (pending - 1)
        place_of += [place] * int(fields_of_one(int(each["max_hp"]), ticks))
    return hp_of, place_of, bleeds


def _situation(optimum: Optimum, state: int, event: int, k: int, bleeding: bool) -> str:
    loadout, values = optimum.loadout, optimum.graph.values[state]
    tops = optimum.graph.values.max(axis=0)
    words = []
    if tops[0] > 0:
        words.append(f"turn {values[0] + 1}" + ("+" if values[0] == tops[0] else ""))
    bits = ("attacked", "did damage", "defeated an enemy", "hit the target")
    words += [f"{bit} last turn" for bit, value in zip(bits, values[1:5], strict=True) if value]
    for i, limit in enumerate(loadout.limits):
        uses, held, rest, channel = values[5 + 4 * i : 9 + 4 * i]
        name = letter(i)
        if limit["uses"] > 0:
            words.append(f"{name} has {uses} left")
        if held:
            words.append(f"{name} charged {held}")
        if rest:
            words.append(f"{name} rests {rest}")
        if channel:
            words.append(f"{name} channelled {channel}")
    if loadout.classes > 1:
        names = ("all missed", "hit unharmed", "damaged")
        met = [name for name, number in zip(names, loadout.class_of, strict=True) if number == event]
        words.append("not attacked" if event == loadout.classes else " or ".join(met))
    if loadout.hp_size > 1:
        words.append(f"own HP {'up to ' if k == 0 else ''}{loadout.floor + k}")
    if bleeding:
        words.append("bleeding")
    return ", ".join(words) or "nothing held, nothing resting"


def _name(attack: Attack) -> str:
    return "+".join((attack.type, *attack.enhancements))


def _action(build: Build, optimum: Optimum, number: int) -> str:
    choice = optimum.graph.choices[number]
    kind, which = int(choice["kind"]), int(choice["which"])
    if kind == BASIC:
        return f"basic {build.attacks[optimum.loadout.basics[which]].type}"
    if kind == CHARGE:
        return f"charge {letter(which)}"
    return letter(which) if kind == ATTACK else "wait"

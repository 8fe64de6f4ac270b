"""Random cases of every game. A case depends on its game, the seed and its number alone.

Enemies are few and weak, so that solving them takes milliseconds; eight builds share rules and a fight,
so that rules are read once for all of them.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from zlib import crc32

import numpy as np

import buildsearch
from tests.digest.cases import Case
from tests.digest.engines import setting_of
from tests.digest.fights import GAMES, one, some
from tests.digest.spaces import alternatives, numbers, samples

SHARED = 8
# What changes no fight, or what a game's spaces are drawn by.
FIXED = re.compile(
    r"(name|section|says|cost|points|most|kind|id|source|system|extends|default_scenarios|spend_all|status_cards"
    r"|rank|hands|bond_level|least|levels)$|^(tiers|archetypes|rulings|presets|deck|raises|limits\.(points|max|gear"
    r"|rank|effects|elements|stage|lower)|attributes|stats|sizes)"
)
_DICE = ("d4", "d6", "d8", "d10", "d12")
_STEPS = (-2, -1, 1, 2, 3)


def draw(game: str, seed: int, number: int) -> Case:
    """The case of this number."""
    case, builds = _drawn(game, seed, number // SHARED)
    return replace(case, build=builds[number % SHARED], number=number)


@lru_cache(maxsize=4)
def _drawn(game: str, seed: int, setting: int) -> tuple[Case, list[str]]:
    rng = np.random.default_rng([seed, crc32(game.encode()), setting])
    case = GAMES[_system_of(game)](Case(game), rng)
    rulings = {
        text.split("=")[0]: text for text in some(rng, alternatives(game), rng.choice((0, 0, 1, 2, 3)))
    }
    overrides = _overrides(rng, game, int(rng.choice((0, 0, 1, 1, 2, 3))))
    case = _legal(replace(case, rulings=tuple(rulings.values()), overrides=case.overrides + overrides), case)
    touched = tuple(dict.fromkeys(part for text in overrides for part in text.split("=")[0].split(".")[1:2]))
    builds = samples(case, rng, SHARED, touched)
    if case.parameters.get("archetype"):
        # A loadout of one to three attacks.
        more = [samples(case, rng, int(rng.integers(0, 3))) for _ in builds]
        most = 2 if case.parameters["archetype"] == "dual_natured" else 3
        builds = [" | ".join([build, *others][:most]) for build, others in zip(builds, more, strict=True)]
    if _has_one_card(case):
        cards = [*case.scenarios["combatants"]["a"]["deck"], "light_attack"]
        builds = [f"{build.split('/')[0]}/ {one(rng, *cards)}*12" for build in builds]
    return case, builds


def _system_of(game: str) -> str:
    """Editions of one game are drawn alike."""
    return game.partition("-")[0]


def _legal(case: Case, without: Case) -> Case:
    """The case with as many of its changes as are legal together, the last ones left out first."""
    while True:
        try:
            setting_of(case)
        except buildsearch.BuildsearchError:
            if case.overrides == without.overrides:
                raise
            case = replace(case, overrides=case.overrides[:-1])
        else:
            return case


def _overrides(rng: np.random.Generator, game: str, count: int) -> tuple[str, ...]:
    known = {path: value for path, value in numbers(game).items() if not FIXED.search(path) and moves(value)}
    found = []
    for path in some(rng, tuple(known), count):
        value = known[path]
        if isinstance(value, bool):
            other = not value
        elif isinstance(value, str):
            other = rng.choice([die for die in _DICE if die != value])
        elif isinstance(value, float):
            other = value * float(rng.choice((0.5, 2.0)))
        else:
            other = max(value + int(rng.choice(_STEPS)), 0 if value >= 0 else -9)
        found.append(f"{path}={json.dumps(other) if not isinstance(value, str) else other}")
    return tuple(found)


def moves(value: object) -> bool:
    """Whether a value of the rules is a number: a word is not changed."""
    return value in _DICE if isinstance(value, str) else True


def _has_one_card(case: Case) -> bool:
    """Whether everybody has one kind of card: such duels are solved, if the build does as well."""
    return len((case.scenarios or {}).get("combatants", {}).get("a", {}).get("deck", ())) == 1

"""What cases are drawn and shrunk from: the builds and the numbers of a game."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import buildsearch
from buildsearch.model.space import Wanted
from tests.digest.cases import Case
from tests.digest.engines import setting_of


def samples(case: Case, rng: np.random.Generator, number: int, features: tuple[str, ...] = ()) -> list[str]:
    """Random legal builds: half of them with one of these features, most others with any one or two.

    Each option gets its share so: among all builds of a budget few have the dear ones.
    """
    space = setting_of(case).space
    wishes = [wish for wish in (Wanted(with_features=(each,)) for each in features) if _holds(space, wish)]
    groups = [Wanted(groups=(group,)) for group, builds in space.count(Wanted()).items() if builds]
    parts = sorted(set(space.parts(Wanted())))
    found = []
    for _ in range(number):
        wanted = groups[int(rng.integers(len(groups)))]
        pair = tuple(parts[i] for i in rng.choice(len(parts), size=2, replace=False))
        if wishes and rng.random() < 0.5:
            wanted = wishes[int(rng.integers(len(wishes)))]
        elif rng.random() < 0.7:
            some = (Wanted(with_features=each) for each in (pair, pair[:1], pair[1:]))
            wanted = next((each for each in some if _holds(space, each)), wanted)
        found.append(space.name(space.sample(wanted, 1, rng)[0]))
    return found


def _holds(space: Any, wanted: Wanted) -> bool:
    """A name that is no feature of a build is no wish."""
    try:
        return any(space.count(wanted).values())
    except buildsearch.BuildsearchError:
        return False


def options_of(case: Case) -> list[str]:
    """What its build has."""
    space = setting_of(case).space
    return [feature.name for feature in space.features(space.parse(case.build))]


def simpler_builds(case: Case) -> list[str]:
    """Neighbours with less in them, the least first."""
    space = setting_of(case).space
    attacks = case.build.split(" | ")
    found = [" | ".join(attacks[:i] + attacks[i + 1 :]) for i in range(len(attacks)) if len(attacks) > 1]
    build = space.parse(case.build)
    size = _size(space, build)
    others = sorted((each for each in space.neighbours(build)), key=lambda each: _size(space, each))
    return found + [space.name(each) for each in others if _size(space, each) < size]


def _size(space: Any, build: Any) -> tuple[int, int]:
    return sum(each.level for each in space.features(build)), space.cost(build)


@cache
def alternatives(game: str) -> tuple[str, ...]:
    """Every other ruling, as `name=value`."""
    setting = setting_of(_plain(game))
    return tuple(text for each in setting.system.variations(setting.rules) for text in each.rulings)


@cache
def numbers(game: str) -> dict[str, Any]:
    """The values of a rules file by their key path."""
    setting = setting_of(_plain(game))
    found: dict[str, Any] = {}

    def walk(value: Any, path: tuple[str, ...]) -> None:
        if isinstance(value, dict):
            for name, inner in value.items():
                walk(inner, (*path, str(name)))
        elif isinstance(value, int | float | str):
            found[".".join(path)] = value

    walk(setting.rules.model_dump(mode="json", by_alias=True, exclude_unset=True), ())
    return found


def _plain(game: str) -> Case:
    return Case(game, only=_FIRST[game])


_FIRST = {
    "vitality-v2": "boss",
    "vitality-v1": "boss",
    "armitage": "sample",
    "armitage-text": "sample",
    "dungeoneers": "patrol",
    "animon-story": "duel",
}

"""The loadouts of a report: what they are made of, what each attack adds, how often it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.model.errors import UsageError
from buildsearch.report.html.loadout_source import LoadoutSource
from buildsearch.report.html.numbers import short, shorts
from buildsearch.report.loadout_files import JOINED
from buildsearch.search.race import TIE

# More loadouts than this make a file larger, and nobody wiser.
MOST_ROWS = 400


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows, and the groups and parts that they refer to by number."""

    rows: list[dict[str, Any]]
    names: tuple[str, ...]
    groups: tuple[str, ...]


def loadout_rows(source: LoadoutSource, most: int = MOST_ROWS) -> Table:
    """The best loadouts as the page wants them; raises UsageError for files that optimize did not write."""
    try:
        return _table(source, most)
    except (KeyError, ValueError, TypeError) as error:
        raise UsageError(f"loadouts.csv or usage.csv is not what optimize writes: {error!r}.") from error


def _table(source: LoadoutSource, most: int) -> Table:
    names, fights = tuple(source.space.feature_names), list(source.weights)
    place = {name: i for i, name in enumerate(names)}
    scores = [float(line["score"]) for line in source.loadouts]
    usage = _usage(source)
    groups: dict[str, int] = {}
    rows = []
    for line, score in zip(source.loadouts[:most], scores, strict=False):
        attacks = []
        for number, name in enumerate(line["loadout"].split(JOINED), start=1):
            attack = _attack(source, name, place, groups)
            attack["gains"] = shorts(float(line[f"contribution_{number}_{fight}"]) for fight in fights)
            attacks.append(attack)
        parts = Counter({part: 0 for attack in attacks for part, _ in attack["parts"]})
        for attack in attacks:
            parts.update(dict(attack["parts"]))
        better = sum(other < score - TIE for other in scores)
        rows.append(
            {
                "build": line["loadout"],
                "rank": better + 1,
                "ranks": [better + 1, better + 1],
                "tied": sum(abs(other - score) <= TIE for other in scores),
                "groups": sorted({attack["group"] for attack in attacks}),
                "parts": [list(each) for each in sorted(parts.items())],
                "attacks": attacks,
                "cost": sum(attack["cost"] for attack in attacks),
                "score": short(score),
                "half": None,
                "means": shorts(float(line[fight]) for fight in fights),
                "halves": [None] * len(fights),
                "flags": "",
                "status": line["status"],
                "gap": short(float(line["gap"])),
                "synergy": shorts(float(line[f"synergy_{fight}"]) for fight in fights),
                "usage": usage.get(line["loadout"], []),
            }
        )
    return Table(rows, names, tuple(groups))


def _attack(
    source: LoadoutSource, name: str, place: Mapping[str, int], groups: dict[str, int]
) -> dict[str, Any]:
    space = source.space
    build = space.parse(name)
    group = space.encode(build).group
    return {
        "name": name,
        "group": groups.setdefault(group, len(groups)),
        "parts": [[place[feature.name], feature.level] for feature in space.features(build)],
        "cost": space.cost(build),
    }


def _usage(source: LoadoutSource) -> dict[str, list[list[Any]]]:
    """By loadout: [action, its share of turns by fight], the most frequent on the whole first."""
    fights = list(source.weights)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for line in source.usage:
        actions = found.setdefault(line["loadout"], {})
        actions.setdefault(line["attack"], {})[line["scenario"]] = float(line["share"])
    rows = {}
    for loadout, actions in found.items():
        attacks = {name: say_attack(source, name) for name in loadout.split(JOINED)}
        ordered = sorted(
            actions.items(), key=lambda item: -sum(source.weights[f] * share for f, share in item[1].items())
        )
        rows[loadout] = [
            [_action(source, action, attacks), shorts(its.get(fight, 0.0) for fight in fights)]
            for action, its in ordered
        ]
    return rows


def say_attack(source: LoadoutSource, name: str) -> str:
    """An attack in the rules' own words."""
    features = source.space.features(source.space.parse(name))
    return " + ".join(source.titles.get(feature.name, feature.name) for feature in features)


def _action(source: LoadoutSource, action: str, attacks: Mapping[str, str]) -> str:
    """`charge NAME` and its like, the name in the rules' own words."""
    if action in attacks:
        return attacks[action]
    verb, space, name = action.partition(" ")
    return verb + space + attacks.get(name, source.titles.get(name, name))


def common_attacks(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How many of the loadouts take each attack, and the best place of one that does."""
    count = Counter(name for row in rows for name in {attack["name"] for attack in row["attacks"]})
    first = {attack["name"]: (row, attack) for row in reversed(rows) for attack in row["attacks"]}
    found = [
        {
            "parts": first[name][1]["parts"],
            "share": short(number / len(rows)),
            "loadouts": number,
            "best": first[name][0]["rank"],
        }
        for name, number in count.items()
    ]
    return sorted(found, key=lambda each: (-each["loadouts"], each["best"]))

"""The loadouts of a report: what they are made of, what each member adds, how often it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import TIE
from buildsearch.report.html.loadout_source import LoadoutSource
from buildsearch.report.html.number_format import short, shorts
from buildsearch.report.loadout_files import JOINED

# More loadouts than this make a file larger, and nobody wiser.
MOST_ROWS = 400


@dataclass(frozen=True, slots=True, eq=False)
class LoadoutTable:
    """Rows, and the groups and parts that they refer to by number."""

    rows: list[dict[str, Any]]
    names: tuple[str, ...]
    groups: tuple[str, ...]


def loadout_rows(source: LoadoutSource, most: int = MOST_ROWS) -> LoadoutTable:
    """The best loadouts as the page wants them; raises UsageError for files that optimize did not write."""
    try:
        return _table(source, most)
    except (KeyError, ValueError, TypeError) as error:
        raise UsageError(f"loadouts.csv or usage.csv is not what optimize writes: {error!r}.") from error


def _table(source: LoadoutSource, most: int) -> LoadoutTable:
    names, fights = tuple(source.space.feature_names), list(source.weights)
    place = {name: i for i, name in enumerate(names)}
    scores = [float(line["score"]) for line in source.loadouts]
    usage = _usage(source)
    groups: dict[str, int] = {}
    rows = []
    for line, score in zip(source.loadouts[:most], scores, strict=False):
        members = []
        for number, name in enumerate(line["loadout"].split(JOINED), start=1):
            member = _member(source, name, place, groups)
            member["gains"] = shorts(float(line[f"contribution_{number}_{fight}"]) for fight in fights)
            members.append(member)
        parts = Counter({part: 0 for member in members for part, _ in member["parts"]})
        for member in members:
            parts.update(dict(member["parts"]))
        better = sum(other < score - TIE for other in scores)
        rows.append(
            {
                "build": line["loadout"],
                "rank": better + 1,
                # Where fights were sampled a rank may be a range.
                "ranks": [int(line.get("rank_low", better + 1)), int(line.get("rank_high", better + 1))],
                "tied": sum(abs(other - score) <= TIE for other in scores),
                "groups": sorted({member["group"] for member in members}),
                "parts": [list(each) for each in sorted(parts.items())],
                "members": members,
                "cost": sum(member["cost"] for member in members),
                "score": short(score),
                "half": _half(line, "score"),
                "means": shorts(float(line[f"{fight}_{source.metrics[0].name}"]) for fight in fights),
                "halves": [_half(line, fight) for fight in fights],
                "flags": "",
                "status": line["status"],
                "gap": short(float(line["gap"])),
                "synergy": shorts(float(line[f"synergy_{fight}"]) for fight in fights),
                "usage": usage.get(line["loadout"], []),
            }
        )
    return LoadoutTable(rows, names, tuple(groups))


def _half(line: Mapping[str, str], name: str) -> float | None:
    """Half the width of a sampled number's interval; an exact one has none."""
    low, high = line.get(f"{name}_low"), line.get(f"{name}_high")
    if low is None or high is None or low == high:
        return None
    return short((float(high) - float(low)) / 2)


def _member(
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
    """By loadout: [action, its share of the time by fight], the most frequent on the whole first."""
    fights = list(source.weights)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for line in source.usage:
        actions = found.setdefault(line["loadout"], {})
        actions.setdefault(line["action"], {})[line["scenario"]] = float(line["share"])
    rows = {}
    for loadout, actions in found.items():
        members = {name: say_member(source, name) for name in loadout.split(JOINED)}
        ordered = sorted(
            actions.items(), key=lambda item: -sum(source.weights[f] * share for f, share in item[1].items())
        )
        rows[loadout] = [
            [_action(source, action, members), shorts(its.get(fight, 0.0) for fight in fights)]
            for action, its in ordered
        ]
    return rows


def say_member(source: LoadoutSource, name: str) -> str:
    """An member in the rules' own words."""
    features = source.space.features(source.space.parse(name))
    return " + ".join(source.titles.get(feature.name, feature.name) for feature in features)


def _action(source: LoadoutSource, action: str, members: Mapping[str, str]) -> str:
    """`charge NAME` and its like, the name in the rules' own words."""
    if action in members:
        return members[action]
    verb, space, name = action.partition(" ")
    return verb + space + members.get(name, source.titles.get(name, name))


def common_members(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How many of the loadouts take each member, and the best place of one that does."""
    count = Counter(name for row in rows for name in {member["name"] for member in row["members"]})
    first = {member["name"]: (row, member) for row in reversed(rows) for member in row["members"]}
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

"""A search for loadouts as a page: leaderboard, synergy, contributions and usage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from buildsearch.analysis.loadout_verdict import LoadoutVerdict
from buildsearch.document.numbers import short, shorts
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import TIE, Metric
from buildsearch.model.rules_file import Option
from buildsearch.model.space import BuildSpace
from buildsearch.report.html.summary import as_evidence, say_parameters, say_scenarios, vocabulary
from buildsearch.report.loadout_files import JOINED
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.search.loadouts.search import BEST_FOUND, OPTIMAL, SWAP_OPTIMAL

Lines = Sequence[Mapping[str, str]]


class Sentence(NamedTuple):
    """A short statement, and what belongs to it."""

    head: str
    rest: str
    is_bad: bool = False


@dataclass(frozen=True, eq=False)
class LoadoutSource:
    """Loadouts, the best first, and how often their actions are taken, as the files have them."""

    title: str
    system: str
    record: LoadoutRecord
    space: BuildSpace
    weights: Mapping[str, float]  # of every fight, by its name
    metrics: Sequence[Metric]
    options: Sequence[Option]
    loadouts: Lines
    usage: Lines
    verdict: LoadoutVerdict

    @cached_property
    def titles(self) -> dict[str, str]:
        return {option.id: option.name for option in self.options}


# More make a file larger and tell nothing new.
MOST_ROWS = 400


def _rows(source: LoadoutSource, most: int, groups: dict[str, int]) -> list[dict[str, Any]]:
    """The best loadouts; `groups` gets those of their builds."""
    fights = list(source.weights)
    place = {name: i for i, name in enumerate(source.space.feature_names)}
    scores = [float(line["score"]) for line in source.loadouts]
    usage = _usage(source)
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
    return rows


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


_MOST_MEMBERS = 60
_PROVED = {
    OPTIMAL: "no loadout of the candidates is better",
    SWAP_OPTIMAL: "no exchange of one of its builds makes it better",
    BEST_FOUND: "the best that was found",
}


def loadout_content(source: LoadoutSource, most: int = MOST_ROWS) -> dict[str, Any]:
    """All of it, `most` loadouts at the most; raises UsageError for files that optimize did not write."""
    groups: dict[str, int] = {}
    try:
        rows = _rows(source, most, groups)
    except (KeyError, ValueError, TypeError) as error:
        raise UsageError(f"loadouts.csv or usage.csv is not what optimize writes: {error!r}.") from error
    return {
        "kicker": "Loadouts",
        "title": source.title,
        "facts": _facts(source),
        "summary": [*_health(source), *_summary(source, rows[0])],
        "findings": [as_evidence(each) for each in source.verdict.findings],
        "has_board": True,
        "is_partial": source.record.incomplete,
        "data": _data(source, rows, groups),
    }


def _data(source: LoadoutSource, rows: list[dict[str, Any]], groups: Mapping[str, int]) -> dict[str, Any]:
    names = source.space.feature_names
    seen = {part for row in rows for part, _ in row["parts"]}
    return {
        **vocabulary(source.options, names, groups, source.weights, source.metrics),
        "kind": "loadouts",
        "member": source.record.member,
        "noun": "loadout",
        "free": [part for part in sorted(seen) if names[part] not in groups],
        "groupedBy": source.space.grouped_by,
        "score": {"label": source.metrics[0].label, "up": source.metrics[0].higher_is_better},
        "hasCosts": any(row["cost"] for row in rows),
        "builds": max(source.record.loadouts, len(source.loadouts)),
        "rows": rows,
        "members": common_members(rows)[:_MOST_MEMBERS],
    }


def _facts(source: LoadoutSource) -> list[tuple[str, str]]:
    record = source.record
    found = [
        ("Rules", f"{source.title} ({source.system})"),
        *say_parameters(source.space.parameters),
        ("Scenarios", say_scenarios(source.weights)),
        ("Candidates", f"{record.candidates:,}"),
        ("Loadouts", f"{record.loadouts:,}"),
        ("Scored", f"{record.scored:,}"),
        ("Seed", str(record.request.seed)),
        ("buildsearch", record.buildsearch),
    ]
    return [(name, value) for name, value in found if value]


def _health(source: LoadoutSource) -> list[Sentence]:
    """How far ahead the best loadout is, and what is wrong by kind."""
    found = source.verdict.findings
    by_kind: dict[str, list[str]] = {}
    for each in found:
        named = by_kind.setdefault(each.code, [])
        if each.subjects:
            named.append(" + ".join(source.titles.get(name, name) for name in each.subjects))
    health = Sentence("Health", source.verdict.health, is_bad=bool(found))
    return [health] + [
        Sentence(kind.capitalize(), f"{'; '.join(named)}." if named else "", is_bad=True)
        for kind, named in by_kind.items()
    ]


def _summary(source: LoadoutSource, row: dict[str, Any]) -> list[Sentence]:
    """The best loadout, what its builds do together and alone, what is proved."""
    members = [say_member(source, name) for name in row["build"].split(JOINED)]
    label = source.metrics[0].label
    proved = _PROVED.get(row["status"], row["status"])
    error = f", give or take {row['half']:.2g}" if row["half"] else ""
    best = f"{JOINED.join(members)}. It scores {row['score']:.4g} ({label}{error}): {proved}."
    sentences = [Sentence("The best loadout", best)]
    gain, fights = _mean(source, row["synergy"]), list(source.weights)
    most = max(range(len(fights)), key=lambda i: row["synergy"][i] or 0.0)
    if gain is not None and gain > 0:
        said = f"It is better by {gain:.3g} than the best of its {source.record.member}s alone"
        said += f"; most in {fights[most]} ({row['synergy'][most]:.3g})." if len(fights) > 1 else "."
        sentences.append(Sentence("Together", said))
    losses = [_mean(source, member["gains"]) for member in row["members"]]
    said = "; ".join(f"{name} ({loss:.3g})" for name, loss in zip(members, losses, strict=True) if loss)
    if said:
        sentences.append(Sentence("What it would lose without", f"{said}."))
    # What is known about loadouts that were not looked at. Reasons that begin with = prove that none is lost.
    if row["gap"] is not None:
        floor = row["score"] - row["gap"]
        said = f"No loadout of these candidates scores below {floor:.4g}: at most {row['gap']:.3g} is missed."
        sentences.append(Sentence("What is proved", said))
    left_out = source.record.left_out.items()
    if reasons := [f"{number:,}: {why}" for why, number in left_out if not why.startswith("=")]:
        head = f"{source.record.member.capitalize()}s that were not tried"
        sentences.append(Sentence(head, f"{'; '.join(reasons)}.", is_bad=True))
    return sentences


def _mean(source: LoadoutSource, values: Sequence[float | None]) -> float | None:
    weights = list(source.weights.values())
    pairs = [(weight, value) for weight, value in zip(weights, values, strict=True) if value is not None]
    total = sum(weight for weight, _ in pairs)
    return short(sum(weight * value for weight, value in pairs) / total) if total else None

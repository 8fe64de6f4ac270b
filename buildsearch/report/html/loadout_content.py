"""A search for loadouts as a page: leaderboard, synergy, contributions and usage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from buildsearch.report.html.loadout_rows import (
    MOST_ROWS,
    LoadoutTable,
    common_members,
    loadout_rows,
    say_member,
)
from buildsearch.report.html.loadout_source import LoadoutSource
from buildsearch.report.html.number_format import short
from buildsearch.report.html.summary import Sentence, as_evidence, say_parameters, say_scenarios
from buildsearch.report.html.vocabulary import vocabulary
from buildsearch.report.loadout_files import JOINED
from buildsearch.search.loadouts.search import BEST_FOUND, OPTIMAL, SWAP_OPTIMAL

_MOST_MEMBERS = 60
_PROVED = {
    OPTIMAL: "no loadout of the candidates is better",
    SWAP_OPTIMAL: "no exchange of one of its builds makes it better",
    BEST_FOUND: "the best that was found",
}


def loadout_content(source: LoadoutSource, most: int = MOST_ROWS) -> dict[str, Any]:
    """All of it; `most` loadouts at the most."""
    table = loadout_rows(source, most)
    return {
        "kicker": "Loadouts",
        "title": source.title,
        "facts": _facts(source),
        "summary": [*_health(source), *_summary(source, table.rows[0])],
        "findings": [] if source.verdict is None else [as_evidence(each) for each in source.verdict.findings],
        "has_board": True,
        "is_partial": source.record.incomplete,
        "data": _data(source, table),
    }


def _data(source: LoadoutSource, table: LoadoutTable) -> dict[str, Any]:
    seen = {part for row in table.rows for part, _ in row["parts"]}
    free = [part for part in sorted(seen) if table.names[part] not in table.groups]
    return {
        **vocabulary(source.options, table.names, table.groups, source.weights, source.metrics),
        "kind": "loadouts",
        "member": source.member,
        "noun": "loadout",
        "free": free,
        "groupedBy": source.space.grouped_by,
        "score": {"label": source.metrics[0].label, "up": source.metrics[0].higher_is_better},
        "hasCosts": any(row["cost"] for row in table.rows),
        "builds": max(source.record.loadouts, len(source.loadouts)),
        "rows": table.rows,
        "members": common_members(table.rows)[:_MOST_MEMBERS],
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
    if source.verdict is None:
        return []
    found = source.verdict.findings
    kinds = dict.fromkeys(finding.code for finding in found)
    sentences = [Sentence("Health", source.verdict.health, is_bad=bool(found))]
    for kind in kinds:
        named = [
            " + ".join(source.titles.get(name, name) for name in each.subjects)
            for each in found
            if each.code == kind
        ]
        said = "; ".join(name for name in named if name)
        sentences.append(Sentence(kind.capitalize(), f"{said}." if said else "", is_bad=True))
    return sentences


def _summary(source: LoadoutSource, row: dict[str, Any]) -> list[Sentence]:
    """The best loadout, what its builds do together and alone, what is proved."""
    members = [say_member(source, name) for name in row["build"].split(JOINED)]
    label = source.metrics[0].label
    proved = _PROVED.get(row["status"], row["status"])
    error = f", give or take {row['half']:.2g}" if row["half"] else ""
    best = f"{JOINED.join(members)}. It scores {row['score']:.4g} ({label}{error}): {proved}."
    sentences = [Sentence("The best loadout", best, is_bad=False)]
    gain = _mean(source, row["synergy"])
    fights = list(source.weights)
    most = max(range(len(fights)), key=lambda i: row["synergy"][i] or 0.0)
    if gain is not None and gain > 0:
        said = f"It is better by {gain:.3g} than the best of its {source.member}s alone"
        said += f"; most in {fights[most]} ({row['synergy'][most]:.3g})." if len(fights) > 1 else "."
        sentences.append(Sentence("Together", said, is_bad=False))
    losses = [_mean(source, member["gains"]) for member in row["members"]]
    said = "; ".join(f"{name} ({loss:.3g})" for name, loss in zip(members, losses, strict=True) if loss)
    if said:
        sentences.append(Sentence("What it would lose without", f"{said}.", is_bad=False))
    sentences += _limits(source, row)
    return sentences


def _limits(source: LoadoutSource, row: dict[str, Any]) -> list[Sentence]:
    """What is known about loadouts that were not looked at."""
    found = []
    if row["gap"] is not None:
        floor = row["score"] - row["gap"]
        said = f"No loadout of these candidates scores below {floor:.4g}: at most {row['gap']:.3g} is missed."
        found.append(Sentence("What is proved", said, is_bad=False))
    left_out = source.record.left_out
    # Reasons that begin with = prove that nothing is lost.
    reasons = [f"{number:,}: {why}" for why, number in left_out.items() if not why.startswith("=")]
    if reasons:
        found.append(
            Sentence(
                f"{source.member.capitalize()}s that were not tried", f"{'; '.join(reasons)}.", is_bad=True
            )
        )
    return found


def _mean(source: LoadoutSource, values: Sequence[float | None]) -> float | None:
    weights = list(source.weights.values())
    pairs = [(weight, value) for weight, value in zip(weights, values, strict=True) if value is not None]
    total = sum(weight for weight, _ in pairs)
    return short(sum(weight * value for weight, value in pairs) / total) if total else None

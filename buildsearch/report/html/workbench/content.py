"""What the page is told beside the builds: words, prices, levers, thresholds, how edits are written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.edit_table import EditTable
from buildsearch.model.evaluation import TIE, Metric, Scale
from buildsearch.model.levers import CUTS, RAISES, Edit, Lever, Put
from buildsearch.model.text import count
from buildsearch.report.html.summary import say_parameters, vocabulary
from buildsearch.report.html.workbench.packing import KeptBuilds
from buildsearch.version import __version__


@dataclass(frozen=True, slots=True)
class RulesFile:
    """How a file begins that extends the rules and changes some values; `why_not` says why there is none."""

    name: str
    head: Mapping[str, Any]
    why_not: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WorkbenchSource:
    """Everything that a workbench is made from. `commands` are what to type, by what it does."""

    title: str
    system: str
    run: str
    table: EditTable
    levers: Sequence[Lever]
    limits: Thresholds
    metrics: Sequence[Metric]
    file: RulesFile
    commands: Mapping[str, str]
    is_partial: bool = False
    proposals: Sequence[tuple[str, Sequence[Edit]]] = ()  # what `balance` found, each with its text


def has_prices(levers: Sequence[Lever]) -> bool:
    return any(edit.kind in (RAISES, CUTS) for lever in levers for edit in lever.edits)


def page_data(source: WorkbenchSource, kept: KeptBuilds) -> dict[str, Any]:
    """All of it as JSON; names are put on the page as text only."""
    table = source.table
    population, scores = table.population, table.population.scores
    weights = dict(zip(scores.fights, scores.weights.tolist(), strict=True))
    prices = table.subject.prices
    return {
        **vocabulary(table.subject.options, population.names, scores.groups, weights, source.metrics),
        "kind": "workbench",
        "groupIds": list(scores.groups),
        "groupedBy": table.subject.space.grouped_by,
        "rows": len(kept.rows),
        "builds": len(scores),
        "leftOut": kept.left_out,
        "complete": kept.complete,
        "sure": kept.sure,
        "headroom": table.headroom,
        "least": None if table.subject.least is None else list(table.subject.least),
        "free": population.free.tolist(),
        "stats": population.stats.tolist(),
        "most": population.most.tolist(),
        "fixed": _fixed(table),
        "prices": [prices.get(name) for name in population.names],
        "accounts": _accounts(table),
        "score": _score(source),
        "canWeigh": _is_weighted_mean(table),
        "limits": source.limits.verdict.model_dump(mode="json"),
        "tie": TIE,
        "file": {
            "name": source.file.name,
            "head": dict(source.file.head),
            "whyNot": source.file.why_not,
        },
        "commands": dict(source.commands),
        "proposals": [
            {"label": _label(edits, source), "text": text, "edits": [edit.text for edit in edits]}
            for text, edits in source.proposals
        ],
    }


def lever_data(source: WorkbenchSource) -> list[dict[str, Any]]:
    """What may be moved without a fight."""
    table = source.table
    known = [(lever.name, _edits(lever, table)) for lever in source.levers]
    return [{"name": name, "edits": [_edit(each, table) for each in edits]} for name, edits in known if edits]


def _label(edits: Sequence[Edit], source: WorkbenchSource) -> str:
    """A proposal on a button: `Barrage 3`, `Barrage 2 + 2 bans`."""
    titles = source.table.subject.titles
    costs = [edit for edit in edits if edit.kind in (RAISES, CUTS)]
    said = [
        f"{titles.get(edit.about[0], edit.about[0])} {write.value}"
        for edit in costs
        for write in edit.writes
        if isinstance(write, Put)
    ]
    others = len(edits) - len(costs)
    return " + ".join([", ".join(said)] * bool(said) + [count(others, "ban")] * bool(others))


def facts(source: WorkbenchSource, kept: KeptBuilds) -> list[tuple[str, str]]:
    scores = source.table.population.scores
    parameters = source.table.subject.space.parameters
    known = f"{len(kept.rows):,}" + (f" of {len(scores):,}" if kept.left_out else "")
    return [
        ("Game", source.system),
        *say_parameters(parameters),
        ("Scenarios", ", ".join(scores.fights)),
        ("Builds", known),
        ("Exact builds", f"{scores.exact_share:.1%}"),
        ("Run", source.run),
        ("buildsearch", __version__),
    ]


def _score(source: WorkbenchSource) -> dict[str, Any]:
    subject = source.table.subject
    objective = subject.objective
    return {
        "label": "score" if objective is None else objective.label,
        "up": subject.scores.higher_is_better,
        "unit": "" if objective is None else objective.metric.unit,
        "scale": str(Scale.POSITIVE if objective is None else objective.scale),
        "span": None if objective is None else objective.metric.span,
    }


def _is_weighted_mean(table: EditTable) -> bool:
    """Whether scores under other weights of the scenarios follow from what is in the page."""
    scores = table.population.scores
    same_way = scores.higher_is_better == scores.primary_higher_is_better
    mean = (scores.weights / scores.weights.sum()) @ scores.fight_means
    return same_way and bool(np.allclose(mean, scores.score, rtol=1e-6))


def _fixed(table: EditTable) -> list[list[int]]:
    """By group, the levels of parts that come with it: those are in no array."""
    population = table.population
    first = {int(group): row for row, group in reversed(list(enumerate(population.scores.group.tolist())))}
    free = set(population.free.tolist())
    fixed = []
    for group in range(len(population.scores.groups)):
        levels = population.levels[:, first[group]].tolist() if group in first else []
        fixed.append([0 if part in free else level for part, level in enumerate(levels)])
    return fixed


def _accounts(table: EditTable) -> list[dict[str, Any]]:
    names, groups = table.population.names, table.population.scores.groups
    return [
        {
            "name": account.name,
            "budget": account.budget,
            "prices": [account.prices.get(name, 0) for name in names],
            "factors": [account.factors.get(group, 1) for group in groups],
            "isSpent": account.is_spent,
        }
        for account in table.accounts
    ]


def _edits(lever: Lever, table: EditTable) -> list[Edit]:
    return [edit for edit in lever.edits if not edit.changes_fights and table.knows(edit)]


def _edit(edit: Edit, table: EditTable) -> dict[str, Any]:
    places, groups = table.places, table.population.scores.groups
    accounts = [account.name for account in table.accounts]
    moved = {
        "prices": [[accounts.index(name), places[part], change] for name, part, change in edit.prices],
        "factors": [
            [accounts.index(name), groups.index(group), change] for name, group, change in edit.factors
        ],
        "budgets": [[accounts.index(name), change] for name, change in edit.budgets],
        "bans": [[[places[part], least] for part, least in ban] for ban in edit.bans],
        "letsIn": edit.lets_in,
    }
    return {
        "kind": edit.kind,
        "about": list(edit.about),
        "text": edit.text,
        "words": edit.words,
        "writes": [
            {"path": list(write.path), "value": write.value}
            if isinstance(write, Put)
            else {"path": list(write.path), "entry": dict(write.entry)}
            for write in edit.writes
        ],
        **{key: value for key, value in moved.items() if value},
    }

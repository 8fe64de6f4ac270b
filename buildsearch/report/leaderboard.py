"""The ranked table of a run: all columns for programs, a few for people. See docs/leaderboard.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.document.numbers import in_file
from buildsearch.model.evaluation import Estimate, Metric, ScoreWords
from buildsearch.model.space import BuildSpace
from buildsearch.report.command_lines import score_command
from buildsearch.search.details import contributions
from buildsearch.search.objectives import VARIANCE, Objective
from buildsearch.search.ranking import Ranking
from buildsearch.search.ranks import (
    RankedBuild,
    RankRanges,
    first_of_groups,
    is_open_rank,
    say_rank,
    variants,
)

_MOST_PARTS = 3  # whose savings people read

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BoardNaming:
    """What a leaderboard needs of the game: its metrics, its own columns, titles of options, and the words of
    the command that scores a build. `beside` is a metric that scores leave out."""

    metrics: Sequence[Metric]
    own_columns: Sequence[str]
    titles: Mapping[str, str]
    command: Sequence[str]
    beside: str | None = None


def score_words(objective: Objective) -> ScoreWords:
    """How people say scores of an objective; a variance has no words."""
    return ScoreWords(None if objective.name == VARIANCE else objective.metric)


def saves_column(words: ScoreWords) -> str:
    """The column that says what a build would lose without each part."""
    return f"saves_{words.unit}" if words.unit else "saves"


def leaderboard(answer: Ranking, space: BuildSpace, naming: BoardNaming) -> list[Row]:
    """The builds in order, with everything that is known about them."""
    ledger, ranked = answer.ledger, []
    for place, build in enumerate(answer.builds):
        group = ledger.one(int(answer.ordered.rows[place])).group
        saves = {each.feature: each.loss for each in contributions(space, ledger, answer.costs[0], build)}
        ranked.append(RankedBuild(tuple(space.features(build)), group, saves))
    # What an interrupted run did not score may be the idea that others are variants of.
    ideas = [None] * len(ranked) if answer.is_partial else variants(ranked)
    is_kind = not space.groups_have_parts and len({chunk.group for chunk in ledger.chunks}) > 1
    firsts = first_of_groups(ranked) if is_kind else [False] * len(ranked)
    return [
        _row(answer, place, space, naming, ranked[place], ideas[place], is_first=firsts[place])
        for place in range(len(ranked))
    ]


def _row(
    answer: Ranking,
    place: int,
    space: BuildSpace,
    naming: BoardNaming,
    ranked: RankedBuild,
    idea: int | None,
    *,
    is_first: bool,
) -> Row:
    ordered, ledger, metrics = answer.ordered, answer.ledger, naming.metrics
    row, build, detail = int(ordered.rows[place]), answer.builds[place], answer.details[place]
    objectives = answer.effort.objectives
    score = score_estimate(answer, place)
    own = {name: column[0].as_py() for name, column in space.table(space.encode(build)).items()}
    name = space.name(build)
    cells: Row = {
        "rank": int(ordered.rank[place]),
        "rank_low": int(answer.ranks[0][place]),
        "rank_high": int(answer.ranks[1][place]),
        "tie_group": int(ordered.group[place]),
        "tied_builds": int(ordered.size[place]),
        "build": name,
        "name": display_name(space, build, naming.titles),
        "type": ranked.group,
        "cost": space.cost(build),
        **{column: own[column] for column in naming.own_columns},
        "score": score.value,
        "score_low": score.low,
        "score_high": score.high,
        "method": detail.method,
        "variant_of": None if idea is None else int(ordered.rank[idea]),
        "is_best_of_type": is_first,
        saves_column(score_words(objectives[0])): ranked.saves,
        **{
            f"objective_{objective.name}": float(objective.shown(answer.costs[i, row]))
            for i, objective in enumerate(objectives)
            if len(objectives) > 1
        },
    }
    for fight, its in zip(ledger.names, detail.fights, strict=True):
        cells[f"{fight}_{metrics[0].name}"] = its.primary.value
        cells[f"{fight}_low"], cells[f"{fight}_high"] = its.primary.low, its.primary.high
        cells[f"{fight}_stdev"] = its.stdev
        cells |= {f"{fight}_{metric.name}": its.metrics.get(metric.name) for metric in metrics[1:]}
        cells[f"{fight}_method"], cells[f"{fight}_fights"] = its.method, its.fights
    cells["flags"] = " ".join(_flags(answer, place, score, metrics))
    fought = max((its.fights for its in detail.fights if its.fights is not None), default=None)
    cells["command"] = score_command(naming.command, name, fought, answer.effort.seed)
    return cells


def for_people(
    rows: Sequence[Row], objectives: Sequence[Objective], fights: Sequence[str], naming: BoardNaming
) -> dict[str, list[Any]]:
    """The columns of leaderboard.csv: few, and numbers of six significant digits."""
    saves = saves_column(words := score_words(objectives[0]))
    shown = [
        f"{fight}_{name}" for name in (naming.metrics[0].name, naming.beside) if name for fight in fights
    ]
    more = [f"objective_{each.name}" for each in objectives[1:]]
    columns: dict[str, Callable[[Row], Any]] = {
        "rank": lambda row: row["rank"],
        "score": lambda row: in_file(row["score"]),
        "range": lambda row: say_range(row) or None,
        "build": lambda row: row["build"],
        "type": lambda row: row["type"],
        "cost": lambda row: row["cost"],
        "note": lambda row: "; ".join(notes(row, names_type=True)) or None,
        saves: lambda row: "; ".join(say_savings(row[saves], words)) or None,
    }
    found = {name: [of(row) for row in rows] for name, of in columns.items()}
    found |= {name: [in_file(row[name]) for row in rows] for name in (*more, *shown)}
    return found | {"method": [row["method"] for row in rows]} if rows else {}


def rank_text_of(row: Mapping[str, Any]) -> str:
    """Its rank as people read it."""
    is_exact = row["score_low"] == row["score_high"]
    return say_rank(row["rank"], row["rank_low"], row["rank_high"], row["tied_builds"], is_exact=is_exact)


def say_range(row: Mapping[str, Any], say: Callable[[float], str] = "{:.6g}".format) -> str:
    """`6.11 to 6.35` where the score is sampled. Not `6.11-6.35`: spreadsheets take `4-28` for a date."""
    low, high = row["score_low"], row["score_high"]
    if low == high:
        return ""
    return f"{say(low)} to {say(high)}" if np.isfinite([low, high]).all() else "unknown"


def notes(row: Mapping[str, Any], *, names_type: bool) -> Iterator[str]:
    """`variant of 1`, `best area`; a variant's type is in its name."""
    if row["variant_of"] is not None:
        yield f"variant of {row['variant_of']}"
    if row["is_best_of_type"]:
        yield f"best {row['type']}" if names_type or row["variant_of"] is None else "best type"


def say_savings(saves: Mapping[str, float], words: ScoreWords) -> Iterator[str]:
    """The parts that save the most: `charges_1 11.4`."""
    for part, saved in list(saves.items())[:_MOST_PARTS]:
        if saved > 0:
            yield f"{part} {words.exactly(saved)}"


def score_estimate(answer: Ranking, place: int) -> Estimate:
    """The first objective with the bounds that its rank follows from: they hold for all builds at once.

    An interval for this build alone would ignore that it was chosen for looking good.
    """
    objective, row = answer.effort.objectives[0], int(answer.ordered.rows[place])
    low, high = np.sort(objective.shown(np.array([bound[row] for bound in answer.bounds]))).tolist()
    return Estimate(
        float(objective.shown(answer.costs[0, row])), 0.0 if low == high else float("nan"), low, high
    )


def best_of_groups(answer: Ranking, space: BuildSpace) -> list[Row]:
    """The best of each group: its name, score and rank, the best first. None where groups have parts."""
    ledger, costs = answer.ledger, answer.costs[0]
    best: dict[str, int] = {}
    for start, chunk in zip(ledger.starts.tolist(), ledger.chunks, strict=False):
        mine = costs[start : start + len(chunk)]
        if space.groups_have_parts or np.isnan(mine).all():
            continue
        row = start + int(np.nanargmin(mine))
        if chunk.group not in best or costs[row] < costs[best[chunk.group]]:
            best[chunk.group] = row
    if len(best) < 2 or answer.front is not None:
        return []
    objective = answer.effort.objectives[0]
    board = np.zeros(len(ledger), np.int64)
    board[answer.ordered.rows] = answer.ordered.rank
    ranges = RankRanges(costs, *answer.bounds, higher_is_better=objective.higher_is_better, ranks=board)
    return [
        {
            "type": group,
            "build": space.name(*space.builds(ledger.one(row))),
            "score": float(objective.shown(costs[row])),
            "rank": ranges.of(row).rank,
            "rank_text": ranges.of(row).rank_text,
        }
        for group, row in sorted(best.items(), key=lambda each: costs[each[1]])
    ]


def display_name(space: BuildSpace, build: Any, titles: Mapping[str, str]) -> str:
    parts = [
        titles.get(feature.name, feature.name) + (f" x{feature.level}" if feature.level > 1 else "")
        for feature in space.features(build)
    ]
    return " + ".join(parts)


def _flags(answer: Ranking, place: int, score: Estimate, metrics: Sequence[Metric]) -> list[str]:
    flags, tied = [], int(answer.ordered.size[place])
    # A range for another reason than an exact tie: the build, or one beside it, is sampled.
    best, worst = int(answer.ranks[0][place]), int(answer.ranks[1][place])
    if is_open_rank(best, worst, tied, is_exact=score.low == score.high):
        flags.append("rank_range")
    if tied > 1:
        flags.append("tied")
    for metric in metrics:
        most = metric.remarkable_above
        values = [fight.metrics.get(metric.name, 0.0) for fight in answer.details[place].fights]
        if most is not None and max(values) > most:
            flags.append(metric.name)
    if answer.is_partial:
        flags.append("incomplete")
    return flags

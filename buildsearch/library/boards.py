"""The leaderboard of a run, as `optimize` shows it: from the files of the run, and from nothing else."""

from __future__ import annotations

from pathlib import Path

from buildsearch.library.analyze import store_analysis
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.runs import LoadedRun
from buildsearch.library.search import unscored_by
from buildsearch.model.evaluation import Scale
from buildsearch.report.leaderboard import (
    notes,
    rank_text_of,
    saves_column,
    say_range,
    say_savings,
    score_words,
)
from buildsearch.report.run_files import board_rows
from buildsearch.report.run_record import RunRecord
from buildsearch.search.executor import Jobs
from buildsearch.search.objectives import read_objectives
from buildsearch.views.optimize import Board, RunHealth


def health_of(run: LoadedRun, jobs: Jobs = -1) -> RunHealth:
    """What `analyze` says of a run first, from an analysis that is kept for it."""
    answer = store_analysis(run, jobs).answer
    worst = next((finding.text for finding in answer.findings if finding.is_error), "")
    whole = answer.whole
    benchmark = None if whole is None else whole.benchmark
    return RunHealth(benchmark, answer.headline.partition(" Best build ")[0], worst)


def board_of(folder: Path, record: RunRecord, setup: FightSetup, health: RunHealth | None = None) -> Board:
    """What a run found; raises UsageError where its leaderboard cannot be read."""
    rows = board_rows(folder)
    system = setup.loaded.system
    objectives = read_objectives(record.request.objectives, system.metrics)
    words, unscored = score_words(objectives[0]), unscored_by(setup.loaded)
    saves = saves_column(words)
    return Board(
        rows=rows,
        rank_texts=[rank_text_of(row) for row in rows],
        ranges=[say_range(row, lambda end: words.exactly(end + 0.0)) for row in rows],
        notes=[", ".join(notes(row, names_type=False)) for row in rows],
        savings=[", ".join(say_savings(row[saves], words)) for row in rows],
        words=words,
        objectives=tuple((each.name, each.label) for each in objectives),
        scenarios=tuple(record.fights),
        primary=system.metrics[0].name,
        is_lower_better=not system.metrics[0].higher_is_better,
        scored=record.scored,
        builds=record.builds,
        legal_builds=record.legal_builds,
        best_of_types=[each.model_dump() for each in record.best_of_types],
        beside=None if unscored is None else unscored.metric,
        unscored="" if unscored is None else unscored.sentence,
        is_front=len(objectives) > 1,
        is_incomplete=record.incomplete,
        race_fights=None if record.race is None else record.race.fights,
        health=health,
        is_primary_share=system.metrics[0].scale is Scale.PROBABILITY,
        shares=frozenset(each.name for each in objectives if each.metric.scale is Scale.PROBABILITY),
    )

"""A finished run, reopened: its rules, its space, its fights and its scores; its best builds, ranked anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.search import content_hash, fight_hash
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.space import Chunk, Wanted
from buildsearch.options.fields import shared
from buildsearch.options.game import DEFAULT_RULES, GameOptions
from buildsearch.report.latest import find_run, latest_run
from buildsearch.report.loadout_files import has_loadouts
from buildsearch.report.run_files import board_rows, read_scores
from buildsearch.report.run_record import (
    LoadoutRecord,
    RunRecord,
    check_seal,
    over_budget_folder,
    read_record,
)
from buildsearch.search.ranks import RankRanges
from buildsearch.search.score_table import ScoreTable

Record = TypeVar("Record", RunRecord, LoadoutRecord)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedRun:
    """A run's folder and what is in it. `beyond` are builds above the budget, where they were scored too."""

    folder: Path
    record: RunRecord
    setup: FightSetup
    scores: ScoreTable
    beyond: tuple[ScoreTable, FightSetup] | None = None

    @property
    def objective(self) -> str | None:
        """What builds are ranked by first."""
        return self.record.objectives[0].name if self.record.objectives else None

    @property
    def rank_ranges(self) -> RankRanges:
        """Where its builds stand, as leaderboard.csv says. Ranks on a front are none among all builds."""
        return self.scores.rank_ranges(on_board=len(self.record.objectives) <= 1)


def load_run(name: str | None, *, ignore_checksums: bool = False, watch: Watch = SILENT) -> LoadedRun:
    """A run by folder, by its name under results/, or the last one; raises UsageError.

    A run whose rules or scenarios have changed since is refused: other ones would explain its scores. So is
    one whose files are not those that it wrote, unless they are trusted.
    """
    folder = find_run(name)
    if has_loadouts(folder):
        raise UsageError(f"{folder} has loadouts, not builds: `buildsearch report` shows it.")
    record, setup = reopen_as(RunRecord, folder, ignore_checksums=ignore_checksums, watch=watch)
    scores = read_scores(folder)
    if ignore_checksums:
        _check_builds(folder, setup, scores)
    above = over_budget_folder(folder, record)
    beyond = (
        None
        if above is None
        else (read_scores(above), reopen(above, ignore_checksums=ignore_checksums, watch=watch)[1])
    )
    return LoadedRun(folder, record, setup, scores, beyond)


def _check_builds(folder: Path, setup: FightSetup, scores: ScoreTable) -> None:
    """Raises UsageError for builds that the rules do not have: nobody has vouched for them."""
    try:
        fits = all(
            np.array_equal(setup.space.costs(chunk), scores.cost[rows]) for rows, chunk in scores.pieces()
        )
    except (LookupError, ValueError, OverflowError, InputError):
        fits = False
    if not fits:
        raise UsageError(f"{folder} has builds that these rules do not have. Run optimize again.")


def reopen(
    folder: Path, *, ignore_checksums: bool = False, watch: Watch = SILENT
) -> tuple[RunRecord | LoadoutRecord, FightSetup]:
    """What run.json says, and what the run was made with; raises UsageError where that has changed."""
    record = read_record(folder)
    setup = setup_of(record.request)
    if not _has_rules(record, setup):
        raise UsageError(f"{setup.loaded.path} has changed since {folder} was made. Run optimize again.")
    changed = _changed_fights(record, setup)
    if changed:
        named = ", ".join(changed)
        raise UsageError(f"scenarios have changed since {folder} was made: {named}. Run optimize again.")
    for sentence in check_seal(folder, ignore_checksums=ignore_checksums):
        watch.warn(sentence)
    return record, setup


def reopen_as(
    kind: type[Record], folder: Path, *, ignore_checksums: bool = False, watch: Watch = SILENT
) -> tuple[Record, FightSetup]:
    """The same for a run of builds, or for one of loadouts."""
    record, setup = reopen(folder, ignore_checksums=ignore_checksums, watch=watch)
    if not isinstance(record, kind):
        missing = "loadouts" if kind is LoadoutRecord else "scores of builds"
        raise UsageError(f"{folder} has no {missing}. Run optimize again.")
    return record, setup


def is_run_of(record: RunRecord, setup: FightSetup) -> bool:
    """Whether a run was made with these very rules and fights."""
    return _has_rules(record, setup) and not _changed_fights(record, setup)


def _has_rules(record: RunRecord | LoadoutRecord, setup: FightSetup) -> bool:
    return content_hash(setup.loaded.model) == record.rules.hash


def _changed_fights(record: RunRecord | LoadoutRecord, setup: FightSetup) -> list[str]:
    if isinstance(record, LoadoutRecord):
        return []  # runs of loadouts keep their numbers by themselves
    now = {name: fight_hash(fight) for name, fight in setup.fights.items()}
    was = {name: each.hash for name, each in record.fights.items()}
    return [name for name in {**was, **now} if was.get(name) != now.get(name)]


# As many as are worth an engine that takes a second for each.
BEST = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class ChosenBuilds:
    """Some builds, and where they come from."""

    folder: Path
    chunks: Sequence[Chunk]

    @property
    def size(self) -> int:
        return sum(map(len, self.chunks))


def best_of_run(name: str, setup: FightSetup, wanted: Wanted, most: int | None) -> ChosenBuilds:
    """So many of the best builds of a run, as builds of this space; raises UsageError."""
    if wanted != Wanted():
        raise UsageError(
            "‹from_run› takes the best builds of a run as they are. Leave filters and ‹complete› out."
        )
    run = load_run(name)
    if run.setup.loaded.system is not setup.loaded.system:
        title = run.setup.loaded.system.title
        raise UsageError(f"‹from_run› {name}: that is a run of {title}, not of {setup.loaded.system.title}.")
    scores = -run.scores.score if run.scores.higher_is_better else run.scores.score
    best = np.argsort(scores, kind="stable")[: most or BEST]
    groups: dict[str, list[Chunk]] = {}
    for _, chunk in run.scores.chunks(np.sort(best)):
        for build in run.setup.space.builds(chunk):
            # By name: another budget may number the same parts in another way.
            same = setup.space.parse(run.setup.space.name(build))
            reasons = setup.space.reasons_against(same)
            if reasons:
                raise UsageError(
                    f"‹from_run› {name}: {setup.space.name(same)} is not a build here: {reasons[0].message}. "
                    "Give the same parameters as that run."
                )
            code = setup.space.encode(same)
            groups.setdefault(code.group, []).append(code)
    chunks = [Chunk(group, np.concatenate([code.codes for code in codes])) for group, codes in groups.items()]
    return ChosenBuilds(run.folder, chunks)


def is_rank(text: str) -> bool:
    """Whether a text is a rank and not a build: no build is called by a number alone."""
    return text.isascii() and text.isdigit()


def build_of_rank(folder: Path, text: str) -> str:
    """The build of that rank in a run, or the text itself where it is a build; raises UsageError."""
    if not is_rank(text):
        return text
    rows = board_rows(folder)
    names = [row["build"] for row in rows if row["rank"] == int(text)]
    if not names:
        raise UsageError(f"{folder} has no rank {text}: its leaderboard ends at {rows[-1]['rank']}.")
    return str(names[0])


def of_latest_run(request: GameOptions, texts: Sequence[str]) -> tuple[GameOptions, list[str], Path | None]:
    """A request about builds, some of them ranks of the latest run: then under the rules, parameters and
    scenarios of that run, as far as the request does not say others. Gives the run too."""
    if not any(map(is_rank, texts)):
        return request, list(texts), None
    folder = latest_run()
    record = read_record(folder)
    if not isinstance(record, RunRecord):
        raise UsageError(f"{folder} has loadouts, not builds. Write the build instead of its rank.")
    if request.rules not in (DEFAULT_RULES, record.request.rules):
        raise UsageError(f"{folder} is of {record.request.rules}, not of {request.rules}. Write the build.")
    base = shared(GameOptions, record.request)
    mine = {name: value for name, value in shared(GameOptions, request).items() if value and name != "rules"}
    changed = {
        **{name: mine[name] for name in mine if name in ("scenarios", "only")},
        **{name: {**base[name], **mine[name]} for name in mine if isinstance(mine[name], dict)},
        **{name: (*base[name], *mine[name]) for name in mine if name in ("overrides", "rulings")},
    }
    return GameOptions(**base).changed(**changed), [build_of_rank(folder, text) for text in texts], folder

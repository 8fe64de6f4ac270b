"""A finished run, reopened: its rules, its space, its fights and its scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from pydantic import TypeAdapter, ValidationError

from buildsearch.cli.fight_setup import FightSetup, setup_of
from buildsearch.cli.headroom import headroom_folder
from buildsearch.cli.option_groups import Filters, Opponents, Overrides, Parameters
from buildsearch.cli.problems import warn
from buildsearch.cli.searching import content_hash, fight_hash
from buildsearch.model.errors import InputError, UsageError
from buildsearch.report.loadout_files import has_loadouts
from buildsearch.report.run_about import check_seal
from buildsearch.report.run_files import LATEST, RESULTS, RUN, latest_run, read_about, read_scores
from buildsearch.search.score_table import ScoreTable


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A run's folder and what is in it. `beyond` are builds above the budget, where they were scored too."""

    folder: Path
    about: dict[str, Any]
    setup: FightSetup
    scores: ScoreTable
    beyond: tuple[ScoreTable, FightSetup] | None = None

    @property
    def objective(self) -> str | None:
        """What builds are ranked by first."""
        named = self.about.get("objectives")
        first = named[0] if isinstance(named, list) and named else {}
        name = first.get("name") if isinstance(first, dict) else None
        return name if isinstance(name, str) else None


def load_run(name: str | None, *, trust: bool = False) -> Run:
    """A run by folder, by its name under results/, or the last one; raises UsageError.

    A run whose rules or scenarios have changed since is refused: other ones would explain its scores. So is
    one whose files are not those that it wrote, unless they are trusted.
    """
    folder = find_run(name)
    if has_loadouts(folder):
        raise UsageError(f"{folder} has loadouts, not builds: `buildsearch report` shows it.")
    about, setup = reopen(folder, trust=trust)
    scores = read_scores(folder)
    if trust:
        _check_builds(folder, setup, scores)
    above = headroom_folder(folder, about)
    beyond = None if above is None else (read_scores(above), reopen(above, trust=trust)[1])
    return Run(folder, about, setup, scores, beyond)


def _check_builds(folder: Path, setup: FightSetup, scores: ScoreTable) -> None:
    """Raises UsageError for builds that the rules do not have: nobody has vouched for them."""
    try:
        fits = all(
            np.array_equal(setup.space.costs(chunk), scores.cost[rows]) for rows, chunk in scores.chunks()
        )
    except (LookupError, ValueError, OverflowError, InputError):
        fits = False
    if not fits:
        raise UsageError(f"{folder} has builds that these rules do not have. Run optimize again.")


def reopen(folder: Path, *, trust: bool = False) -> tuple[dict[str, Any], FightSetup]:
    """What run.json says, and what the run was made with; raises UsageError where that has changed."""
    about = read_about(folder)
    _check_command(folder, about["command"])
    setup = setup_of(about["command"])
    if content_hash(setup.loaded.model) != about.get("rules", {}).get("hash"):
        raise UsageError(f"{setup.loaded.path} has changed since {folder} was made. Run optimize again.")
    changed = _changed_fights(about, setup)
    if changed:
        named = ", ".join(changed)
        raise UsageError(f"scenarios have changed since {folder} was made: {named}. Run optimize again.")
    for sentence in check_seal(folder, about, trust=trust):
        warn(sentence)
    return about, setup


def _check_command(folder: Path, words: dict[str, Any]) -> None:
    """Raises UsageError for words that no option can have given: what it takes is checked like a command."""
    options: dict[str, Any] = {"scenario": list[str] | None}
    for group in (Overrides, Parameters, Filters, Opponents):
        options |= {name.rstrip("_"): option for name, option in get_type_hints(group).items()}
    for name, option in options.items():
        try:
            TypeAdapter(option).validate_python(words.get(name), strict=True)
        except ValidationError:
            raise UsageError(
                f"{folder / RUN} is not what optimize writes (look at: command.{name}). Run optimize again."
            ) from None


def _changed_fights(about: dict[str, Any], setup: FightSetup) -> list[str]:
    then = about.get("fights")
    if not isinstance(then, dict):
        return []  # runs of loadouts keep their numbers by themselves
    now = {name: fight_hash(fight) for name, fight in setup.fights.items()}
    was = {name: each.get("hash") if isinstance(each, dict) else None for name, each in then.items()}
    return [name for name in {**was, **now} if was.get(name) != now.get(name)]


def find_run(name: str | None) -> Path:
    """The folder of a run by its path, by its name under results/, or of the last (`latest`, or no name)."""
    given = Path(name or LATEST)
    if name is None or (given in (Path(LATEST), RESULTS / LATEST) and not given.is_dir()):
        return latest_run()
    return given if given.exists() or len(given.parts) > 1 else RESULTS / name

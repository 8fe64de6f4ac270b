"""Builds above the budget, scored beside a run: what a price below today's would let in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from buildsearch.cli.fight_setup import FightSetup, setup_of
from buildsearch.cli.searching import Search, make_scorer
from buildsearch.model.errors import UsageError
from buildsearch.search.cache import ScoreCache
from buildsearch.search.stages import Stages

_SUFFIX = "-headroom"


def check_headroom(setup: FightSetup) -> str:
    """The parameter that says how many points there are; raises UsageError where the game has none."""
    names = [each.name for each in setup.loaded.system.parameters if each.is_budget]
    if not names:
        raise UsageError(
            f"--headroom scores builds above the budget, and {setup.loaded.system.title} has no parameter "
            "for a budget. Leave it out."
        )
    return names[0]


def score_headroom(search: Search, points: int, folder: Path) -> dict[str, Any]:
    """Score every build that costs up to so many points more, into a folder beside the run's.

    Gives what run.json says about it. Nobody looks at ranks up there, so nothing races.
    """
    name = check_headroom(search.setup)
    budget = int(search.setup.space.parameters[name])
    words = _with_parameter(search.words, name, budget + points)
    setup = setup_of(words)
    question = replace(search.question, rules=replace(search.question.rules, top=1, budget=0))
    above = replace(
        search,
        setup=setup,
        question=question,
        scorer=make_scorer(setup, _place(search.scorer.cache)),
        words=words,
        cost_above=budget,
        stages=Stages(),
    )
    answer = above.run()
    beside = folder.with_name(folder.name + _SUFFIX)
    if answer.scored == 0:
        return {"points": points, "builds": 0, "run": None}
    above.write(answer, beside)
    return {"points": points, "builds": answer.scored, "run": beside.name}


def headroom_folder(folder: Path, about: Mapping[str, Any]) -> Path | None:
    """Where a run's builds above the budget are; None where it has none."""
    told = about.get("headroom")
    name = told.get("run") if isinstance(told, dict) else None
    # Only a plain name is followed: whoever wrote the file shall not lead us elsewhere.
    if not isinstance(name, str) or Path(name).name != name:
        return None
    beside = folder.parent / name
    return beside if beside.is_dir() else None


def _with_parameter(words: Mapping[str, Any], name: str, value: int) -> dict[str, Any]:
    """The words of a command with another value of one parameter, however it was said."""
    said = [text for text in words.get("parameter") or [] if not text.startswith(f"{name}=")]
    return {**words, name: None, "parameter": [*said, f"{name}={value}"]}


def _place(cache: ScoreCache) -> Path | None:
    return None if cache.path is None else cache.path.parent

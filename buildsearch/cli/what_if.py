"""`diff RULES --set price`: from the scores of a run that is there, without a fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from buildsearch.balance.applying import edited_data
from buildsearch.balance.explaining import read_edits
from buildsearch.balance.what_if import is_about_costs, let_in, sides_of, what_if
from buildsearch.cli.fight_setup import FightSetup
from buildsearch.cli.searching import content_hash, fight_hash
from buildsearch.diff.comparing import Comparison
from buildsearch.diff.ground import Effort, Ground
from buildsearch.diff.running import Difference
from buildsearch.model.errors import BuildsearchError, InputError
from buildsearch.model.levers import Movable
from buildsearch.report.run_about import check_seal
from buildsearch.report.run_files import RESULTS, RUN, read_about, read_scores

_FILTERS = ("type", "with", "without")


def kept_difference(
    setups: tuple[FightSetup, FightSetup],
    comparison: Comparison,
    words: Mapping[str, Any],
    effort: Effort,
    top: int,
    ground: Callable[[], Ground],
) -> Difference | None:
    """The difference from kept scores; None where more than prices changed, or no run has what is needed.

    Only builds that lower prices let in are scored, by the edited rules' `ground`.
    """
    before, after = setups
    system, rules = before.loaded.system, before.loaded.model
    if words["ruling"] or not isinstance(system, Movable) or not comparison.edits:
        return None
    try:
        edits = read_edits(words["set"] or (), system.levers(rules, before.space))
    except InputError:
        return None
    wanted = system.rules_model.model_validate(edited_data(before.loaded.document.root.plain(), edits))
    accounts = [system.accounts(each.loaded.model, each.space) for each in setups]
    if wanted != after.loaded.model or not is_about_costs(edits, accounts[0]):
        return None
    folder = _run_of(before, words, effort.objective.name)
    if folder is None:
        return None
    scores = read_scores(folder)
    more = None
    if any(edit.lets_in for edit in edits):
        more = let_in(ground(), before.space, accounts[0][0].budget, effort, scores)
    sides = sides_of(scores, more, (before.space, after.space), accounts[1][0])
    return what_if(comparison, sides, edits, top)


def _run_of(setup: FightSetup, words: Mapping[str, Any], objective: str) -> Path | None:
    """A whole run of the same rules, builds and fights, the newest first."""
    if not RESULTS.is_dir():
        return None
    folders = [path.parent for path in RESULTS.glob(f"*/{RUN}")]
    fights = {name: fight_hash(fight) for name, fight in setup.fights.items()}
    rules = content_hash(setup.loaded.model)
    for folder in sorted(folders, key=lambda each: -(each / RUN).stat().st_mtime):
        try:
            about = read_about(folder)
            if _is_same(about, rules, fights, setup, words, objective):
                check_seal(folder, about)
                return folder
        except (BuildsearchError, OSError, LookupError, TypeError, AttributeError):
            continue  # no run of ours, or one that somebody changed
    return None


def _is_same(
    about: Mapping[str, Any],
    rules: str,
    fights: Mapping[str, str],
    setup: FightSetup,
    words: Mapping[str, Any],
    objective: str,
) -> bool:
    said = about["command"]
    return (
        about["rules"]["hash"] == rules
        and {name: each["hash"] for name, each in about["fights"].items()} == fights
        and about["parameters"] == dict(setup.space.parameters)
        and about["objectives"][0]["name"] == objective
        and not about.get("partial")
        and about.get("out_of") is None
        and all((said.get(name) or []) == (words.get(name) or []) for name in _FILTERS)
    )

"""A small finished run of rules of one's own, to be served."""

from __future__ import annotations

from pathlib import Path

from buildsearch.gate.config import read_config, with_preset
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.optimize import finish, open_search
from buildsearch.library.runs import load_run
from buildsearch.library.service import ServeSettings, Service
from buildsearch.library.watch import Scoring
from buildsearch.options.search import SearchOptions
from tests.analysis.tables import PLANTED
from tests.balancing.benches import lenient

BLESSED = "upgrades.blessing.modifiers.damage.flat"


def optimized(rules: Path, out: Path, cache: Path, **more):
    """A run of every build of up to 3 points against the boss."""
    request = SearchOptions(
        rules=str(rules),
        parameters={"budget": "3"},
        only=("boss",),
        initial_fights=64,
        ranking_fights=2000,
        **more,
    )
    finish(open_search(setup_of(request), request, Scoring(cache, 2)), str(out), remember=False)
    return load_run(str(out))


def own_rules(folder: Path) -> Path:
    """A rules file to change, with comments in it."""
    path = folder / "rules" / "planted.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PLANTED.read_text(encoding="utf-8"), encoding="utf-8")
    return path


def service_of(run, folder: Path, cache: Path | None, limits=None, **more) -> Service:
    """What serves a run, by thresholds under which a small space accuses too."""
    config = with_preset(read_config(None)[0])
    return Service(run, ServeSettings(folder, limits or lenient(), config, Scoring(cache, 2), **more))

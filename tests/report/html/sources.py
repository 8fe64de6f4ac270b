"""Small reports for tests: real rules and fights, made-up scores."""

from __future__ import annotations

import json

import numba

from buildsearch.analysis.analyses import AnalysisInput, analyse
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.search import content_hash
from buildsearch.options.game import GameOptions
from buildsearch.options.search import SearchOptions
from buildsearch.report.html.source import Earlier, Extent, ReportSource
from buildsearch.report.loadout_files import write_loadouts
from buildsearch.report.run_record import LoadoutRecord, MeasureRecord, RulesRecord, RunRecord
from tests.analysis.tables import FIGHTS, PLANTED, made_up

# Markup, and a character that turns what follows around; on a page it is written out.
HOSTILE = "<script>alert(1)</script>\u202e"
SHOWN = "<script>alert(1)</script>\\u202e"
SMALL = Extent(rows=60, cards=2, trigger_fights=4, sampled_fights=64)


def subset_source(*, budget=3, earlier=False, sampled=0.2, fights=True):
    """A game of enhancements, one of which is called something nasty."""
    change = [f"blessing.name='{HOSTILE}'"]
    parameters = {"budget": str(budget)}
    return _source(str(PLANTED), change, parameters, ("melee_ac", "ranged"), earlier, sampled, fights)


def deck_source(*, fights=True):
    """A game of decks, where nothing can be dropped and nothing has a price."""
    return _source("armitage", ["deck.size=3"], {}, 2, False, 0.2, fights)


def _source(rules, changes, parameters, groups, earlier, sampled, fights):
    setup = setup_of(GameOptions(rules=rules, overrides=tuple(changes), parameters=parameters))
    system, model, space = setup.loaded.system, setup.loaded.model, setup.space
    if isinstance(groups, int):
        from buildsearch.model.space import Wanted

        groups = list(space.count(Wanted()))[:groups]
    higher = system.metrics[0].higher_is_better
    scores = made_up(space, seed=1, groups=groups, sampled=sampled, higher=higher)
    options = system.options(model)
    some = dict(zip(FIGHTS, setup.fights.values(), strict=False))
    limits = read_thresholds()
    # A page without findings has little to look at, so somebody is accused in however few builds.
    bold = limits.verdict.model_copy(update={"fewest_contexts": 1})
    limits = limits.model_copy(update={"verdict": bold})
    found = analyse(AnalysisInput(scores, space, options, some, None), limits, lambda _stage: None)
    primary = MeasureRecord(
        name=system.metrics[0].name, label=system.metrics[0].label, higher_is_better=higher
    )
    return ReportSource(
        title=model.name,
        system=system.title,
        record=RunRecord(
            request=SearchOptions(rules=rules),
            rules=RulesRecord(hash=""),
            objectives=[primary],
            parameters=dict(space.parameters),
            by_method={"exact": 80, "sampled": 20},
            seed=3,
            buildsearch="test",
        ),
        space=space,
        fights=some,
        metrics=system.metrics,
        options=options,
        evaluators=_evaluators(system, model) if fights else (),
        replayer=system.replayer(model) if fights else None,
        scores=scores,
        analysis=found,
        earlier=Earlier("before", space, made_up(space, seed=2, groups=groups)) if earlier else None,
    )


def _evaluators(system, model):
    """All of them; without compiled code only the reference, which takes seconds then, not minutes."""
    found = system.evaluators(model)
    if numba.config.DISABLE_JIT:
        return tuple(each for each in found if each.method == "reference")
    return found


RENAMED = (f"melee_dg.name='{HOSTILE}'",)
REQUEST = SearchOptions(
    rules="vitality-v2",
    overrides=RENAMED,
    parameters={"archetype": "dual_natured"},
    only=("boss", "swarm"),
)


def loadout_folder(folder):
    """A search for loadouts with made-up numbers, as `optimize` writes it."""
    record = LoadoutRecord(
        request=REQUEST,
        rules=RulesRecord(hash=content_hash(setup_of(REQUEST).loaded.model)),
        member="attack",
        candidates=40,
        left_out={"= does the same as another attack": 99, "too slow": 12},
        loadouts=820,
        scored=820,
        lower_bound=3.0,
    )
    strong, steady, plain = "melee_dg+power_attack", "melee_ac+power_attack+cooldown", "ranged"
    pairs = [(strong, steady), (strong, plain), (steady, plain)]
    rows = [
        {
            "rank": place + 1,
            "score": 4.0 + (place > 0),
            "status": "best found" if place else "optimal",
            "gap": 1.0 + (place > 0),
            "loadout": " | ".join(pair),
            "boss_mean_turns": 3.5 + place,
            "synergy_boss": 1.0,
            "swarm_mean_turns": 4.5,
            "synergy_swarm": 2.0,
            "contribution_1_boss": 2.5,
            "contribution_1_swarm": 0.5,
            "contribution_2_boss": 1.0 + place,
            "contribution_2_swarm": 3.0,
            "turns_boss": "",
            "turns_swarm": "",
        }
        for place, pair in enumerate(pairs)
    ]
    shares = [
        ("boss", strong, 0.5),
        ("boss", f"charge {steady}", 0.25),
        ("boss", "basic melee_dg", 0.25),
        ("swarm", strong, 1.0),
    ]
    usage = [
        {"rank": 1, "loadout": rows[0]["loadout"], "scenario": fight, "action": action, "share": share}
        for fight, action, share in shares
    ]
    write_loadouts(folder / "run", rows, usage, record)
    return folder / "run"


def data_of(path):
    """What a page was told."""
    page = path.read_text(encoding="utf-8")
    return json.loads(page.partition('id="data">')[2].partition("</script>")[0])

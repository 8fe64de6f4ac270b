"""What levers claim about more and less is so: every build that an engine solves, step by step."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest

from buildsearch.balancing.edits import edited_data
from buildsearch.library.fight_setup import set_up
from buildsearch.library.input_files import load_rules
from buildsearch.model.space import Chunk, Wanted
from buildsearch.options.search import SearchOptions
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import score
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import Effort
from buildsearch.systems.vitality.builds import levers

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="thousands of fights")

LOADED = load_rules("vitality-v2")
REQUEST = SearchOptions(rules="vitality-v2", parameters={"tier": "3"})
SETUP = set_up(LOADED, REQUEST)
LEVERS = levers.number_levers(LOADED.model)
WORDS = sorted(levers._BETTER | levers._WORSE)
OBJECTIVE = read_objectives((), LOADED.system.metrics)[0]
LEVERS_A_WORD, BUILDS = 3, 6
# What leads the game goes along wherever it can.
LEADING = ("barrage", "charges_1")


def scores(edits, chunks):
    """Turns of builds under edited rules; nan where no engine solves one."""
    data = edited_data(LOADED.document.root.plain(), edits)
    setup = set_up(replace(LOADED, model=LOADED.system.rules_model.model_validate(data)), REQUEST)
    scorer = CachedScorer(
        LOADED.system.bulk(setup.loaded.model, setup.space), ScoreCache(None, lambda _text: None)
    )
    ledger = Ledger.empty(setup.fights, chunks, scorer.scorer.outcomes)
    score(ledger, scorer, Effort((OBJECTIVE,), 10, 16, 0, 1), races=False)
    found = OBJECTIVE.costs(ledger, scorer.scorer).copy()
    found[ledger.sampled] = np.nan
    return found


def chunks_of(builds):
    codes = {}
    for build in builds:
        chunk = SETUP.space.encode(build)
        codes.setdefault(chunk.group, []).append(chunk.codes)
    return [Chunk(group, np.concatenate(some)) for group, some in codes.items()]


def builds_with(name, unless, rng):
    groups = SETUP.space.count(Wanted())
    found = []
    for more in ((), LEADING):
        having = {
            "with_features": tuple(dict.fromkeys((*(() if name in groups else (name,)), *more))),
            "groups": (name,) if name in groups else (),
            "without_features": unless,
        }
        wanted = Wanted(**having)
        if any(SETUP.space.count(wanted).values()):
            found += SETUP.space.sample(wanted, BUILDS, rng)
    return found


def of(word):
    having = [lever for lever in LEVERS if word in lever.name.split(".") and lever.edits[0].strength]
    return having[:: max(1, len(having) // LEVERS_A_WORD)][:LEVERS_A_WORD]


@pytest.mark.parametrize("word", [word for word in WORDS if word != "condition"])
def test_more_is_better_or_worse_as_levers_say(word):
    """From the weakest value to the strongest no build gets slower, and some get faster."""
    rng = np.random.default_rng(11)
    assert of(word)
    moved = False
    for lever in of(word):
        edit = lever.edits[0]
        chunks = chunks_of(builds_with(edit.about[0], edit.unless, rng))
        ordered = sorted(
            [(), *((each,) for each in lever.edits)],
            key=lambda some: sum(each.strength * each.steps for each in some),
        )
        turns = np.array([scores(some, chunks) for some in ordered])
        slower = np.diff(turns, axis=0) / turns[:-1]
        known = ~np.isnan(slower)
        assert known.any(), lever.name
        assert slower[known].max() <= 1e-9, lever.name
        moved |= bool((slower[known] < -1e-6).any())
    assert moved, f"no step of {word} did anything"


def test_numbers_of_conditions_matter_to_builds_that_inflict_them():
    """Builds that deal damage do not roll for conditions: nothing moves."""
    rng = np.random.default_rng(11)
    for lever in of("condition"):
        chunks = chunks_of(builds_with(lever.edits[0].about[0], lever.edits[0].unless, rng))
        first, last = (scores((edit,), chunks) for edit in (lever.edits[0], lever.edits[-1]))
        assert np.allclose(first, last, rtol=0, atol=1e-12, equal_nan=True)


def _slower_with_more(lever, build):
    (lever,) = [each for each in LEVERS if each.name == lever]
    chunks = chunks_of([SETUP.space.parse(build)])
    values = sorted([(lever.value, ()), *((edit.writes[0].value, (edit,)) for edit in lever.edits)])
    turns = np.array([scores(some, chunks)[0] for _, some in values])
    return float((np.diff(turns) / turns[:-1]).max())


def test_what_is_not_claimed_is_not_so():
    """A quicker fight takes a condition away; who falls first changes what is left; so they are exempt."""
    build = "ranged+barrage+explosive_critical+finale+near_death+charges_2"
    assert _slower_with_more("near_death.modifiers.accuracy.tier", build) > 0.01
    build = "ranged+power_attack+barrage+explosive_critical+charge_up_2+charges_1"
    assert _slower_with_more("charges_1.modifiers.damage.tier", build) > 0.005
    assert {"near_death", "explosive_critical"} <= set(LEVERS[0].edits[0].unless)
    build = "melee_ac+power_attack+barrage+explosive_critical+minion_slayer_acc+unreliable_3"
    assert _slower_with_more("minion_slayer_acc.mechanics.slayer.accuracy.tier", build) > 0.01
    for lever in LEVERS:
        name, *path = lever.name.split(".")
        if {"slayer", "uses", "cooldown", "turn"} & set(path) or name in LEVERS[0].edits[0].unless:
            assert {edit.strength for edit in lever.edits} <= {0}, lever.name

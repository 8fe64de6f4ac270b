"""The search for loadouts against the truth: every loadout valued, then the search without looking at that.

Each scenario alone. Figures of docs/measurements.md: `.venv/bin/python -m scripts.loadout_figures` with

(nothing more)
--cut-down --budget 4 --type melee_dg --scenario boss --scenario mixed
--archetype versatile_master --type direct_damage --without near_death --without bloodied --without timid
"""

from __future__ import annotations

import argparse
import time
from itertools import combinations_with_replacement, islice
from math import comb

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.search.loadouts.search import LoadoutSearch, explore
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.loadouts.scorer import VitalityLoadouts
from buildsearch.systems.vitality.rules.settings import read_settings

_AT_ONCE = 1 << 14
# A ruleset cut down: one option or two of each kind, bleeds and limits on own HP among them.
_KEPT = (
    *(
        "power_attack",
        "brutal",
        "high_impact",
        "bleed",
        "finishing_blow",
        "charge_up",
        "cooldown",
        "unreliable_2",
    ),
    *("vengeful", "passive", "combo_move", "bloodied", "charges_2", "channeled"),
)


def main() -> None:
    """Print the truth, what the search found, and what both took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="vitality-v2")
    parser.add_argument("--tier", default="4")
    parser.add_argument("--budget", default="2")
    parser.add_argument("--archetype", default="dual_natured")
    parser.add_argument("--scenario", action="append")
    parser.add_argument("--type", action="append", default=[])
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--cut-down", action="store_true")
    given = parser.parse_args()
    rules = load_rules(given.rules).model
    settings = {"tier": given.tier, "archetype": given.archetype, "budget": given.budget}
    space = VitalitySpace(rules, read_settings(rules, settings))
    bouts = make_bouts(rules, load_scenarios("default").model, int(given.tier), {})
    gone = [name for name in rules.enhancements if given.cut_down and name not in _KEPT]
    wanted = Wanted(groups=tuple(given.type), without_features=(*given.without, *gone))
    for name in given.scenario or bouts:
        print(f"{name}:", flush=True)
        compare(space, VitalityLoadouts(rules, space, {name: bouts[name]}, wanted))


def compare(space: VitalitySpace, scorer: VitalityLoadouts) -> None:
    """Search, then value every loadout."""
    total = comb(scorer.candidates + scorer.size - 1, scorer.size)
    print(f"{scorer.candidates:,} candidates, {scorer.replaced:,} dominated; {total:,} loadouts", flush=True)
    weights = np.ones(1)
    begun = time.process_time()
    search = LoadoutSearch(scorer, [1.0])
    explore(search, scorer, weights, 6, 50, most_to_enumerate=0)
    found = search.ranked(1)[0]
    name = space.name(scorer.build(found.loadout))
    print(
        f"search: {found.score:.9f} {found.status}, gap {found.score - search.floor:.4f}, {name}; "
        f"{search.valued:,} valued, {time.process_time() - begun:.0f} s CPU",
        flush=True,
    )

    begun = time.process_time()
    best, where, unknown = np.inf, None, 0
    loadouts = combinations_with_replacement(range(scorer.candidates), scorer.size)
    while rows := list(islice(loadouts, _AT_ONCE)):
        scores = scorer.values(np.array(rows, np.int64))[:, 0]
        unknown += int(np.isnan(scores).sum())
        lowest = int(np.argmin(np.where(np.isnan(scores), np.inf, scores)))
        if scores[lowest] < best:
            best, where = float(scores[lowest]), rows[lowest]
    assert where is not None  # noqa: S101 - there are loadouts
    name = space.name(scorer.build(where))
    print(f"truth:  {best:.9f} {name}; {unknown:,} without a value; {time.process_time() - begun:.0f} s CPU")
    print("equal" if abs(best - found.score) < 1e-9 else "NOT EQUAL", flush=True)


if __name__ == "__main__":
    main()

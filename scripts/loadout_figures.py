"""The search for loadouts against the truth: every loadout valued, then the search without looking at that.

.venv/bin/python -m scripts.loadout_figures --scenario boss --budget 2
.venv/bin/python -m scripts.loadout_figures --archetype versatile_master --scenario boss --type ranged
"""

from __future__ import annotations

import argparse
import time
from itertools import combinations_with_replacement, islice
from math import comb

import numpy as np

from buildsearch.cli.loading import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.search.loadouts import LoadoutSearch
from buildsearch.search.responding import explore
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.loadout_scorer import VitalityLoadouts
from buildsearch.systems.vitality.settings import read_settings
from buildsearch.systems.vitality.space import VitalitySpace

_AT_ONCE = 1 << 14


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
    given = parser.parse_args()
    rules = load_rules(given.rules).model
    settings = {"tier": given.tier, "archetype": given.archetype, "budget": given.budget}
    space = VitalitySpace(rules, read_settings(rules, settings))
    bouts = make_bouts(rules, load_scenarios("default").model, int(given.tier), {})
    chosen = {name: bouts[name] for name in given.scenario or bouts}
    wanted = Wanted(groups=tuple(given.type), without_features=tuple(given.without))
    scorer = VitalityLoadouts(rules, space, chosen, wanted)
    total = comb(scorer.candidates + scorer.size - 1, scorer.size)
    print(f"{scorer.candidates:,} candidates, {scorer.replaced:,} dominated; {total:,} loadouts", flush=True)
    weights = np.array([bout.weight for bout in chosen.values()])
    shares = weights / weights.sum()

    begun = time.process_time()
    search = LoadoutSearch(scorer, weights.tolist())
    explore(search, scorer, weights, 6, 50, most_to_enumerate=0)
    found = search.ranked(1)[0]
    name = space.name(scorer.build(found.loadout))
    print(
        f"search: {found.score:.9f} {found.status}, gap {found.score - search.floor:.4f}, {name}; "
        f"{search.valued:,} valued, {time.process_time() - begun:.0f} s CPU",
        flush=True,
    )

    begun = time.process_time()
    best, where = np.inf, None
    loadouts = combinations_with_replacement(range(scorer.candidates), scorer.size)
    while rows := list(islice(loadouts, _AT_ONCE)):
        scores = scorer.values(np.array(rows, np.int64)) @ shares
        lowest = int(np.nanargmin(scores))
        if scores[lowest] < best:
            best, where = float(scores[lowest]), rows[lowest]
    assert where is not None  # noqa: S101 - there are loadouts
    name = space.name(scorer.build(where))
    print(f"truth:  {best:.9f} {name}; {time.process_time() - begun:.0f} s CPU")
    print("equal" if abs(best - found.score) < 1e-9 else "NOT EQUAL")


if __name__ == "__main__":
    main()

"""Rates of exact batches for attacks that come in late (attacker-HP limits), splinter, bleed and flat areas.

scripts/bench exact_late               every type of attack, budget 6, the default scenarios
scripts/bench exact_late --most 2000   of each class so many builds
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, LEFT, batch_means
from buildsearch.systems.vitality.exact.nodes import pairs
from buildsearch.systems.vitality.rules.settings import read_settings

TIER = 4
RUNS = 3


def classes_of(ids: tuple[str, ...], masks: np.ndarray) -> dict[str, np.ndarray]:
    """Which rows belong to which class; ricochet and explosive_critical to none."""
    has = {name: (masks[:, 0] >> np.uint64(i)) & np.uint64(1) != 0 for i, name in enumerate(ids)}
    late, others = has["near_death"] | has["bloodied"], has["ricochet"] | has["explosive_critical"]
    splinter, bleed = has["splinter"], has["bleed"]
    return {
        "HP limit": late & ~others & ~splinter & ~bleed,
        "HP limit, bleed": late & ~others & ~splinter & bleed,
        "HP limit, splinter": late & ~others & splinter & ~bleed,
        "splinter": ~late & ~others & splinter & ~bleed,
        "bleed": ~late & ~others & ~splinter & bleed,
    }


class _Counted:
    """How many families and builds of these a call of the batch has solved."""

    def __init__(self) -> None:
        self.families, self.builds = 0, 0
        self._solve = pairs.solve_family
        pairs.solve_family = self._counting

    def _counting(self, ground, program, family, *rest) -> None:
        self.families, self.builds = self.families + 1, self.builds + len(family.starts)
        self._solve(ground, program, family, *rest)


def late_rates(most: int) -> None:
    """Print (build, scenario) a second by type, class and scenario: the best of three runs, CPU time."""
    rules = load_rules("vitality-v2").model
    bouts = make_bouts(rules, load_scenarios("default").model, TIER, {})
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "budget": "6"}))
    counted, whole = _Counted(), 0.0
    print(f"{'type':20}{'class':20}{'scenario':10}{'builds':>8}{'families':>10}{'pairs':>8}"
          f"{'a second':>10}{'by value':>9}{'left':>6}")  # fmt: skip
    for group in rules.attack_types:
        masks = np.concatenate([chunk.codes for chunk in space.chunks(Wanted(groups=(group,)))])
        found = classes_of(space.catalogue.ids, masks)
        if rules.attack_types[group].area:
            found = {"area": np.ones(len(masks), bool)} if rules.attack_types[group].auto_hit else {}
        for name, chosen in found.items():
            rows = np.random.default_rng(1).permutation(np.flatnonzero(chosen))[:most]
            for bout in bouts.values() if len(rows) else ():
                seconds = []
                for _ in range(RUNS):
                    counted.families = counted.builds = 0
                    start = time.process_time()
                    means = batch_means(rules, bout.attacker, bout.encounter, group, masks[rows])
                    seconds.append(time.process_time() - start)
                whole += min(seconds)
                print(f"{group:20}{name:20}{bout.name:10}{len(rows):8}{counted.families:10}{counted.builds:8}"
                      f"{len(rows) / min(seconds):10,.0f}{np.mean(means.ways == BY_VALUE):9.0%}"
                      f"{np.sum(means.ways == LEFT):6}", flush=True)  # fmt: skip
    print(f"together {whole:.1f} s")


def main(arguments: list[str] | None = None) -> None:
    """Print rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=1 << 30, metavar="BUILDS", help="of a class")
    parser.add_argument("--warm-up", action="store_true", help="only fill numba's cache")
    given = parser.parse_args(arguments)
    late_rates(20 if given.warm_up else given.most)


if __name__ == "__main__":
    main()

"""Measure Animon Story on one core: fights a second, milliseconds of an exact duel.

Run it as `scripts/bench stories`. CPU time, of code that is compiled.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.systems.animon.bouts.choice import make_bouts
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.rules.settings import read_settings

DUEL, PACK = "L6:super:fire", "L4:super:fire*2"


def bench(builds: int, fights: int) -> dict[str, float]:
    """Fights a second in a duel and against two, and milliseconds of greedy and of best play in a duel."""
    loaded, scenarios = load_rules("animon-story"), load_scenarios("animon-story").model
    rules = loaded.model
    space = AnimonSpace(rules, read_settings(rules, {"stage": "super", "elements": "fire"}))
    bulk = loaded.system.bulk(rules, space)
    drawn = space.sample(Wanted(), builds, np.random.default_rng(1))
    figures = {}
    for name, foes in (("duel", DUEL), ("two foes", PACK)):
        bout = make_bouts(rules, scenarios, {"enemies": foes})["enemies"]
        begun = time.process_time()
        for build in drawn:
            bulk.sample(space.encode(build), bout, 0, fights)
        figures[f"fights a second, {name}"] = builds * fights / (time.process_time() - begun)
    for play in ("greedy", "optimal"):
        bout = make_bouts(rules, scenarios, {"enemies": DUEL, "play": play})["enemies"]
        begun = time.process_time()
        fight, rows = bulk.game.fight(bout), [bulk.game.row(build) for build in drawn]
        for row in rows:
            fight.solve_many(row[None]) if play == "greedy" else fight.best(row, bulk.game.worth(bout))
        figures[f"milliseconds of a duel, {play}"] = (time.process_time() - begun) / builds * 1e3
    return figures


def main() -> None:
    """Print the figures; with --warm-up only compile."""
    small = "--warm-up" in sys.argv
    for name, figure in (bench(1, 1) if small else bench(200, 2_000)).items():
        print(f"{name:36} {figure:12,.1f}")


if __name__ == "__main__":
    main()

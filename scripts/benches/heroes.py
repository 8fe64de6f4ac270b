"""Measure what a hero's fight takes to solve on one core, by scenario: greedy play in bulk, and best play.

Run it as `scripts/bench heroes`. Builds are drawn from the default space; those that a scenario cannot tell
apart are one, as in a search. CPU time.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.systems.dungeoneers.bouts import make_bouts
from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace
from buildsearch.systems.dungeoneers.game import DungeoneersGame
from buildsearch.systems.dungeoneers.rules.settings import read_settings


def bench(builds: int, best: int) -> list[tuple[str, int, float, float | None]]:
    """By scenario: different fighters, microseconds each, and milliseconds of best play (up to two foes)."""
    rules, scenarios = load_rules("dungeoneers").model, load_scenarios("dungeoneers").model
    space = DungeoneersSpace(rules, read_settings(rules, {}))
    game = DungeoneersGame(rules)
    drawn = space.sample(Wanted(), builds, np.random.default_rng(1))
    rows = np.array([game.row(build) for build in drawn])
    figures: list[tuple[str, int, float, float | None]] = []
    for name, bout in make_bouts(rules, scenarios, {}).items():
        fight = game.fight(bout)
        _, first = np.unique(fight.tell_apart(rows), axis=0, return_index=True)
        different = rows[first]
        begun = time.process_time()
        fight.solve_many(different)
        each = (time.process_time() - begun) / len(different)
        optimal = make_bouts(rules, scenarios, {"play": "optimal"})[name]
        begun = time.process_time()
        for row in different[:best] if len(bout.foes) <= 2 else ():
            game.fight(optimal).best(row, game.worth(optimal))
        took = (time.process_time() - begun) / best if len(bout.foes) <= 2 else None
        figures.append((name, len(different), each * 1e6, None if took is None else took * 1e3))
    fight.sample(rows[0], 1, 0, 10)
    return figures


def main() -> None:
    """Print the figures; with --warm-up only compile."""
    small = "--warm-up" in sys.argv
    for name, number, each, best in bench(2, 1) if small else bench(3_000, 40):
        play = "" if best is None else f", best play {best:8.1f} ms"
        print(f"{name:8} {number:6,} fighters, greedy {each:8.1f} us{play}")


if __name__ == "__main__":
    main()

"""How long best play of a pair takes: random tier-4 Dual Natured pairs that go at one enemy; and a search.

scripts/bench loadouts             microseconds a pair, then tier-4 Dual Natured over the default scenarios
scripts/bench loadouts --no-search microseconds a pair, on the boss and on several enemies
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time

import numpy as np
from typer.testing import CliRunner

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.best_play.kits import Kits, make_kits
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.rules.settings import read_settings

TIER = 4
TYPES = ("melee_ac", "melee_dg", "ranged", "direct_damage")


def microseconds(kits: Kits, pair: np.ndarray, repeats: int) -> float:
    """The best of several calls of eight rows, as a search asks for many, in time of this thread."""
    best, rows = np.inf, np.repeat(pair[None], 8, axis=0)
    for _ in range(repeats):
        begun = time.thread_time_ns()
        kits.values(rows)
        best = min(best, (time.thread_time_ns() - begun) / 1e3 / len(rows))
    return best


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--warm-up", action="store_true")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--no-search", action="store_true")
    given = parser.parse_args()
    rules, scenarios = load_rules("vitality-v2").model, load_scenarios("default").model
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "archetype": "dual_natured"}))
    rng = np.random.default_rng(1)
    groups = []
    for name in TYPES:
        builds = space.sample(Wanted(groups=(name,)), 100, rng)
        groups.append((name, np.concatenate([space.encode(build).codes for build in builds])))
    for name, bout in make_bouts(rules, scenarios, TIER, {}).items():
        kits = make_kits(rules, bout.attacker, bout.encounter, groups)
        pairs = rng.integers(len(kits.ready), size=(3 if given.warm_up else given.pairs, 2))
        pairs = pairs[kits.ready[pairs].all(axis=1)]
        kits.values(pairs[:1])
        times = np.array([microseconds(kits, pair, 3) for pair in pairs])
        limits = kits.limits[pairs]
        reads_hp = ((limits["hp_at_most"] < kits.attacker_hp) | (limits["hp_full"] > 0)).any(axis=1)
        low, middle, high = np.percentile(times, [25, 50, 75])
        print(
            f"{name:8} {len(pairs)} pairs: median {middle:,.0f} us (quarters {low:,.0f} and {high:,.0f}); "
            f"without limits on own HP ({1 - reads_hp.mean():.0%}): "
            f"median {np.median(times[~reads_hp]):,.0f} us",
            flush=True,
        )
        if given.warm_up:
            return
    if not given.no_search:
        search()


def search() -> None:
    """A whole run, the top 50, as the command line does it; with and without attacks that are not proved."""
    from buildsearch.cli.main import app

    proved = [word for name in TYPES for word in ("--type", name)]
    proved += [
        word for name in ("splinter", "ricochet", "explosive_critical") for word in ("--without", name)
    ]
    for extra in ([], proved):
        with tempfile.TemporaryDirectory() as folder:
            words = ["optimize", "--archetype", "dual_natured", "--tier", str(TIER), "--top", "50"]
            wall, cpu = time.perf_counter(), time.process_time()
            ended = CliRunner().invoke(app, [*words, *extra, "--out", folder])
            assert ended.exit_code == 0, ended.output
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        lines = ended.output.splitlines()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
        print(" ".join([*words, *extra]))
        print("\n".join(line for line in lines if line.startswith("   1 ") or "valued" in line))
        print(f"wall {wall:.0f} s, CPU {cpu:.0f} s, memory {memory:.1f} GB at most", flush=True)


if __name__ == "__main__":
    main()

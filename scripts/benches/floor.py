"""`scripts/bench floor`: builds that must be sampled, 256 fights each, in bulk.

scripts/bench floor              rates by kind and scenario, one type of attack each
scripts/bench floor --all        every such build of the budget in every scenario, two threads, wall time
scripts/bench floor --budget 8   another budget

One thread is measured in CPU time, since other work on the machine slows the clock; two threads by the clock,
beside one thread by the clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.masks import mask_of
from buildsearch.builds.subsets import iter_subsets
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.kernel.batch.sampling import BatchTallies, sample_batch
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.settings import read_settings

TIER = 3
FIGHTS = 256
ROUNDS = 2
_TRIGGERS = ("ricochet", "explosive_critical")


def sampled(
    rules: VitalityRules, attack_type: str, budget: int, triggers: tuple[str, ...]
) -> NDArray[np.uint64]:
    """The builds of a type with one of these triggers; all of them for an area, whose dice are shared."""
    problem = VitalitySpace(rules, read_settings(rules, {"budget": str(budget)})).subset_problem(attack_type)
    masks = np.concatenate(list(iter_subsets(problem)))
    if rules.attack_types[attack_type].area:
        return masks
    ids = list(rules.enhancements)
    wanted = [
        i
        for i, name in enumerate(ids)
        if any(getattr(rules.enhancements[name].mechanics, each) for each in triggers)
    ]
    return masks[(masks & mask_of(wanted, masks.shape[1])).any(axis=1)]


def kinds(rules: VitalityRules, budget: int) -> Iterator[tuple[str, str, NDArray[np.uint64]]]:
    """One type of attack of each kind."""
    for trigger in _TRIGGERS:
        yield trigger, "ranged", sampled(rules, "ranged", budget, (trigger,))
    yield "area", "area", sampled(rules, "area", budget, ())


def run(
    rules: VitalityRules, bout: Bout, attack_type: str, masks: NDArray[np.uint64], fights: int, jobs: int = 1
) -> BatchTallies:
    """All rows."""
    return sample_batch(
        rules, bout.attacker, bout.encounter, attack_type, masks, seed=1, fights=fights, jobs=jobs
    )


def main() -> None:
    """Print each figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--warm-up", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--budget", type=int, default=6)
    options = parser.parse_args()
    rules = load_rules("vitality-v2").model
    bouts = make_bouts(rules, load_scenarios("default").model, TIER, {})
    if options.warm_up:
        for _, attack_type, masks in kinds(rules, 4):
            run(rules, bouts["swarm"], attack_type, masks[:50], 2)
        return
    if options.all:
        everything(rules, bouts, options.budget)
        return
    for name, attack_type, masks in kinds(rules, options.budget):
        for scenario, bout in bouts.items():
            play = partial(run, rules, bout, attack_type, masks)
            compiling = min(seconds(partial(play, 0), time.process_time) for _ in range(ROUNDS))
            cpu = seconds(partial(play, FIGHTS), time.process_time)
            one, two = (seconds(partial(play, FIGHTS, jobs), time.perf_counter) for jobs in (1, 2))
            plans = len(np.unique(play(0).contents, axis=0))
            print(
                f"{name:18} {scenario:6} {len(masks):6,} builds, {plans:6,} plans; compiling"
                f" {compiling / len(masks) * 1e6:5.1f} us a build; with {FIGHTS} fights"
                f" {len(masks) / cpu:7,.0f} builds/s,"
                f" {plans * FIGHTS / (cpu - compiling) / 1e6:.2f} M fights/s;"
                f" two threads {one / two:.2f} x one",
                flush=True,
            )


def everything(rules: VitalityRules, bouts: dict[str, Bout], budget: int) -> None:
    """The floor of a whole budget, by the clock."""
    start, cpu, rows = time.perf_counter(), time.process_time(), 0
    for attack_type, entry in rules.attack_types.items():
        masks = sampled(rules, attack_type, budget, _TRIGGERS)
        if entry.auto_hit or not len(masks):
            continue  # nothing is rolled for, so these are solved
        for bout in bouts.values():
            if sum(map(len, bout.encounter.waves)) > 1:
                run(rules, bout, attack_type, masks, FIGHTS, 2)
                rows += len(masks)
    clock, used = time.perf_counter() - start, time.process_time() - cpu
    print(
        f"budget {budget}: {rows:,} rows of {FIGHTS} fights in {clock:.1f} s by two threads,"
        f" {used:.1f} s of CPU time"
    )


def seconds(work: partial[BatchTallies], clock: object) -> float:
    """How long it takes."""
    assert callable(clock)
    start = clock()
    work()
    return float(clock() - start)


if __name__ == "__main__":
    main()

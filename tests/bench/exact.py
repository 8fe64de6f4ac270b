"""Rates of the exact engine by class of build, and how it agrees with the kernel.

scripts/bench exact                    rates, and ratios to the kernel at 0.5 %; --points 8: of tier 4's budget
scripts/bench exact --budget           the whole of budget 6 on two cores by class, the sampled at 256 fights
scripts/bench exact --agreement 2000   z values against the kernel
"""

from __future__ import annotations

import argparse
import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from buildsearch.cli.loading import load_rules, load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.build import Build
from buildsearch.systems.vitality.engines import ExactEvaluator, KernelEvaluator
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, LEFT, BatchMeans, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.rules import VitalityRules
from buildsearch.systems.vitality.settings import read_settings
from buildsearch.systems.vitality.space import VitalitySpace

TIER = 4


def _loaded() -> tuple[VitalityRules, dict[str, Bout]]:
    rules = load_rules("vitality-v2").model
    scenarios = load_scenarios("default").model
    return rules, make_bouts(rules, scenarios, TIER, {})


def agreement(number: int, fights: int, seed: int = 11) -> dict[str, np.ndarray]:
    """z values of mean turns and survival, exact variance, over random builds of budgets 6 and 10."""
    rules, bouts = _loaded()
    exact, kernel = ExactEvaluator(rules), KernelEvaluator(rules)
    rng = np.random.default_rng(seed)
    found = {"mean": [], "survival": []}
    left, seconds = 0, 0.0
    for budget, effect, share in (("6", "damage", 0.5), ("10", "damage", 0.4), ("8", "condition", 0.1)):
        settings = read_settings(rules, {"tier": str(TIER), "budget": budget, "effect": effect})
        for build in VitalitySpace(rules, settings).sample(Wanted(), round(number * share), rng):
            for bout in bouts.values():
                if exact.why_not(build, bout) is not None:
                    left += 1
                    continue
                start = time.process_time()
                solved = exact.evaluate(build, bout, Sampling(1))
                seconds += time.process_time() - start
                sampled = kernel.evaluate(build, bout, Sampling(fights, seed=seed))
                gap = sampled.estimates["mean_turns"].value - solved.estimates["mean_turns"].value
                error = solved.stdev / math.sqrt(fights)
                # Less than half a fight in all: the two agree as far as counting can tell.
                found["mean"].append(gap / error if error * fights > 0.5 else 0.0 if abs(gap) < 1e-3 else 99)
                share_ = solved.estimates["survival"].value
                error = math.sqrt(max(share_ * (1 - share_), 0.0) / fights)
                gap = sampled.estimates["survival"].value - share_
                # The normal approximation needs some of both.
                if min(share_, 1 - share_) * fights > 50:
                    found["survival"].append(gap / error)
                if abs(found["mean"][-1]) > 4.5:
                    print("far off:", build, bout.name, found["mean"][-1], flush=True)
    print(f"{len(found['mean'])} (build, scenario) solved, {left} left to others, "
          f"{1e3 * seconds / max(1, len(found['mean'])):.1f} ms each with survival")  # fmt: skip
    return {name: np.array(values) for name, values in found.items()}


def print_agreement(number: int, fights: int) -> None:
    for name, values in agreement(number, fights).items():
        z = values[values != 0]
        shares = ", ".join(
            f"|z| > {limit}: {np.mean(np.abs(z) > limit):.4f} (normal {2 * NormalDist().cdf(-limit):.4f})"
            for limit in (1, 2, 3)
        )
        print(f"{name}: {len(z)} z values, mean {z.mean():.3f}, stdev {z.std():.3f}, "
              f"largest {np.abs(z).max():.2f}, {shares}")  # fmt: skip


# Classes by the limits that a build may have (any of the first, none but them), and by mechanics.
_PLAIN: tuple[str, ...] = ()
_COUNTERS = {
    "cooldown": ("cooldown",),
    "charge": ("charge_up", "charge_up_2"),
    "uses": ("charges_1", "charges_2"),
}
_HP = ("near_death", "bloodied")
_SEVERAL = ("ricochet", "explosive_critical", "splinter")


def _classes(ids: tuple[str, ...], limits: set[str], masks: np.ndarray) -> dict[str, np.ndarray]:
    """Which rows belong to which class."""
    has = {name: (masks[:, 0] >> np.uint64(i)) & np.uint64(1) != 0 for i, name in enumerate(ids)}
    none = np.zeros(len(masks), bool)

    def any_of(names: set[str]) -> np.ndarray:
        return np.logical_or.reduce([none, *(has[name] for name in names)])

    bleed, several = has["bleed"], any_of(set(_SEVERAL))
    found = {"plain": ~any_of(limits) & ~bleed & ~several}
    for name, own in _COUNTERS.items():
        found[name] = any_of(set(own)) & ~any_of(limits - set(own)) & ~bleed & ~several
    found["bleed"] = bleed & ~any_of(limits) & ~several
    simple = np.logical_or.reduce(list(found.values()))
    found["other limits"] = ~simple & ~any_of(set(_HP)) & ~several & ~bleed
    found["other limits, bleed"] = ~simple & ~any_of(set(_HP)) & ~several & bleed
    found["splinter"] = has["splinter"] & ~any_of(set(_HP))
    found["HP limit"] = any_of(set(_HP)) & ~several
    return found


def rates(most: int = 20_000, points: str = "6", general: int = 12, kernel_builds: int = 6) -> None:
    """Print (build, scenario) a second by class and scenario, and how that compares to the kernel."""
    rules, bouts = _loaded()
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "budget": points}))
    ids = space.catalogue.ids
    chunks = list(space.chunks(Wanted(groups=("melee_dg",))))
    masks = np.concatenate([chunk.codes for chunk in chunks])
    rng = np.random.default_rng(1)
    kernel = KernelEvaluator(rules)
    print(f"{'class':22}{'scenario':10}{'builds':>8}{'a second':>12}{'by value':>10}{'x kernel':>10}")
    for name, chosen in _classes(ids, set(rules.limits), masks).items():
        rows = rng.permutation(np.flatnonzero(chosen))[:most]
        builds = [space._attack("melee_dg", mask) for mask in masks[rows[:general]]]
        for bout in bouts.values():

            def batch(bout: Bout = bout, rows: np.ndarray = rows) -> BatchMeans:
                return batch_means(rules, bout.attacker, bout.encounter, "melee_dg", masks[rows])

            found = batch()
            done = found.ways != LEFT
            if done.mean() > 0.5:
                start = time.process_time()
                batch()
                rate = done.sum() / (time.process_time() - start)
                by_value = f"{np.mean(found.ways == BY_VALUE):.0%}"
            else:
                grounds = [exact_ground(rules, Build((b,)), bout.attacker, bout.encounter) for b in builds]
                start = time.process_time()
                for ground in grounds:
                    solve(ground, survival=False)
                rate, by_value = len(grounds) / (time.process_time() - start), "general"
            start = time.process_time()
            for attack in builds[:kernel_builds]:
                kernel.evaluate(Build((attack,)), bout, Sampling(0, target_error=0.005))
            seconds = (time.process_time() - start) / kernel_builds
            print(f"{name:22}{bout.name:10}{len(rows):8}{rate:12,.0f}{by_value:>10}{rate * seconds:10,.0f}",
                  flush=True)  # fmt: skip


# Which classes of `_classes` are the first of the three that the targets are about.
_SIMPLE = ("plain", *_COUNTERS, "bleed")
KINDS = ("plain, counters, bleed", "other single-target", "HP limit", "areas and bouncing")


def _kinds(
    ids: tuple[str, ...], rules: VitalityRules, attack_type: str, several: bool, masks: np.ndarray
) -> np.ndarray:
    """The number of each row's class among `KINDS`: what is solved quickly, the joint state, the kernel's."""
    classes = _classes(ids, set(rules.limits), masks)
    has = {name: (masks[:, 0] >> np.uint64(i)) & np.uint64(1) != 0 for i, name in enumerate(ids)}
    kinds = np.where(np.logical_or.reduce([classes[name] for name in _SIMPLE]), 0, 1)
    kinds[np.logical_or.reduce([has[name] for name in _HP])] = 2
    if several:
        # With one enemy nobody is there to ricochet to.
        kinds[has["ricochet"] | has["explosive_critical"]] = 3
        if rules.attack_types[attack_type].area:
            kinds[:] = 3
    return kinds


@dataclass
class Spent:
    """What a class took: rows, those of them that no batch solves, CPU seconds."""

    rows: int = 0
    sampled: int = 0
    seconds: float = 0.0


def whole_budget(budget: str = "6", fights: int = 256, threads: int = 2) -> None:
    """Every build of the budget over the default scenarios, class by class, on two cores."""
    rules, bouts = _loaded()
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "budget": budget}))
    groups: dict[str, list[np.ndarray]] = {}
    for chunk in space.chunks(Wanted()):
        groups.setdefault(chunk.group, []).append(chunk.codes)
    work: dict[int, list[tuple[str, Bout, np.ndarray]]] = {kind: [] for kind in range(len(KINDS))}
    for attack_type, codes in groups.items():
        masks = np.concatenate(codes)
        for bout in bouts.values():
            several = max(map(len, bout.encounter.waves)) > 1
            of_row = _kinds(space.catalogue.ids, rules, attack_type, several, masks)
            for kind, tasks in work.items():
                tasks.append((attack_type, bout, masks[of_row == kind]))

    def solve_task(task: tuple[str, Bout, np.ndarray]) -> tuple[int, float]:
        attack_type, bout, rows = task
        start = time.thread_time()
        left = rows[batch_means(rules, bout.attacker, bout.encounter, attack_type, rows).ways == LEFT]
        if len(left) > 0:
            sample_batch(rules, bout.attacker, bout.encounter, attack_type, left, seed=1, fights=fights)
        return len(left), time.thread_time() - start

    print(f"{'class':26}{'rows':>10}{'sampled':>10}{'CPU s':>8}{'a second':>10}{'wall s':>8}")
    whole = time.perf_counter()
    for kind, tasks in work.items():
        spent = Spent(rows=sum(len(rows) for *_, rows in tasks))
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            # The largest first, so that both threads end together.
            given = [task for task in sorted(tasks, key=lambda task: -len(task[2])) if len(task[2]) > 0]
            for left, seconds in pool.map(solve_task, given):
                spent.sampled += left
                spent.seconds += seconds
        wall = time.perf_counter() - start
        rate = f"{spent.rows / spent.seconds:10,.0f}"
        print(
            f"{KINDS[kind]:26}{spent.rows:10}{spent.sampled:10}{spent.seconds:8.1f}{rate}{wall:8.1f}",
            flush=True,
        )
    print(f"everything, the sampled at {fights} fights: {time.perf_counter() - whole:.1f} s")


def main(arguments: list[str] | None = None) -> None:
    """Print rates, or agreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agreement", type=int, metavar="BUILDS")
    parser.add_argument("--fights", type=int, default=20_000)
    parser.add_argument("--warm-up", action="store_true", help="only fill numba's cache")
    parser.add_argument("--budget", nargs="?", const="6", help="the whole budget on two cores, by class")
    parser.add_argument("--most", type=int, default=20_000, metavar="BUILDS", help="of a class")
    parser.add_argument("--points", default="6", help="the budget of the builds whose rates are printed")
    given = parser.parse_args(arguments)
    if given.warm_up:
        rates(20)
    elif given.budget:
        whole_budget(given.budget)
    elif given.agreement:
        print_agreement(given.agreement, given.fights)
    else:
        rates(given.most, given.points)


if __name__ == "__main__":
    main()

"""Rates of the exact engine by class of build, and how it agrees with the kernel.

scripts/bench exact                    rates and ratios to the kernel at 0.5 %; --points, --types, --class
scripts/bench exact --budget           the whole of budget 6 on two cores by class, the sampled at 256 fights
scripts/bench exact --agreement 2000   z values against the kernel
scripts/bench exact --batches 2000     batches against the general engine
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.evaluators import ExactEvaluator, KernelEvaluator
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, LEFT, Batch
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.settings import read_settings

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


def print_gaps(number: int, seed: int = 77) -> None:
    """The largest gap between batches and the general engine: random builds, all default scenarios."""
    rules, named = _loaded()
    bouts, rng = list(named.values()), np.random.default_rng(seed)
    fights = [(bout.attacker, bout.encounter) for bout in bouts]
    worst, compared, solved = 0.0, 0, np.zeros(LEFT + 2, int)
    for budget, effect, share in (("6", "damage", 0.35), ("8", "damage", 0.35), ("10", "damage", 0.2),
                                  ("8", "condition", 0.1)):  # fmt: skip
        settings = read_settings(rules, {"tier": str(TIER), "budget": budget, "effect": effect})
        space = VitalitySpace(rules, settings)
        drawn = [space.encode(build) for build in space.sample(Wanted(), round(number * share), rng)]
        for group in dict.fromkeys(chunk.group for chunk in drawn):
            masks = np.concatenate([chunk.codes for chunk in drawn if chunk.group == group])
            batch = Batch(rules, fights, group, masks, effect)
            for fight, bout in enumerate(bouts):
                found = batch.means(fight)
                solved += np.bincount(found.ways, minlength=len(solved))
                for i in np.flatnonzero(found.ways != LEFT):
                    build = Build((space._attack(group, masks[i], effect),))
                    ground = exact_ground(rules, build, bout.attacker, bout.encounter)
                    worst = max(worst, abs(solve(ground, survival=False).mean - found.means[i]))
                    compared += 1
    print(f"{compared} (build, scenario) compared, largest gap {worst:.2e}; by way {solved.tolist()}")


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


# Which classes of `_classes` are the first of the three that the targets are about.
_SIMPLE = ("plain", *_COUNTERS, "bleed")
_FIRST = "all of these at once"


# So many take long enough to be measured once.
_MANY = 30_000


def _batch_rate(
    rules: VitalityRules, attack_type: str, masks: np.ndarray, bouts: list[Bout]
) -> tuple[float, float]:
    """(build, scenario) a second that one core solves, the median of some runs; the share found by value."""
    times = 9 if len(masks) < _MANY else 1
    fights = [(bout.attacker, bout.encounter) for bout in bouts]
    seconds = []
    for _ in range(times + 1):  # once to warm up
        start = time.process_time()
        batch = Batch(rules, fights, attack_type, masks)
        found = [batch.means(number) for number in range(len(fights))]
        seconds.append(time.process_time() - start)
    ways = np.concatenate([each.ways for each in found])
    return np.sum(ways != LEFT) / float(np.median(seconds[1:])), float(np.mean(ways == BY_VALUE))


def _seconds_sampled(
    rules: VitalityRules, space: VitalitySpace, attack_type: str, masks: np.ndarray, bouts: list[Bout]
) -> float:
    """What a (build, scenario) takes the kernel at an error of 0.5 %."""
    kernel = KernelEvaluator(rules)
    start = time.process_time()
    for mask in masks:
        for bout in bouts:
            build = Build((space._attack(attack_type, mask),))
            kernel.evaluate(build, bout, Sampling(0, target_error=0.005))
    return (time.process_time() - start) / (len(masks) * len(bouts))


def rates(
    attack_type: str,
    points: str = "8",
    most: int = 100_000,
    sampled: int = 6,
    only: Sequence[str] = (),
) -> None:
    """Print (build, scenario) a second by class, or of some: over all scenarios, and in each alone."""
    rules, named = _loaded()
    bouts = list(named.values())
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "budget": points}))
    masks = np.concatenate([chunk.codes for chunk in space.chunks(Wanted(groups=(attack_type,)))])
    rng = np.random.default_rng(1)
    found = _classes(space.catalogue.ids, set(rules.limits), masks)
    first = np.logical_or.reduce([found[name] for name in _SIMPLE])
    classes: dict[str, np.ndarray] = {}
    for name, chosen in found.items():
        classes[name] = rng.permutation(np.flatnonzero(chosen))[:most]
        if name == _SIMPLE[-1]:
            classes[_FIRST] = rng.permutation(np.flatnonzero(first))
    alone = "".join(f"{bout.name:>9}" for bout in bouts)
    print(f"{attack_type}, {points} points, tier {TIER}: (build, scenario) a second on one core")
    print(f"{'class':22}{'builds':>8}{'together':>10}{alone}{'by value':>10}{'x kernel':>10}")
    for name, rows in classes.items():
        if len(rows) == 0 or (only and name not in only):
            continue
        rate, by_value = _batch_rate(rules, attack_type, masks[rows], bouts)
        each = [_batch_rate(rules, attack_type, masks[rows], [bout])[0] for bout in bouts]
        seconds = _seconds_sampled(rules, space, attack_type, masks[rows[:sampled]], bouts)
        numbers = "".join(f"{number:9,.0f}" for number in each)
        print(f"{name:22}{len(rows):8}{rate:10,.0f}{numbers}{by_value:10.0%}{rate * seconds:10,.0f}",
              flush=True)  # fmt: skip


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


@dataclass(frozen=True, eq=False)
class _Task:
    """Builds in one of the fights, and which of them are of the class there."""

    attack_type: str
    fight: int
    masks: np.ndarray
    own: np.ndarray
    batch: Batch


def whole_budget(budget: str = "6", fights_each: int = 256, threads: int = 2) -> None:
    """Every build of the budget over the default scenarios, class by class, on two cores."""
    rules, bouts = _loaded()
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "budget": budget}))
    groups: dict[str, list[np.ndarray]] = {}
    for chunk in space.chunks(Wanted()):
        groups.setdefault(chunk.group, []).append(chunk.codes)
    work: dict[int, list[_Task]] = {kind: [] for kind in range(len(KINDS))}
    fights = [(bout.attacker, bout.encounter) for bout in bouts.values()]
    for attack_type, codes in groups.items():
        masks = np.concatenate(codes)
        of_row = np.stack(
            [
                _kinds(
                    space.catalogue.ids, rules, attack_type, max(map(len, bout.encounter.waves)) > 1, masks
                )
                for bout in bouts.values()
            ]
        )
        for kind, tasks in work.items():
            rows = (of_row == kind).any(axis=0)
            batch = Batch(rules, fights, attack_type, masks[rows])
            tasks += [
                _Task(attack_type, number, masks[rows], (of_row[number] == kind)[rows], batch)
                for number in range(len(fights))
            ]

    def solve_task(task: _Task) -> tuple[int, float]:
        attacker, encounter = fights[task.fight]
        start = time.thread_time()
        left = task.masks[(task.batch.means(task.fight).ways == LEFT) & task.own]
        if len(left) > 0:
            sample_batch(rules, attacker, encounter, task.attack_type, left, seed=1, fights=fights_each)
        return len(left), time.thread_time() - start

    # Loading compiled code is no part of it.
    for attack_type, codes in groups.items():
        few = codes[0][::2000]
        warm = Batch(rules, fights, attack_type, few)
        for number, (attacker, encounter) in enumerate(fights):
            warm.means(number)
            sample_batch(rules, attacker, encounter, attack_type, few, seed=1, fights=1)
    print(f"{'class':26}{'rows':>10}{'sampled':>10}{'CPU s':>8}{'a second':>10}{'wall s':>8}")
    whole = time.perf_counter()
    for kind, tasks in work.items():
        spent = Spent(rows=sum(int(task.own.sum()) for task in tasks))
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            # The largest first, so that both threads end together.
            given = [task for task in sorted(tasks, key=lambda task: -task.own.sum()) if task.own.any()]
            for left, seconds in pool.map(solve_task, given):
                spent.sampled += left
                spent.seconds += seconds
        wall = time.perf_counter() - start
        rate = f"{spent.rows / spent.seconds:10,.0f}"
        print(
            f"{KINDS[kind]:26}{spent.rows:10}{spent.sampled:10}{spent.seconds:8.1f}{rate}{wall:8.1f}",
            flush=True,
        )
    print(f"everything, the sampled at {fights_each} fights: {time.perf_counter() - whole:.1f} s")


def main(arguments: list[str] | None = None) -> None:
    """Print rates, or agreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agreement", type=int, metavar="BUILDS")
    parser.add_argument("--batches", type=int, metavar="BUILDS")
    parser.add_argument("--fights", type=int, default=20_000)
    parser.add_argument("--warm-up", action="store_true", help="only fill numba's cache")
    parser.add_argument("--budget", nargs="?", const="6", help="the whole budget on two cores, by class")
    parser.add_argument("--most", type=int, default=100_000, metavar="BUILDS", help="of a class")
    parser.add_argument("--points", default="8", help="the budget of the builds whose rates are printed")
    parser.add_argument("--class", action="append", default=[], dest="classes", help="only this; repeat")
    parser.add_argument("--types", default="melee_dg,ranged", help="their attack types, with commas between")
    given = parser.parse_args(arguments)
    if given.warm_up:
        rates("melee_dg", "6", 20)
    elif given.budget:
        whole_budget(given.budget)
    elif given.batches:
        print_gaps(given.batches)
    elif given.agreement:
        print_agreement(given.agreement, given.fights)
    else:
        for attack_type in given.types.split(","):
            rates(attack_type, given.points, given.most, only=given.classes)


if __name__ == "__main__":
    main()

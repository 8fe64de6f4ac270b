"""What several enemies cost: attacks whose criticals explode in batches, others one at a time; and agreement.

scripts/bench several                          all builds of tier 3 that explode, by type and scenario
scripts/bench several --most 4000              of each type so many
scripts/bench several --agreement 200          so many random builds a type against fights of the kernel
scripts/bench several --class area --most 20   areas that roll (or: ricochet), one at a time
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.bulk import VitalityBulk
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, LEFT, Batch
from buildsearch.systems.vitality.rules.settings import read_settings

TIER = 3
# Fights of those that are so many standard errors off are repeated with another seed.
FAR = 3.0
CLASSES = {
    "explosive": [(kind, ("explosive_critical",)) for kind in ("melee_ac", "melee_dg", "ranged")],
    "area": [("area", ())],
    "ricochet": [(kind, ("ricochet",)) for kind in ("melee_ac", "melee_dg", "ranged")],
}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--class", dest="kind", choices=CLASSES, default="explosive")
    parser.add_argument("--most", type=int, default=1 << 30)
    parser.add_argument("--agreement", type=int, default=0)
    parser.add_argument("--fights", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--warm-up", action="store_true")
    asked = parser.parse_args()
    rules = load_rules("vitality-v2").model
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "archetype": "focused"}))
    bouts = {
        name: bout
        for name, bout in make_bouts(rules, load_scenarios("default").model, TIER, {}).items()
        if max(map(len, bout.encounter.waves)) > 1
    }
    scorer = VitalityBulk(rules, space)
    if asked.warm_up:
        scorer.compile_apart(rules.attack_types)
    most = 40 if asked.warm_up else asked.agreement or asked.most
    every = []
    for kind, features in CLASSES[asked.kind][: 1 if asked.warm_up else None]:
        wanted = Wanted(groups=(kind,), with_features=features)
        codes = np.concatenate([chunk.codes for chunk in space.chunks(wanted)])
        rng = np.random.default_rng(asked.seed)
        if most < len(codes):
            codes = codes[np.sort(rng.choice(len(codes), most, replace=False))]
        chunk = Chunk(kind, codes)
        found = (
            _in_batches(rules, chunk, bouts) if asked.kind == "explosive" else _alone(scorer, chunk, bouts)
        )
        for name, means in found:
            if asked.agreement:
                every.append(_agreement(scorer, chunk, bouts[name], means, asked.fights))
                _say(every[-1])
    if every:
        print("all together")
        _say(np.concatenate(every))


def _in_batches(rules, chunk: Chunk, bouts: dict[str, Bout]) -> Iterator[tuple[str, np.ndarray]]:  # type: ignore[no-untyped-def]
    fights = [(bout.attacker, bout.encounter) for bout in bouts.values()]
    batch = Batch(rules, fights, chunk.group, chunk.codes)
    for number, name in enumerate(bouts):
        begun, cpu = time.perf_counter(), time.process_time()
        found = batch.means(number)
        wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
        left, by_value = (found.ways == LEFT).mean(), (found.ways == BY_VALUE).mean()
        print(
            f"{chunk.group:10} {name:8} {len(chunk):7} builds {wall:7.1f} s, {cpu:7.1f} s CPU, "
            f"{len(chunk) / max(cpu, 1e-9):8,.0f} a second, by value {by_value:.1%}, left {left:.1%}"
        )
        yield name, found.means


def _alone(scorer: VitalityBulk, chunk: Chunk, bouts: dict[str, Bout]) -> Iterator[tuple[str, np.ndarray]]:
    for name, bout in bouts.items():
        cpu = time.process_time()
        means = scorer.solve_alone(chunk, bout)
        cpu = time.process_time() - cpu
        solved = int((~np.isnan(means)).sum())
        print(
            f"{chunk.group:10} {name:8} {len(chunk):7} builds, {solved} solved, {cpu:7.1f} s CPU, "
            f"{cpu / max(solved, 1):.2f} s each",
            flush=True,
        )
        yield name, means


def _agreement(scorer: VitalityBulk, chunk: Chunk, bout: Bout, means: np.ndarray, fights: int) -> np.ndarray:
    """How far means of fights are from exact ones, in standard errors; who is far fights again."""
    solved = np.flatnonzero(~np.isnan(means))
    part = Chunk(chunk.group, chunk.codes[solved])
    z = z_values(scorer, part, bout, means[solved], fights, seed=1)
    for i in np.flatnonzero(np.abs(z) > FAR):
        one = Chunk(chunk.group, part.codes[i : i + 1])
        (build,) = scorer.space.builds(one)
        again = z_values(scorer, one, bout, means[solved[i : i + 1]], 4 * fights, seed=2)[0]
        print(f"  {scorer.space.name(build)}: z {z[i]:+.2f}, of four times as many fights {again:+.2f}")
    return z[~np.isnan(z)]


def z_values(
    scorer: VitalityBulk, chunk: Chunk, bout: Bout, means: np.ndarray, fights: int, *, seed: int
) -> np.ndarray:
    """By build; NaN where its fights never vary."""
    samples = scorer.sample(chunk, bout, seed, fights)
    mean = samples.totals[0] / fights
    variance = samples.squares / fights - mean**2
    varies = variance > 1e-12
    same = np.abs(mean - means)[~varies]
    assert (same < 1e-6).all(), "fights that never vary take other turns than they should"
    z: np.ndarray = np.full(len(means), np.nan)
    z[varies] = (mean - means)[varies] / np.sqrt(variance[varies] / fights)
    return z


def _say(z: np.ndarray) -> None:
    print(
        f"  {len(z)} z values, mean {z.mean():+.3f}, stdev {z.std():.3f}, largest {np.abs(z).max():.2f}, "
        f"|z| > 2: {(np.abs(z) > 2).mean():.4f} (normal 0.0455)",
        flush=True,
    )


if __name__ == "__main__":
    main()

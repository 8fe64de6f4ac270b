"""What several enemies cost: batches of attacks whose criticals explode, and agreement with the kernel.

scripts/bench several                     all such builds of tier 3, by type and scenario
scripts/bench several --most 4000         of each type so many
scripts/bench several --agreement 200     so many random builds a scenario against fights of the kernel
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.bulk import VitalityBulk
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, LEFT, Batch
from buildsearch.systems.vitality.settings import read_settings
from buildsearch.systems.vitality.space import VitalitySpace
from buildsearch.workflow.loading import load_rules, load_scenarios

TIER = 3
TYPES = ("melee_ac", "melee_dg", "ranged")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=1 << 30)
    parser.add_argument("--agreement", type=int, default=0)
    parser.add_argument("--fights", type=int, default=2_000_000)
    parser.add_argument("--warm-up", action="store_true")
    asked = parser.parse_args()
    rules = load_rules("vitality-v2").model
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "archetype": "focused"}))
    bouts = {
        name: bout
        for name, bout in make_bouts(rules, load_scenarios("default").model, TIER, {}).items()
        if max(map(len, bout.encounter.waves)) > 1
    }
    most = 40 if asked.warm_up else asked.most
    for kind in TYPES[:1] if asked.warm_up else TYPES:
        wanted = Wanted(groups=(kind,), with_features=("explosive_critical",))
        codes = np.concatenate([chunk.codes for chunk in space.chunks(wanted)])
        rng = np.random.default_rng(0)
        if asked.agreement:
            most = asked.agreement
        if most < len(codes):
            codes = codes[np.sort(rng.choice(len(codes), most, replace=False))]
        fights = [(bout.attacker, bout.encounter) for bout in bouts.values()]
        batch = Batch(rules, fights, kind, codes)
        for number, name in enumerate(bouts):
            begun, cpu = time.perf_counter(), time.process_time()
            found = batch.means(number)
            wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
            left, by_value = (found.ways == LEFT).mean(), (found.ways == BY_VALUE).mean()
            print(
                f"{kind:10} {name:8} {len(codes):7} builds {wall:7.1f} s, {cpu:7.1f} s CPU, "
                f"{len(codes) / max(cpu, 1e-9):8,.0f} a second, by value {by_value:.1%}, left {left:.1%}"
            )
            if asked.agreement:
                _agreement(
                    VitalityBulk(rules, space), Chunk(kind, codes), bouts[name], found.means, asked.fights
                )


def _agreement(scorer: VitalityBulk, chunk: Chunk, bout: Bout, means: np.ndarray, fights: int) -> None:
    """How far means of fights are from exact ones, in standard errors."""
    solved = np.flatnonzero(~np.isnan(means))
    samples = scorer.sample(Chunk(chunk.group, chunk.codes[solved]), bout, 1, fights)
    mean = samples.totals[0] / fights
    variance = samples.squares / fights - mean**2
    varies = variance > 1e-12
    z = (mean - means[solved])[varies] / np.sqrt(variance[varies] / fights)
    print(
        f"  {len(z)} z values, mean {z.mean():+.3f}, stdev {z.std():.3f}, largest {np.abs(z).max():.2f}, "
        f"|z| > 2: {(np.abs(z) > 2).mean():.4f} (normal 0.0455)"
    )


if __name__ == "__main__":
    main()

"""Exact means against fights of the kernel, random build after random build, as long as there is time.

scripts/bench agreement --class area --rows FILE --minutes 60    areas that roll (or: ricochet, explosive)
scripts/bench agreement --class area --rows FILE --minutes 0     what the file says

Every pair of a build and a scenario is a line of the file. Builds that stand there are not drawn again, so
that many sessions add up to 200 builds of a class.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.bulk import VitalityBulk
from buildsearch.systems.vitality.rules.settings import read_settings
from scripts.benches.several import CLASSES, FAR, TIER, z_values


def main() -> None:
    """Go on with the file, then say what is in it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--class", dest="kind", choices=CLASSES, default="area")
    parser.add_argument("--rows", type=Path, default=Path("results/agreement.jsonl"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--builds", type=int, default=200)
    parser.add_argument("--fights", type=int, default=2_000_000)
    parser.add_argument("--warm-up", action="store_true")
    asked = parser.parse_args()
    if asked.warm_up:
        return
    rules = load_rules("vitality-v2").model
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER), "archetype": "focused"}))
    bouts = make_bouts(rules, load_scenarios("default").model, TIER, {})
    several = {name: bout for name, bout in bouts.items() if max(map(len, bout.encounter.waves)) > 1}
    scorer = VitalityBulk(rules, space)
    end = time.perf_counter() + 60 * asked.minutes
    known = {row["build"] for row in _rows(asked.rows)}
    for chunk in _drawn(space, asked.kind):
        if len(known) >= asked.builds or time.perf_counter() >= end:
            break
        (build,) = space.builds(chunk)
        name = space.name(build)
        if name in known:
            continue
        known.add(name)
        lines = []
        for scenario, bout in several.items():
            (mean,) = scorer.solve_alone(chunk, bout)
            row = {"build": name, "scenario": scenario, "mean": None if np.isnan(mean) else float(mean)}
            if not np.isnan(mean):
                row["z"] = _z(scorer, chunk, bout, mean, asked.fights, seed=1)
                if abs(row["z"] or 0.0) > FAR:
                    row["again"] = _z(scorer, chunk, bout, mean, 4 * asked.fights, seed=2)
            lines.append(json.dumps(row))
        asked.rows.parent.mkdir(parents=True, exist_ok=True)
        with asked.rows.open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    _say(_rows(asked.rows))


def _drawn(space: VitalitySpace, kind: str) -> Iterator[Chunk]:
    """All builds of a class in an order that never changes."""
    every = [
        (group, code)
        for group, features in CLASSES[kind]
        for chunk in space.chunks(Wanted(groups=(group,), with_features=features))
        for code in chunk.codes
    ]
    for place in np.random.default_rng(22).permutation(len(every)):
        group, code = every[place]
        yield Chunk(group, code[None])


def _z(scorer, chunk, bout, mean, fights, *, seed) -> float | None:  # type: ignore[no-untyped-def]
    """In standard errors; None where fights never vary."""
    (z,) = z_values(scorer, chunk, bout, np.array([mean]), fights, seed=seed)
    return None if np.isnan(z) else float(z)


def _rows(path: Path) -> list[dict]:
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def _say(rows: list[dict]) -> None:
    for scenario in (*dict.fromkeys(row["scenario"] for row in rows), None):
        mine = [row for row in rows if scenario in (None, row["scenario"])]
        z = np.array([row["z"] for row in mine if row.get("z") is not None])
        if len(z):
            print(
                f"{scenario or 'all':8} {len({row['build'] for row in mine})} builds, {len(z)} pairs, mean "
                f"{z.mean():+.3f}, sd {z.std():.3f}, largest {np.abs(z).max():.2f}, above 2: "
                f"{(np.abs(z) > 2).mean():.1%} (normal 4.6%)"
            )
    for row in rows:
        if "again" in row:
            print(f"  {row['build']} in {row['scenario']}: {row['z']:+.2f}, again {row['again']:+.2f}")


if __name__ == "__main__":
    main()

"""A campaign: so many mutants of every kind of file that is read back, each read once.

    python -m tests.fuzz.campaign --mutants 10000 --seed 1

A find is an error that is no sentence for users, damage that is taken for an answer, or a read that takes
longer than `--slow` seconds. Mutants that were finds are written to `--keep`; they belong into the corpus.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from buildsearch.cli.main import exit_code_of
from buildsearch.model.errors import BuildsearchError
from tests.fuzz.mutating import mutant
from tests.fuzz.targets import cache_targets, journal_target, run_targets, text_targets

RUN = (
    *("optimize", "--type", "direct_damage", "--budget", "1", "--top", "3", "--scenario", "boss"),
    *("-q", "--no-cache"),
)


@dataclass
class Report:
    """How many were taken and refused, and what was found."""

    taken: Counter = field(default_factory=Counter)
    refused: Counter = field(default_factory=Counter)
    finds: list = field(default_factory=list)


def targets_in(place, *, with_run=True, with_journal=True):
    """Everything that can be attacked, its files in a folder."""
    found = [*text_targets(place), *cache_targets(place)]
    if with_run:
        assert exit_code_of([*RUN, "--out", str(place / "run")]) == 0
        found += run_targets(place / "run")
    if with_journal:
        found.append(journal_target(place))
    return found


def attack(targets, mutants, seed, slow=float("inf"), keep=None):
    """Damage seeds of all targets in turn; the same seed gives the same mutants."""
    report = Report()
    everything = [seed_ for target in targets for seed_ in target.seeds]
    for target in targets:
        for data in target.seeds:
            _try(target, data, report, slow, keep)
    for number in range(mutants):
        rng = np.random.default_rng([seed, number])
        target = targets[number % len(targets)]
        data = mutant(target.seeds[int(rng.integers(len(target.seeds)))], rng, everything)
        _try(target, data, report, slow, keep)
    return report


def _try(target, data, report, slow, keep):
    begun = time.perf_counter()
    trouble = None
    try:
        target.attempt(data)
        report.taken[target.name] += 1
    except BuildsearchError:
        report.refused[target.name] += 1
    except Exception:
        trouble = traceback.format_exc(limit=-6)
    took = time.perf_counter() - begun
    if trouble is None and took > slow:
        trouble = f"{took:.1f} s"
    if trouble is not None:
        report.finds.append((target.name, trouble))
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{target.name}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slow", type=float, default=5.0)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-finds"))
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        report = attack(targets_in(Path(folder)), asked.mutants, asked.seed, asked.slow, asked.keep)
    for name in report.taken | report.refused:
        print(f"{name:16} taken {report.taken[name]:6,}  refused {report.refused[name]:6,}")
    for name, trouble in report.finds:
        print(f"\n{name}: {trouble}")
    print(
        f"\n{asked.mutants:,} mutants, {len(report.finds)} finds."
        + (f" See {asked.keep}." if report.finds else "")
    )
    sys.exit(bool(report.finds))


if __name__ == "__main__":
    main()

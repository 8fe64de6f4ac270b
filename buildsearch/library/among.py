"""The best builds of an earlier run, to be ranked anew: under other fights, other play, other rulings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.runs import load_run
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Chunk, Wanted

# As many as are worth an engine that takes a second for each.
BEST = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class ChosenBuilds:
    """Some builds, and where they come from."""

    folder: Path
    chunks: Sequence[Chunk]

    @property
    def size(self) -> int:
        """How many."""
        return sum(map(len, self.chunks))


def best_of_run(name: str, setup: FightSetup, wanted: Wanted, most: int | None) -> ChosenBuilds:
    """So many of the best builds of a run, as builds of this space; raises UsageError."""
    if wanted != Wanted():
        raise UsageError(
            "‹from_run› takes the best builds of a run as they are. Leave filters and ‹complete› out."
        )
    run = load_run(name)
    if run.setup.loaded.system is not setup.loaded.system:
        title = run.setup.loaded.system.title
        raise UsageError(f"‹from_run› {name}: that is a run of {title}, not of {setup.loaded.system.title}.")
    scores = -run.scores.score if run.scores.higher_is_better else run.scores.score
    best = np.argsort(scores, kind="stable")[: most or BEST]
    groups: dict[str, list[Chunk]] = {}
    for _, chunk in run.scores.chunks(np.sort(best)):
        for build in run.setup.space.builds(chunk):
            # By name: another budget may number the same parts in another way.
            same = setup.space.parse(run.setup.space.name(build))
            reasons = setup.space.reasons_against(same)
            if reasons:
                raise UsageError(
                    f"‹from_run› {name}: {setup.space.name(same)} is not a build here: {reasons[0].message}. "
                    "Give the same parameters as that run."
                )
            code = setup.space.encode(same)
            groups.setdefault(code.group, []).append(code)
    chunks = [Chunk(group, np.concatenate([code.codes for code in codes])) for group, codes in groups.items()]
    return ChosenBuilds(run.folder, chunks)

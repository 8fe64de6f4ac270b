"""Responses in a space too large to try every build: a guided search for who wins most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from buildsearch.meta.double_oracle import Finder, MetaLimits
from buildsearch.meta.matches import Cells, Matches
from buildsearch.meta.responses import Budget, Mixture, payoffs
from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.errors import Cancelled
from buildsearch.model.evaluation import Metric
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.build_list import by_group
from buildsearch.search.scoring import Advance, no_progress

# The fights of a build that is tried, in all: a score that noise moves by a tenth would lead nowhere.
_FIGHTS = 256


def guided_finder(
    matches: Matches,
    space: BuildSpace,
    wanted: Wanted,
    metric: Metric,
    rules: MetaLimits,
    trials: int,
    advance: Advance,
) -> Finder:
    """A finder that tries so many different builds against each mixture."""
    from buildsearch.search.guided.search import Guidance, guide
    from buildsearch.search.guided.space import BuildCoder
    from buildsearch.search.objectives import MEAN, Objective

    counts = space.count(wanted)
    coder = BuildCoder(space, wanted, [group for group, count in counts.items() if count])
    objective = Objective(MEAN, metric, metric.higher_is_better)
    known = _Known(matches)

    def find(mixture: Mixture, number: int, budget: Budget) -> None:
        def score(chunks: Sequence[Chunk]) -> Floats:
            rows = known.rows(chunks)
            for opponent, share in zip(mixture.opponents, mixture.shares, strict=True):
                column = matches.columns[opponent]
                strangers = rows[~column.is_known(rows)]
                cells = [Cells(opponent, strangers, max(rules.floor, int(_FIGHTS * share)))]
                if len(strangers) and matches.cost(cells) <= budget.left:
                    budget.left -= matches.cost(cells)
                    matches.play(cells, advance)
            return np.negative(payoffs(matches, mixture)[1][rows])[None, :]

        guidance = Guidance("tpe", trials, None, rules.seed + number, None, f"response-{number}")
        if guide(coder, sum(counts.values()), (objective,), guidance, score, no_progress).is_partial:
            raise Cancelled("interrupted.")

    return find


class _Known:
    """Which builds are among the matches already."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._places: dict[tuple[str, bytes], int] = {}
        self._take(matches.chunks, 0)

    def rows(self, chunks: Sequence[Chunk]) -> Ints:
        """The numbers of builds, those of new ones included."""
        keys = [(chunk.group, code.tobytes()) for chunk in chunks for code in chunk.codes]
        single = [chunk.some(slice(i, i + 1)) for chunk in chunks for i in range(len(chunk))]
        fresh = [one for key, one in zip(keys, single, strict=True) if key not in self._places]
        if fresh:
            before, batch = len(self._matches), by_group(fresh)
            self._matches.add_builds(batch)
            self._take(batch, before)
        return np.array([self._places[key] for key in keys], np.int64)

    def _take(self, chunks: Sequence[Chunk], first: int) -> None:
        for chunk in chunks:
            for code in chunk.codes:
                self._places[chunk.group, code.tobytes()] = first
                first += 1

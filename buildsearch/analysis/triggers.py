"""How often options fire, counted in fights that the reference plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.population import Population
from buildsearch.model.evaluation import Replayer
from buildsearch.model.space import BuildSpace


@dataclass(frozen=True, slots=True)
class Firing:
    """One option in one fight. `usable` is None where it has no condition; `fights` were played."""

    fights: int
    usable: float | None
    fired: float


@dataclass(frozen=True, slots=True)
class TriggerStats:
    """What was seen of one option: by fight, in `builds` builds. Empty where it has no trigger at all."""

    firings: Mapping[str, Firing]
    builds: tuple[str, ...]

    @property
    def fights(self) -> int:
        return sum(firing.fights for firing in self.firings.values())

    @property
    def never_fired(self) -> bool:
        """Whether it has a trigger and none of the fights saw it."""
        return bool(self.firings) and all(firing.fired == 0 for firing in self.firings.values())


@dataclass(frozen=True, slots=True)
class TriggerWatch:
    """Plays fights of builds with an option, and counts."""

    population: Population
    space: BuildSpace
    replayer: Replayer
    fights: Mapping[str, Any]
    seed: int = 0

    def look(self, part: int, fights: int) -> TriggerStats:
        """The smallest build with it, the better of equals: there nothing else stands in its way."""
        return self._watch(part, self._witnesses(part)[:1], fights, stop=False)

    def look_again(self, part: int, fights: int, enough: int = 0) -> TriggerStats:
        """The smallest of each group and the best of all, at least `enough` fights a scenario in all of them;
        stops when it fires."""
        rows = self._witnesses(part)
        return self._watch(part, rows, max(fights, -(-enough // len(rows))), stop=True)

    def _witnesses(self, part: int) -> list[int]:
        population = self.population
        rows = np.flatnonzero(population.has(part))
        group = population.scores.group[rows]
        smallest = [self._smallest(part, rows[group == number]) for number in np.unique(group)]
        # A handful of groups: a space may have hundreds of them.
        found = self._in_order(part, np.sort(smallest))[:6].tolist()
        best = int(rows[np.argmin(population.loss[rows])])
        return list(dict.fromkeys([*found, best]))

    def _smallest(self, part: int, rows: NDArray[np.int64]) -> int:
        """Of these builds the first in order; the few that can be are found without sorting millions."""
        level = self.population.levels[part, rows]
        rows = rows[level == level.max()]
        size = self.population.size[rows]
        return int(self._in_order(part, rows[size == size.min()])[0])

    def _in_order(self, part: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """More of it is better, then less of anything else, then a better score."""
        population = self.population
        level = population.levels[part, rows].astype(np.int64)
        return rows[np.lexsort((population.loss[rows], population.size[rows], -level))]

    def _watch(self, part: int, rows: Sequence[int], fights: int, *, stop: bool) -> TriggerStats:
        name = self.population.names[part]
        seen: dict[str, list[Firing]] = {}
        builds = []
        for row in rows:
            (build,) = self.space.builds(self.population.chunk(row))
            builds.append(self.space.name(build))
            for label, fight in self.fights.items():
                rate = self.replayer.triggers(build, fight, fights, self.seed).get(name)
                if rate is None:
                    return TriggerStats({}, tuple(builds))
                seen.setdefault(label, []).append(Firing(fights, rate.usable, rate.fired))
                if stop and rate.fired > 0:
                    return TriggerStats({key: _pooled(each) for key, each in seen.items()}, tuple(builds))
        return TriggerStats({label: _pooled(each) for label, each in seen.items()}, tuple(builds))


def _pooled(firings: Sequence[Firing]) -> Firing:
    fights = sum(firing.fights for firing in firings)
    fired = sum(firing.fired * firing.fights for firing in firings) / fights
    usable = [firing.usable for firing in firings if firing.usable is not None]
    return Firing(fights, sum(usable) / len(usable) if usable else None, fired)

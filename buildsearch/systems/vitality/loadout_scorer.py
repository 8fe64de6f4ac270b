"""Vitality's candidates for loadouts, and the value of best play of any of them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from buildsearch.model.errors import UsageError
from buildsearch.model.loadouts import Use
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.vitality.best_play.describing import uses
from buildsearch.systems.vitality.best_play.evaluators import BestPlayEvaluator
from buildsearch.systems.vitality.best_play.kits import Group, Kits, make_kits, why_no_kits
from buildsearch.systems.vitality.best_play.relaxing import relaxed_value
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.build import Attack, Build
from buildsearch.systems.vitality.exact.batch.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.solving import batch_means
from buildsearch.systems.vitality.rules import VitalityRules
from buildsearch.systems.vitality.space import VitalitySpace

_CHUNK = 1 << 16
_JOBS = 2
EQUAL = "= does the same as another attack"
WEAK_ALONE = "not among the best alone, under greedy play"
UNKNOWN = (
    "strikes in a way that only slower engines follow (areas, bleed, splinter, ricochet, explosive critical)"
)


class VitalityLoadouts:
    """Loadouts of as many attacks as the archetype has, under best play."""

    def __init__(
        self, rules: VitalityRules, space: VitalitySpace, bouts: Mapping[str, Bout], wanted: Wanted, most: int
    ) -> None:
        self.rules, self.space, self.bouts = rules, space, list(bouts.values())
        self.size = space.settings.attacks
        reason = why_no_kits(rules, self.bouts[0].attacker)
        if reason is not None:
            raise UsageError(f"loadouts cannot be searched for: {reason}.")
        self.left_out: dict[str, int] = {}
        self._attacks, self._kits = self._prepare(_cut(self, wanted, most))
        if not self._attacks:
            raise UsageError("no attack is left to choose from. Loosen a filter.")

    @property
    def candidates(self) -> int:
        """How many attacks there are to choose from."""
        return len(self._attacks)

    def values(self, loadouts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Mean turns of best play by loadout and fight."""
        columns = Parallel(n_jobs=_JOBS, backend="threading")(
            delayed(kits.values)(loadouts) for kits in self._kits
        )
        return np.stack(columns, axis=1)

    def floor(self) -> NDArray[np.float64]:
        """By fight: every candidate at hand at once, without limits but the turns of charging."""
        return np.array([relaxed_value(kits) for kits in self._kits])

    def build(self, loadout: tuple[int, ...]) -> Build:
        """The loadout as a build."""
        return Build(tuple(self._attacks[one] for one in loadout))

    def uses(self, loadouts: Sequence[tuple[int, ...]]) -> list[list[list[Use]]]:
        """By loadout and fight: the share of turns of each action."""
        found: list[list[Use]] = Parallel(n_jobs=_JOBS, backend="threading")(
            delayed(self._uses)(self.build(loadout), bout) for loadout in loadouts for bout in self.bouts
        )
        fights = len(self.bouts)
        return [found[i * fights : (i + 1) * fights] for i in range(len(loadouts))]

    def _uses(self, build: Build, bout: Bout) -> list[Use]:
        optimum, course = BestPlayEvaluator(self.rules).solve(build, bout, survival=False)
        return uses(build, optimum, course)

    def _prepare(self, groups: list[Group]) -> tuple[list[Attack], list[Kits]]:
        """Candidates that every fight's kernel knows, each kind once."""
        effect = self.space.settings.effect
        kits = [make_kits(self.rules, bout.attacker, bout.encounter, groups, effect) for bout in self.bouts]
        ready = np.logical_and.reduce([each.ready for each in kits])
        columns = [_columns(each) for each in kits]
        kinds, _ = distinct_rows(np.concatenate(columns, axis=1)[ready])
        self._count(UNKNOWN, int((~ready).sum()))
        self._count(EQUAL, int(ready.sum()) - len(kinds))
        chosen = np.sort(np.flatnonzero(ready)[kinds])
        attacks = [
            attack
            for name, codes in groups
            for build in self.space.builds(Chunk(name, codes))
            for attack in build.attacks
        ]
        return [attacks[i] for i in chosen], [each.part(chosen) for each in kits]

    def _count(self, reason: str, number: int) -> None:
        if number:
            self.left_out[reason] = self.left_out.get(reason, 0) + number


def _columns(kits: Kits) -> NDArray[np.int64]:
    """What decides an attack's part in any fight: limits, rows of damage, the basic attack of its type."""
    limits = np.ascontiguousarray(kits.limits).view(np.int64).reshape(len(kits.limits), -1)
    return np.concatenate([limits, kits.rows[:, None], kits.basic_rows[:, None]], axis=1)


def _cut(loadouts: VitalityLoadouts, wanted: Wanted, most: int) -> list[Group]:
    """All attacks, or where there are more than `most` the best alone in any fight or on the whole."""
    chunks = list(loadouts.space.chunks(wanted, _CHUNK))
    total = sum(map(len, chunks))
    if total <= most:
        return [(chunk.group, chunk.codes) for chunk in chunks]
    effect = loadouts.space.settings.effect
    means = np.stack(
        [
            np.concatenate(
                [
                    batch_means(
                        loadouts.rules, bout.attacker, bout.encounter, each.group, each.codes, effect
                    ).means
                    for each in chunks
                ]
            )
            for bout in loadouts.bouts
        ],
        axis=1,
    )
    weights = np.array([bout.weight for bout in loadouts.bouts])
    ranked = np.column_stack([means, means @ (weights / weights.sum())])
    order = np.argsort(np.where(np.isnan(ranked), np.inf, ranked), axis=0, kind="stable")
    kept = np.unique(order[: max(1, most // ranked.shape[1])].ravel())
    loadouts.left_out[WEAK_ALONE] = total - len(kept)
    groups, start = [], 0
    for chunk in chunks:
        rows = kept[(kept >= start) & (kept < start + len(chunk))] - start
        if len(rows) > 0:
            groups.append((chunk.group, chunk.codes[rows]))
        start += len(chunk)
    return groups

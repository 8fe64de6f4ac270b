"""Vitality's candidates for loadouts, and the value of best play of any of them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.evaluate.sampling import BLOCK
from buildsearch.evaluate.threads import in_parallel
from buildsearch.model.errors import UsageError
from buildsearch.model.loadouts import Use
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.vitality.best_play.dominance import dominators, tame
from buildsearch.systems.vitality.best_play.kits import Group, Kits, make_kits, why_no_kits
from buildsearch.systems.vitality.best_play.loadout_evaluators import BestPlayEvaluator
from buildsearch.systems.vitality.best_play.policy_text import uses
from buildsearch.systems.vitality.best_play.relaxation import relaxed_value
from buildsearch.systems.vitality.best_play.savings import Least, least_beside, most_saved
from buildsearch.systems.vitality.best_play.support import why_not_exact
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.solving import all_means
from buildsearch.systems.vitality.loadouts.left_out import fewest_turns, reasons_of, slow_attacks, slow_values
from buildsearch.systems.vitality.loadouts.sampled import SampledLoadouts, sampled_attacks
from buildsearch.systems.vitality.rules.model import VitalityRules

_CHUNK = 1 << 16
_JOBS = 2
_REMEMBERED = 16
_SLOW = 120
# Fights behind each number of a listed loadout that is not its score: what its parts do, and how often.
_ESTIMATE = BLOCK
EQUAL = "= does the same as another attack"
DOMINATED = "= another attack is always at least as good, unless beside a hard-to-solve attack"
WEAK_ALONE = "not among the best when used without others (greedy play)"


class VitalityLoadouts:
    """Loadouts of as many attacks as the archetype has, under best play."""

    def __init__(
        self,
        rules: VitalityRules,
        space: VitalitySpace,
        bouts: Mapping[str, Bout],
        wanted: Wanted,
        most: int | None = None,
        *,
        seed: int = 0,
        jobs: int = _JOBS,
    ) -> None:
        self._seed, self._jobs = seed, jobs
        self.rules, self.space, self.bouts = rules, space, list(bouts.values())
        self.size = space.settings.attacks
        reason = why_no_kits(rules, self.bouts[0].attacker)
        if reason is not None:
            raise UsageError(f"loadouts cannot be searched for: {reason}.")
        self.left_out: dict[str, int] = {}
        chunks = list(space.chunks(wanted, _CHUNK))
        everything = _joined([(chunk.group, chunk.codes) for chunk in chunks])
        self._groups, self._which, self._kits = self._prepare(_cut(self, chunks, most))
        self._sampled = sampled_attacks(rules, space, self.bouts, everything, seed=seed, jobs=jobs)
        self._fights = SampledLoadouts(rules, space, self.bouts, self.attack, seed=seed, jobs=jobs)
        self.tame = np.logical_and.reduce([tame(kits) for kits in self._kits])
        self.dominator = dominators(self._kits)
        self._replaced = self.tame & (self.dominator >= 0)
        self._bleeds = self._kits[0].bleeds
        self._thresholds = np.logical_or.reduce([kits.thresholds for kits in self._kits])
        self._charges = np.unique(self._kits[0].limits["charge"])
        self._known = LruCache[tuple[int, ...], list[Least]](_REMEMBERED)

    @property
    def candidates(self) -> int:
        return len(self._which)

    @property
    def extra(self) -> int:
        """How many attacks stand behind the candidates that only the slow solver follows."""
        return len(self._slow)

    @property
    def sampled(self) -> int:
        """How many attacks stand behind those that only fights can value among several enemies."""
        return len(self._sampled)

    sampled_method = "lookahead"

    def outcome_range(self, fight: int) -> tuple[float, float]:
        return 1.0, float(self.bouts[fight].encounter.max_turns)

    def exact_values(self, fight: int, loadouts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Mean turns of best play where the fast solver knows it, else NaN."""
        return self._fights.exact(fight, loadouts)

    def fight_on(
        self, fight: int, loadouts: NDArray[np.int64], fights: int, first_block: int = 0
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Sums of turns and of their squares, with one turn of look-ahead."""
        played = self._fights.play(fight, loadouts, fights, first_block)
        return played.turns, played.squares

    def floor_with_extra(self) -> NDArray[np.float64]:
        """By fight: by counting, what no loadout is below, the slow attacks that were left out included."""
        everything = [Attack(name, tuple(self.rules.enhancements)) for name, _ in self._groups[:1]]
        counted = np.array([fewest_turns(self.rules, everything, bout) for bout in self.bouts])
        if self._sampled:
            # An area, or a strike that jumps, may fell a whole wave on one turn.
            counted = np.array([float(len(bout.encounter.waves)) for bout in self.bouts])
        return np.minimum(self.floor(), counted) if self._slow or self._sampled else self.floor()

    @property
    def replaced(self) -> int:
        """How many of them are proved not to be needed beside tame attacks."""
        return int(self._replaced.sum())

    def values(self, loadouts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Mean turns of best play by loadout and fight."""
        return np.stack([self.fight_values(i, loadouts) for i in range(len(self._kits))], axis=1)

    def fight_values(self, fight: int, loadouts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Mean turns of best play by loadout, in the fight of this number."""
        fought = (loadouts >= self.candidates + self.extra).any(axis=1)
        if fought.any():
            found = np.full(len(loadouts), np.nan)
            found[fought] = self._estimated(fight, loadouts[fought])
            if not fought.all():
                found[~fought] = self.fight_values(fight, loadouts[~fought])
            return found
        slow = (loadouts >= self.candidates).any(axis=1)
        if slow.any():
            found = np.full(len(loadouts), np.nan)
            # Beside a bleed the slow solver takes seconds: these are not tried.
            quick = slow & ~np.append(self._bleeds, [False] * self.extra)[loadouts].any(axis=1)
            builds = [self.build(tuple(row)) for row in loadouts[quick].tolist()]
            found[quick] = slow_values(self.rules, builds, self.bouts[fight], _JOBS)
            if not slow.all():
                found[~slow] = self.fight_values(fight, loadouts[~slow])
            return found
        # Dealt out in turn: loadouts that stand side by side take alike long.
        found = np.full(len(loadouts), np.nan)
        values = self._kits[fight].values
        parts = in_parallel(lambda i: values(loadouts[i::_JOBS]), range(_JOBS), _JOBS)
        for i, part in enumerate(parts):
            found[i::_JOBS] = part
        return found

    def _estimated(self, fight: int, loadouts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Exact where best play is known, else the mean of some fights."""
        found = self.exact_values(fight, loadouts)
        rest = np.flatnonzero(np.isnan(found))
        if len(rest):
            found[rest] = self.fight_on(fight, loadouts[rest], _ESTIMATE)[0] / _ESTIMATE
        return found

    @property
    def without_value(self) -> str | None:
        """A bleed beside a threshold: HP and what is pending do not add up."""
        if not (self._bleeds.any() and self._thresholds.any()):
            return None
        return "a bleed beside an attack that defeats at more than 0 HP (`score` has them under optimal play)"

    def bounds(self, rest: tuple[int, ...]) -> NDArray[np.float64]:
        """By attack and fight: what the rest with it takes at least; infinite where it is left out."""
        found = np.stack([each.turns for each in self._priced(rest)], axis=1)
        if self.tame[list(rest)].all():
            found[self._replaced] = np.inf
        # A bleed beside a threshold has no value here.
        if self._bleeds[list(rest)].any():
            found[self._thresholds] = np.inf
        if self._thresholds[list(rest)].any():
            found[self._bleeds] = np.inf
        return found

    def guesses(self, rest: tuple[int, ...]) -> NDArray[np.float64]:
        """By attack and fight: the same with a look at how late it can be used, without proof."""
        return np.stack([each.guess for each in self._priced(rest)], axis=1)

    def floor_near(self, loadout: tuple[int, ...]) -> NDArray[np.float64]:
        """By fight: this loadout's turns less what any attacks in their number could save it."""
        chosen = np.array(loadout, np.int64)
        saved = np.array([most_saved(kits, chosen, self._charges) for kits in self._kits])
        mean = self.values(np.array([loadout]))[0]
        return np.asarray(np.where(np.isfinite(mean), mean - self.size * saved, -np.inf))

    def floor(self) -> NDArray[np.float64]:
        """By fight: every candidate at hand at once, without limits but the turns of charging."""
        return self._floor.copy()

    @cached_property
    def _floor(self) -> NDArray[np.float64]:
        return np.array(in_parallel(relaxed_value, self._kits, _JOBS))

    def build(self, loadout: tuple[int, ...]) -> Build:
        return Build(tuple(self.attack(one) for one in loadout))

    def attack(self, candidate: int) -> Attack:
        """A candidate as an attack; the slow ones stand behind the others, then those that must fight."""
        if candidate >= self.candidates + self.extra:
            return self._sampled[candidate - self.candidates - self.extra]
        if candidate >= self.candidates:
            return self._slow[candidate - self.candidates]
        row = int(self._which[candidate])
        for name, codes in self._groups:
            if row < len(codes):
                return next(iter(self.space.builds(Chunk(name, codes[row : row + 1])))).attacks[0]
            row -= len(codes)
        raise IndexError(candidate)

    def uses(self, loadouts: Sequence[tuple[int, ...]]) -> list[list[list[Use]]]:
        """By loadout and fight: the share of turns of each action."""
        fights = range(len(self.bouts))
        found = {(i, fight): use for fight in fights for i, use in self._sampled_uses(loadouts, fight)}
        solved = [(i, fight) for i in range(len(loadouts)) for fight in fights if (i, fight) not in found]
        uses = in_parallel(
            lambda pair: self._uses(self.build(loadouts[pair[0]]), self.bouts[pair[1]]), solved, _JOBS
        )
        found |= dict(zip(solved, uses, strict=True))
        return [[found[i, fight] for fight in fights] for i in range(len(loadouts))]

    def _sampled_uses(
        self, loadouts: Sequence[tuple[int, ...]], fight: int
    ) -> Iterator[tuple[int, list[Use]]]:
        """Those whose best play in this fight nobody works out, by their number."""
        bout = self.bouts[fight]
        must = [
            i
            for i, each in enumerate(loadouts)
            if max(each) >= self.candidates + self.extra
            and why_not_exact(self.rules, self.build(each), bout.attacker, bout.encounter) is not None
        ]
        if must:
            rows = np.array([loadouts[i] for i in must], np.int64)
            yield from zip(must, self._fights.uses(fight, rows, _ESTIMATE), strict=True)

    def _uses(self, build: Build, bout: Bout) -> list[Use]:
        optimum, played = BestPlayEvaluator(self.rules).solve(build, bout, survival=False)
        return uses(build, optimum, played)

    def _priced(self, rest: tuple[int, ...]) -> list[Least]:
        """What is known of every attack beside the rest, by fight; the last few are remembered."""
        beside = np.array(rest, np.int64)
        return self._known.get(
            rest,
            lambda: in_parallel(lambda kits: least_beside(kits, beside, self._charges), self._kits, _JOBS),
        )

    def _prepare(self, groups: list[Group]) -> tuple[list[Group], NDArray[np.int64], list[Kits]]:
        """Candidates that every fight's kernel knows, each kind once."""
        effect = self.space.settings.effect
        kits = in_parallel(
            lambda bout: make_kits(self.rules, bout.attacker, bout.encounter, groups, effect),
            self.bouts,
            _JOBS,
        )
        ready = np.logical_and.reduce([each.ready for each in kits])
        if not ready.any():
            raise UsageError("no attack is left to choose from. Loosen a filter.")
        # Fight by fight: side by side these columns would be most of the memory.
        kinds, _ = distinct_rows(np.stack([distinct_rows(_columns(each, ready))[1] for each in kits], axis=1))
        for reason, number in reasons_of(self.rules, groups, ready).items():
            self._count(reason, number)
        self._count(EQUAL, int(ready.sum()) - len(kinds))
        chosen = np.sort(np.flatnonzero(ready)[kinds])
        self._slow = slow_attacks(self.rules, self.space, self.bouts, groups, ready, _SLOW)
        return groups, chosen, [each.part(chosen) for each in kits]

    def _count(self, reason: str, number: int) -> None:
        if number:
            self.left_out[reason] = self.left_out.get(reason, 0) + number


def _columns(kits: Kits, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """What decides an attack's part in any fight: limits, rows of damage, the basic attack of its type."""
    limits = kits.limits[chosen].view(np.int64).reshape(int(chosen.sum()), -1)
    return np.concatenate([limits, kits.rows[chosen, None], kits.basic_rows[chosen, None]], axis=1)


def _cut(loadouts: VitalityLoadouts, chunks: list[Chunk], most: int | None) -> list[Group]:
    """All attacks, or where there are more than `most` the best alone in any fight or on the whole."""
    total = sum(map(len, chunks))
    if most is None or total <= most:
        return _joined([(chunk.group, chunk.codes) for chunk in chunks])
    effect = loadouts.space.settings.effect
    fights = [(bout.attacker, bout.encounter) for bout in loadouts.bouts]
    means = np.concatenate(
        [all_means(loadouts.rules, fights, each.group, each.codes, effect) for each in chunks]
    )
    weights = np.array([bout.weight for bout in loadouts.bouts])
    ranked = np.column_stack([means, means @ (weights / weights.sum())])
    order = np.argsort(np.where(np.isnan(ranked), np.inf, ranked), axis=0, kind="stable")
    # The best of each fight and of the mean in turn, as many as were asked for: few builds lead everywhere.
    place = np.argsort(order, axis=0, kind="stable")
    kept = np.sort(np.lexsort((place[:, -1], place.min(axis=1)))[:most])
    loadouts.left_out[WEAK_ALONE] = total - len(kept)
    groups, start = [], 0
    for chunk in chunks:
        rows = kept[(kept >= start) & (kept < start + len(chunk))] - start
        if len(rows) > 0:
            groups.append((chunk.group, chunk.codes[rows]))
        start += len(chunk)
    return _joined(groups)


def _joined(groups: list[Group]) -> list[Group]:
    """One group for each type."""
    names = list(dict.fromkeys(name for name, _ in groups))
    return [(name, np.concatenate([codes for other, codes in groups if other == name])) for name in names]

"""Options that are dead: they never trigger, or whether a build has them makes no difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.analysis.choices import Naming
from buildsearch.analysis.findings import Finding, FindingCode, FindingSeverity
from buildsearch.analysis.pooling import Pooling
from buildsearch.analysis.population import NO_PART, SURE, Population
from buildsearch.analysis.thresholds import DeadThresholds
from buildsearch.files.large_arrays import stretches
from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.evaluation import Replayer
from buildsearch.model.space import BuildSpace
from buildsearch.model.text import count

NOTHING = "changes nothing"
BLOCKS = "is never usable"
NEVER = "never fires"
_FEW = 64


@dataclass(frozen=True, slots=True)
class DeadRule:
    """`is_error`: it cannot trigger, so the rules or the scenarios are wrong; else it acts to no effect."""

    part: int
    verdict: str
    is_error: bool
    proof: str
    contexts: int
    exact: int
    furthest: float
    fights: int


@dataclass(frozen=True, slots=True)
class DeadRules:
    """What looks for dead options. Without `found` (nothing can be dropped) only triggers speak, and without
    a `watch` only scores."""

    population: Population
    found: Drops | None
    witnesses: Mapping[int, TriggerStats]
    watch: TriggerWatch | None
    limits: DeadThresholds
    pooling: Pooling

    def rules(self) -> list[DeadRule]:
        """Everything that is dead."""
        rules = []
        for place, part in enumerate(self.population.free.tolist()):
            rule = self._by_triggers(part) if self.found is None else self._by_scores(self.found, place, part)
            if rule is not None:
                rules.append(rule)
        return rules

    def _by_triggers(self, part: int) -> DeadRule | None:
        """What fires in no fight may still fire seldom: so many fights a scenario exclude one point."""
        enough = self.pooling.fights_without(len(self.population.free))
        seen = self._again(part, self.limits.fights_to_be_sure, enough)
        if seen is None or not seen.never_fired:
            return None
        return DeadRule(part, NEVER, True, _say_fights(seen), 0, 0, 0.0, seen.fights)

    def _by_scores(self, found: Drops, place: int, part: int) -> DeadRule | None:
        seen, contexts = self.witnesses.get(part), int(found.contexts[place])
        if contexts == 0:
            return None
        changed = found.changed[place].any() or (found.furthest_z[place] > SURE).any()
        never_fired = seen is not None and seen.never_fired
        if changed and not never_fired:
            return None
        # Single pairs may show that it does something; that it does nothing only all pairs show together.
        pooled = self.pooling.pool(self.population, part) if found.sampled[place].any() else []
        verdict = NOTHING if not changed and self.pooling.changes_nothing(pooled) else ""
        if changed and self.pooling.never_helps(pooled):
            # It never helps: what changes is the worse for it. Else its always-on part is alive.
            if is_blocking(self.population, part, self.limits.tolerance):
                verdict = BLOCKS
            elif found.helps[place] == 0:
                verdict = NEVER
        if not verdict:
            return None
        # Where exact scores prove it, few fights will do: they only tell an error from a rule without effect.
        is_proven = verdict == NOTHING and not found.sampled[place].any()
        sure = self.limits.fights_to_be_sure
        seen = self._again(part, min(self.limits.fights, sure) if is_proven else sure)
        if verdict != NOTHING and (seen is None or not seen.never_fired):
            return None
        proof = {
            NOTHING: self._say_equal(found, place, contexts),
            BLOCKS: "in each group all builds with it score the same, with any other parts",
            NEVER: f"none of {count(contexts, 'build')} is better in any scenario with it than without it",
        }[verdict]
        if seen is not None and seen.firings:
            proof += f"; {_say_fights(seen)}"
        elif seen is not None:
            proof += "; it has no trigger: what it does has no effect here"
        return DeadRule(
            part,
            verdict,
            seen is not None and seen.never_fired,
            proof,
            contexts,
            int(found.exact[place].sum()),
            float(found.furthest[place].max()),
            seen.fights if seen is not None else 0,
        )

    def _again(self, part: int, fights: int, enough: int = 0) -> TriggerStats | None:
        """Another look, at more builds, at an option that did not fire in the first: so many fights a build
        and scenario, and at least `enough` a scenario."""
        seen = self.witnesses.get(part)
        if seen is None or self.watch is None or not seen.never_fired:
            return seen
        return self.watch.look_again(part, fights, enough)

    def _say_equal(self, found: Drops, place: int, contexts: int) -> str:
        sampled = int(found.sampled[place].sum())
        score = "scores" if contexts == 1 else "score"
        said = (
            f"{count(contexts, 'build')} with it {score} as without it in every scenario "
            f"(largest exact difference {found.furthest[place].max():.1g}"
        )
        if sampled:
            said += (
                f"; {sampled:,} sampled pairs together exclude a change of {self.pooling.point:.0%}, with a "
                f"chance of {self.pooling.rate:.1%} that any such claim about this game is wrong"
            )
        return said + ")"


def is_blocking(population: Population, part: int, tolerance: float) -> bool:
    """Whether builds with a part score the same in their group, with any other parts."""
    rows = np.flatnonzero(population.has(part))
    group = population.scores.group[rows]
    several = False
    for number in np.flatnonzero(np.bincount(group)):
        mine = rows[group == number]
        error, least, most = -np.inf, np.inf, -np.inf
        # A few builds nearly always tell already.
        few = mine[:_FEW]
        if np.ptp(population.means[few], axis=0).max() > tolerance + 2 * SURE * population.errors[few].max():
            return False
        for some in stretches(len(mine)):
            error = np.maximum(error, population.errors[mine[some]].max(axis=0))
            means = population.means[mine[some]]
            least, most = np.minimum(least, means.min(axis=0)), np.maximum(most, means.max(axis=0))
        if np.any(most - least > tolerance + SURE * error * 2):
            return False
        several = several or len(mine) > 1
    return several


def _say_fights(seen: TriggerStats) -> str:
    fired = sum(firing.fired * firing.fights for firing in seen.firings.values())
    often = "it never fired in" if fired == 0 else f"it fired in {fired:,.0f} of"
    return f"{often} {seen.fights:,} fights of {count(len(seen.builds), 'build')}"


def dead_findings(
    rules: Sequence[DeadRule], naming: Naming, absent_targets: Mapping[str, str], *, is_small: bool
) -> list[Finding]:
    """Options that change nothing. In a space too small to flag anything that is no error of the rules yet:
    an option that takes most of the budget stands in a handful of builds. Where the enemy that it needs is in
    no scenario, the scenarios are at fault."""
    findings = []
    for rule in rules:
        name = naming.names[rule.part]
        if name in absent_targets:
            needs = absent_targets[name]
            findings.append(
                Finding(
                    code=FindingCode.ABSENT_TARGET,
                    severity=FindingSeverity.WARNING,
                    subjects=(name,),
                    text=f"{naming.part(rule.part)} needs {needs}, and no scenario has one.",
                    fix="Add such a scenario.",
                    numbers={"needs": needs},
                )
            )
            continue
        text = f"{naming.part(rule.part)} {rule.verdict}: {rule.proof}."
        is_error = rule.is_error and not is_small
        cure = "Give it something to do, or take it out."
        if rule.is_error:
            cure = "Correct the rule, or add a scenario in which it can trigger."
        if is_small:
            cure = f"Look at a larger space first. {cure}"
        findings.append(
            Finding(
                code=FindingCode.NEVER_TRIGGERS if is_error else FindingCode.DEAD_OPTION,
                severity=FindingSeverity.ERROR if is_error else FindingSeverity.WARNING,
                subjects=(name,),
                text=text,
                fix=cure,
                numbers={"contexts": rule.contexts, "fights": rule.fights},
            )
        )
    return findings


@dataclass(frozen=True, eq=False)
class Drops:
    """By place in `population.free` and fight; a context is a build with the part and the same without it.

    `exact` counts contexts where both scores are exact, `changed` those of them that differ, `furthest` their
    largest difference. `sampled` counts the others, and `furthest_z` is their largest difference in standard
    errors. `gain` is the mean of how much better the part makes the fight. `helps` counts, over all fights at
    once, the builds that are better in some fight with the part than without it: 0 means that it never helps.
    """

    exact: Ints
    changed: Ints
    furthest: Floats
    sampled: Ints
    furthest_z: Floats
    gain: Floats
    helps: Ints

    @property
    def contexts(self) -> Ints:
        contexts: Ints = (self.exact + self.sampled).max(axis=1)
        return contexts


def drops(population: Population, tolerance: float, sure: float) -> Drops:
    """Look at every build and everything that can be dropped from it. `sure`: standard errors to believe."""
    shape = (len(population.free), population.means.shape[1])
    place = np.full(len(population.names), -1, dtype=np.int64)
    place[population.free] = np.arange(len(population.free))
    counts = np.zeros((3, *shape), dtype=np.int64)
    numbers = np.zeros((3, *shape))
    helps = np.zeros(shape[0], dtype=np.int64)
    _compare(
        population.items,
        population.down,
        place,
        population.means,
        population.errors,
        tolerance,
        sure,
        counts,
        numbers,
        helps,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = numbers[2] / (counts[0] + counts[2])
    return Drops(counts[0], counts[1], numbers[0], counts[2], numbers[1], gain, helps)


@njit(cache=True, nogil=True)
def _compare(
    items: NDArray[np.int16],
    down: NDArray[np.int32],
    place: Ints,
    means: Floats,
    errors: Floats,
    tolerance: float,
    sure: float,
    counts: Ints,
    numbers: Floats,
    helps: Ints,
) -> None:
    for row in range(len(items)):
        for i in range(items.shape[1]):
            part = items[row, i]
            if part == NO_PART:
                break
            other = down[row, i]
            if other < 0 or (i and part == items[row, i - 1]):
                continue
            at = place[part]
            helped = False
            for fight in range(means.shape[1]):
                gain = means[other, fight] - means[row, fight]
                noise = errors[row, fight] ** 2 + errors[other, fight] ** 2
                numbers[2, at, fight] += gain
                if noise == 0:
                    counts[0, at, fight] += 1
                    numbers[0, at, fight] = max(numbers[0, at, fight], abs(gain))
                    if abs(gain) > tolerance:
                        counts[1, at, fight] += 1
                        helped = helped or gain > 0
                else:
                    counts[2, at, fight] += 1
                    z = abs(gain) / np.sqrt(noise)
                    numbers[1, at, fight] = max(numbers[1, at, fight], z)
                    helped = helped or (gain > tolerance and z > sure)
            helps[at] += helped


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

    def _smallest(self, part: int, rows: Ints) -> int:
        """Of these builds the first in order; the few that can be are found without sorting millions."""
        level = self.population.levels[part, rows]
        rows = rows[level == level.max()]
        size = self.population.size[rows]
        return int(self._in_order(part, rows[size == size.min()])[0])

    def _in_order(self, part: int, rows: Ints) -> Ints:
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

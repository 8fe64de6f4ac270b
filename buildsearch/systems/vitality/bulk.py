"""Vitality's scores for arrays of builds: batches of the exact engine, batches of the kernel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.one_by_one import solve_one_by_one
from buildsearch.evaluate.randomness import content_digest
from buildsearch.evaluate.sampling import sample
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.scorer import Samples, Solver
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.evaluators import ExactEvaluator
from buildsearch.systems.vitality.exact.batch.solving import Batch
from buildsearch.systems.vitality.exact.nodes.areas.compiling import (
    compile_areas,
    compile_families,
    compile_several,
)
from buildsearch.systems.vitality.exact.nodes.support import alone_costs
from buildsearch.systems.vitality.exact.solving import switched_off
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block
from buildsearch.systems.vitality.kernel.known_words import unknown_word
from buildsearch.systems.vitality.kernel.plan import ENGINE_VERSION
from buildsearch.systems.vitality.results import PRIMARY, SURVIVED, TIMED_OUT
from buildsearch.systems.vitality.rules.model import VitalityRules

# Bump when the exact engine gives another number for the same fight, so that no kept score outlives it.
EXACT_VERSION = 16
# In a space of more builds, those that hurt several enemies at once are sampled, and contenders solved one
# at a time: of half a million builds a fifth are such and take a minute or two, of five million half an hour.
_MOST_IN_BULK = 1_000_000


class VitalityBulk:
    """Mean turns of single attacks, exactly where batches can, else from the kernel's fights."""

    outcomes = (PRIMARY, "survival", "timeout_share")

    def __init__(self, rules: VitalityRules, space: VitalitySpace) -> None:
        self.rules = rules
        self.space = space

    def outcome_range(self, outcome: str, bout: Bout) -> tuple[float, float]:
        """Turns from 1 to the limit; shares."""
        return (1.0, float(bout.encounter.max_turns)) if outcome == PRIMARY else (0.0, 1.0)

    def derived(self, bout: Bout, primary: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        return {"damage_per_turn": bout.encounter.total_hp / primary}

    def context(self, group: str, bout: Bout) -> bytes:
        """Everything that decides a fight but the enhancements; names, sections and costs are not in it."""
        rules, encounter = self.rules, bout.encounter
        attack_type = rules.attack_types[group]
        default_shape = self.space.catalogue.default_shape(group)
        parts = [
            f"{EXACT_VERSION} {ENGINE_VERSION} {self.space.settings.effect} {default_shape}",
            f"{self._solves_several} {sorted(switched_off()) or ''}",
            attack_type.model_dump_json(exclude={"name", "section", "reach", "cost_factor", "effects"}),
            rules.character.model_dump_json(),
            rules.rolls.model_dump_json(),
            rules.critical.model_dump_json(),
            rules.rulings.model_dump_json(),
            rules.attack_types[rules.retaliation.type].model_dump_json(exclude={"name", "section", "reach"}),
            repr(bout.attacker),
            repr((encounter.max_turns, encounter.cluster, encounter.adjacent)),
            repr(sorted(encounter.area_targets.items())),
            repr([[(foe.max_hp, foe.stats) for foe in wave] for wave in encounter.waves]),
        ]
        return content_digest(*(part.encode() for part in parts))

    def keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """The sum of the digests of the enhancements: which they are matters, not what they are called."""
        digests = self._digests
        found = np.zeros((len(chunk), 2), np.uint64)
        for i, digest in enumerate(digests):
            has_it = (chunk.codes[:, i // 64] >> np.uint64(i % 64)) & np.uint64(1)
            found += has_it[:, None] * digest  # wraps around, as sums of digests may
        return found

    def solve(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Mean turns; NaN where batches of the exact engine leave a build to others."""
        return self.solver(chunk, [bout])(0)

    def solver(self, chunk: Chunk, bouts: Sequence[Bout]) -> Solver:
        """`solve` in each of these fights, which share profiles and their damage."""
        batch = self._batch(chunk, bouts)
        return lambda number: batch.means(number).means

    def left_by_bulk(self, chunk: Chunk, bout: Bout) -> dict[str, NDArray[np.bool_]]:
        """What batches leave, by the option or the ruling that is the reason."""
        return self._batch(chunk, [bout]).left(0)

    def _batch(self, chunk: Chunk, bouts: Sequence[Bout]) -> Batch:
        for bout in bouts:
            if bout.play != "greedy":
                raise UsageError(f"single attacks are ranked under greedy play, not ‹play› {bout.play}.")
        fights = [(bout.attacker, bout.encounter) for bout in bouts]
        effect, several = self.space.settings.effect, self._solves_several
        return Batch(self.rules, fights, chunk.group, chunk.codes, effect, several=several)

    @cached_property
    def _solves_several(self) -> bool:
        return sum(self.space.count(Wanted()).values()) <= _MOST_IN_BULK

    def solve_alone(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Mean turns by the general exact engine, which knows more words than its batches."""
        return solve_one_by_one(self.space, (ExactEvaluator(self.rules),), chunk, bout)

    def alone_costs(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Areas that roll and Ricochet take much longer than others."""
        return alone_costs(self.rules, chunk, bout.encounter)

    def compile_apart(self, groups: Collection[str]) -> None:
        """The recursion over states, half of all that batches compile, and what solves several enemies."""
        compile_families()
        compile_several(self.rules, self.rules.tiers[0], groups)
        compile_areas(self.rules, self.rules.tiers[0], groups)

    def sample(self, chunk: Chunk, bout: Bout, seed: int, fights: int) -> Samples:
        """Fights of the kernel, one build at a time where batches do not know a word of it."""
        found = sample_batch(
            self.rules,
            bout.attacker,
            bout.encounter,
            chunk.group,
            chunk.codes,
            self.space.settings.effect,
            seed=seed,
            fights=fights,
        )
        totals = np.stack([found.turns, found.survived, found.timed_out]).astype(np.float64)
        squares = found.squares.astype(np.float64)
        for i in np.flatnonzero(~found.supported):
            totals[:, i], squares[i] = self._alone(
                Chunk(chunk.group, chunk.codes[i : i + 1]), bout, seed, fights
            )
        return Samples(fights, totals, squares)

    def _alone(self, chunk: Chunk, bout: Bout, seed: int, fights: int) -> tuple[NDArray[np.float64], float]:
        """Sums of the outcomes and of the squares of turns; NaN for what only the reference can play."""
        (build,) = self.space.builds(chunk)
        if unknown_word(self.rules, build.attacks[0]) is not None:
            return np.full(len(self.outcomes), np.nan), float("nan")
        plan = compile_plan(self.rules, build, bout.attacker, bout.encounter)
        tally = sample(partial(run_block, plan, seed), Sampling(fights))
        turns = np.arange(len(tally.histogram))
        sums = (tally.histogram @ turns, tally.counts[SURVIVED], tally.counts[TIMED_OUT])
        return np.array(sums, np.float64), float(tally.histogram @ turns**2)

    @cached_property
    def _digests(self) -> NDArray[np.uint64]:
        """Two words for what each enhancement does."""
        words = []
        for enhancement in self.space.catalogue.enhancements.values():
            does = enhancement.model_dump_json(include={"modifiers", "mechanics", "conditions"})
            words.append(np.frombuffer(content_digest(does.encode())[:16], dtype="<u8"))
        return np.array(words, dtype=np.uint64).reshape(-1, 2)

"""Every legal attack under a budget, as bit masks over the enhancements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.masks import indices_of, mask_of, word_count
from buildsearch.builds.notation import check_filters
from buildsearch.builds.subsets import (
    SubsetProblem,
    count_subsets,
    is_subset_legal,
    iter_subsets,
    sample_subsets,
    subset_costs,
    subset_neighbours,
)
from buildsearch.model.errors import Problem, UsageError
from buildsearch.model.space import Chunk, Feature, Wanted
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.grammar import name_build, parse_build
from buildsearch.systems.vitality.builds.legality import Catalogue, attack_cost, reasons_against
from buildsearch.systems.vitality.builds.table import chunk_table
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.settings import Settings


class VitalitySpace:
    """The attacks that a character may have; a loadout takes several of them.

    Enumeration, counts and samples are of single attacks: pairs of them already number 10^11.
    """

    grouped_by = "type"
    groups_have_parts = False
    most_to_rank = None

    def __init__(self, rules: VitalityRules, settings: Settings) -> None:
        self.catalogue = Catalogue(rules)
        self.settings = settings
        self._assembling: dict[tuple[str, Wanted], SubsetProblem] = {}

    @property
    def parameters(self) -> Mapping[str, int | str]:
        """Tier, archetype, budget and effect."""
        chosen = self.settings
        return {
            "tier": chosen.tier,
            "archetype": chosen.archetype,
            "budget": chosen.budget,
            "effect": chosen.effect,
        }

    def parse(self, text: str) -> Build:
        return parse_build(text, self.catalogue, self.settings.effect)

    def name(self, build: Build) -> str:
        return name_build(build, self.catalogue, self.settings.effect)

    def features(self, build: Build) -> tuple[Feature, ...]:
        """Attack types and enhancements, with how many attacks of the loadout have them."""
        parts = [part for attack in build.attacks for part in (attack.type, *attack.enhancements)]
        return tuple(Feature(part, parts.count(part)) for part in dict.fromkeys(parts))

    def cost(self, build: Build) -> int:
        return sum(attack_cost(attack, self.catalogue) for attack in build.attacks)

    def costs(self, chunk: Chunk) -> NDArray[np.int64]:
        return subset_costs(self.subset_problem(chunk.group), chunk.codes)

    def reasons_against(self, build: Build, *, at_any_cost: bool = False) -> list[Problem]:
        if at_any_cost:
            return reasons_against(build, self.catalogue, None, None)
        return reasons_against(build, self.catalogue, self.settings.budget, self.settings.attacks)

    def count(self, wanted: Wanted) -> dict[str, int]:
        """Legal attacks by type."""
        return {name: count_subsets(problem) for name, problem in self._problems(wanted).items()}

    def chunks(self, wanted: Wanted, size: int = 1 << 16) -> Iterator[Chunk]:
        """Every legal attack, type after type."""
        for name, problem in self._problems(wanted).items():
            for masks in iter_subsets(problem, size):
                yield Chunk(name, masks)

    def builds(self, chunk: Chunk) -> Iterator[Build]:
        for mask in chunk.codes:
            yield Build((self._attack(chunk.group, mask),))

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Attack types, then enhancements."""
        return (*self.catalogue.rules.attack_types, *self.catalogue.ids)

    def levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """Ones where a build has it."""
        types = tuple(self.catalogue.rules.attack_types)
        has = np.zeros((len(chunk), len(types) + len(self.catalogue.ids)), np.uint8)
        has[:, types.index(chunk.group)] = 1
        for i in range(len(self.catalogue.ids)):
            has[:, len(types) + i] = (chunk.codes[:, i // 64] >> np.uint64(i % 64)) & np.uint64(1)
        return has

    def encode(self, build: Build) -> Chunk:
        """The bits of a build of one attack."""
        if len(build.attacks) != 1:
            raise UsageError(f"{self.name(build)}: this takes builds of one attack.")
        (attack,) = build.attacks
        words = word_count(len(self.catalogue.ids))
        positions = [self.catalogue.position[name] for name in attack.enhancements]
        return Chunk(attack.type, mask_of(positions, words)[None, :])

    def table(self, chunk: Chunk) -> Mapping[str, Any]:
        """Columns for a file."""
        costs = self.costs(chunk)
        suffix = "" if self.settings.effect == "damage" else f":{self.settings.effect}"
        head = chunk.group + suffix
        return chunk_table(chunk, head, self.settings.effect, self.catalogue.ids, costs, self.settings.budget)

    def sample(self, wanted: Wanted, size: int, rng: np.random.Generator) -> list[Build]:
        """Attacks drawn uniformly over all types together."""
        problems = self._problems(wanted)
        counts = np.array([count_subsets(problem) for problem in problems.values()], dtype=np.float64)
        if counts.sum() == 0:
            raise UsageError("no legal build matches these filters at this budget.")
        drawn = rng.multinomial(size, counts / counts.sum())
        builds = [
            Build((self._attack(name, mask),))
            for (name, problem), share in zip(problems.items(), drawn, strict=True)
            if share
            for mask in sample_subsets(problem, int(share), rng)
        ]
        return [builds[i] for i in rng.permutation(len(builds))]

    def drop(self, build: Build, feature: str) -> Build | None:
        """The build whose attacks lack an enhancement; there is no attack without a type."""
        attacks = tuple(
            replace(attack, enhancements=tuple(name for name in attack.enhancements if name != feature))
            for attack in build.attacks
        )
        dropped = Build(attacks)
        return None if dropped == build or self.reasons_against(dropped) else dropped

    def neighbours(self, build: Build) -> Iterator[Build]:
        """One enhancement dropped, added or swapped, or another type, in one of the attacks."""
        for i, attack in enumerate(build.attacks):
            for changed in self._attack_neighbours(attack):
                neighbour = Build((*build.attacks[:i], changed, *build.attacks[i + 1 :]))
                if not self.reasons_against(neighbour):
                    yield neighbour

    def parts(self, wanted: Wanted) -> tuple[str, ...]:
        problems = self._problems(wanted).values()
        allowed = {i for problem in problems for i in indices_of(problem.allowed)}
        return tuple(name for i, name in enumerate(self.catalogue.ids) if i in allowed)

    def most_parts(self, wanted: Wanted) -> int:
        """As many as the budget pays for if they are the cheapest, exclusions aside."""
        most = 0
        for problem in self._problems(wanted).values():
            costs = np.cumsum(np.sort(problem.costs[list(indices_of(problem.allowed))]))
            most = max(most, int((costs <= problem.budget).sum()))
        return most

    def assembled(self, wanted: Wanted, group: str, parts: Sequence[str]) -> Build | None:
        """What must be there, then each enhancement that still fits."""
        problem = self._assembling.get((group, wanted))
        if problem is None:
            problem = self._assembling.setdefault((group, wanted), self.subset_problem(group, wanted))
        mask = problem.required.copy()
        if not is_subset_legal(problem, mask):
            return None
        for name in parts:
            more = mask | mask_of([self.catalogue.position[name]], problem.words)
            if is_subset_legal(problem, more):
                mask = more
        return Build((self._attack(group, mask),))

    def _attack_neighbours(self, attack: Attack) -> Iterator[Attack]:
        problem = self.subset_problem(attack.type, effect=attack.effect)
        mask = mask_of([self.catalogue.position[name] for name in attack.enhancements], problem.words)
        for other in subset_neighbours(problem, mask):
            yield self._attack(attack.type, other, attack.effect, attack.shape)
        for other_type in self.catalogue.rules.attack_types:
            if other_type != attack.type and self._keeps_shape(attack, other_type):
                shape = self._shape_on(attack, other_type)
                yield Attack(other_type, attack.enhancements, attack.effect, shape)

    def _shape_on(self, attack: Attack, other_type: str) -> str | None:
        same = attack.shape in self.catalogue.rules.attack_types[other_type].shapes
        return attack.shape if same else self.catalogue.default_shape(other_type)

    def _keeps_shape(self, attack: Attack, other_type: str) -> bool:
        """Whether the way back leads to the same shape: another type and another shape are two changes."""
        moved = Attack(other_type, shape=self._shape_on(attack, other_type))
        return self._shape_on(moved, attack.type) == attack.shape

    def _attack(
        self, attack_type: str, mask: NDArray[np.uint64], effect: Any = None, shape: str | None = None
    ) -> Attack:
        names = tuple(self.catalogue.ids[i] for i in indices_of(mask))
        default_shape = self.catalogue.default_shape(attack_type)
        return Attack(attack_type, names, effect or self.settings.effect, shape or default_shape)

    def _problems(self, wanted: Wanted) -> dict[str, SubsetProblem]:
        types = self.catalogue.rules.attack_types
        check_filters(wanted, tuple(types), self.catalogue.ids, ("attack type", "enhancement"))
        return {
            name: self.subset_problem(name, wanted)
            for name, attack_type in types.items()
            if (not wanted.groups or name in wanted.groups) and self.settings.effect in attack_type.effects
        }

    def subset_problem(
        self, attack_type: str, wanted: Wanted | None = None, effect: str | None = None
    ) -> SubsetProblem:
        """The enhancements that go on a type, as a problem of combinatorics."""
        wanted = wanted or Wanted()
        catalogue = self.catalogue
        effect = effect or self.settings.effect
        allowed = [
            i
            for i, (name, enhancement) in enumerate(catalogue.enhancements.items())
            if effect in enhancement.effects
            and (attack_type, name) not in catalogue.ban_sections
            and name not in wanted.without_features
        ]
        factor = catalogue.rules.attack_types[attack_type].cost_factor
        return SubsetProblem.from_pairs(
            [factor * enhancement.cost for enhancement in catalogue.enhancements.values()],
            catalogue.exclusion_pairs,
            self.settings.budget,
            allowed=allowed,
            required=[catalogue.position[name] for name in wanted.with_features],
        )

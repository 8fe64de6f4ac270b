"""Which builds of a leaderboard are ideas of their own, and which are variants of one before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from buildsearch.model.space import Feature

# A build that has so many of the parts that save the most in another build is a variant of it.
_KEY_PARTS = 2


@dataclass(frozen=True, slots=True)
class RankedBuild:
    """A row of a leaderboard: its parts, its type, and how much worse it is without each part."""

    features: tuple[Feature, ...]
    group: str
    saves: Mapping[str, float]  # the largest first

    @property
    def key_parts(self) -> tuple[str, ...]:
        """The parts that save the most; none where fewer than two can be removed."""
        found = tuple(name for name, saved in self.saves.items() if saved > 0)[:_KEY_PARTS]
        return found if len(found) == _KEY_PARTS else ()

    def is_variant_of(self, idea: RankedBuild) -> bool:
        """Whether it has the key parts of the other; without any, whether one swap leads to the other."""
        if idea.key_parts:
            return set(idea.key_parts) <= {feature.name for feature in self.features}
        mine, other = dict(self.features), dict(idea.features)
        differences = [mine.get(name, 0) - other.get(name, 0) for name in mine.keys() | other.keys()]
        added, removed = (sum(max(0, sign * each) for each in differences) for sign in (1, -1))
        return max(added, removed) <= 1


def variants(rows: Sequence[RankedBuild]) -> list[int | None]:
    """For each row the first idea that it is a variant of; None: an idea of its own."""
    found: list[int | None] = []
    ideas: list[int] = []
    for place, row in enumerate(rows):
        of = next((idea for idea in ideas if row.is_variant_of(rows[idea])), None)
        if of is None:
            ideas.append(place)
        found.append(of)
    return found


def first_of_groups(rows: Sequence[RankedBuild]) -> list[bool]:
    first: dict[str, int] = {}
    return [first.setdefault(row.group, place) == place for place, row in enumerate(rows)]

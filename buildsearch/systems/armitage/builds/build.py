"""A build as an object: steps of stats, and counts of cards."""

from __future__ import annotations

from dataclasses import dataclass

from buildsearch.systems.armitage.rules.model import ArmitageRules, Stats

# (name, number), none of them zero, in the order of the rules file.
Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Build:
    """A stat line and a deck."""

    raises: Counts
    deck: Counts


def in_order(counts: dict[str, int], names: tuple[str, ...]) -> Counts:
    """Counts in canonical order, without the zeros."""
    return tuple((name, counts[name]) for name in names if counts.get(name, 0))


def raised_stats(rules: ArmitageRules, build: Build) -> Stats:
    """The base stats with the build's steps."""
    base = rules.base
    return base.model_copy(update={name: getattr(base, name) + steps for name, steps in build.raises})

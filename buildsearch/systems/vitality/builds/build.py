"""A build as an object: one or several attacks, each a type with enhancements."""

from __future__ import annotations

from dataclasses import dataclass

from buildsearch.systems.vitality.rules.model import Effect


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack; `enhancements` stand in rules-file order. `shape` is None where it has none."""

    type: str
    enhancements: tuple[str, ...] = ()
    effect: Effect = "damage"
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """A loadout: usually a single attack."""

    attacks: tuple[Attack, ...]

"""The rules, indexed: canonical order, exclusions both ways, bans by type."""

from __future__ import annotations

from functools import cached_property

from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules


class Catalogue:
    """What grammar, legality and space look up again and again."""

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules
        self.enhancements: dict[str, Enhancement] = rules.enhancements
        self.ids: tuple[str, ...] = tuple(self.enhancements)
        self.position: dict[str, int] = {name: i for i, name in enumerate(self.ids)}

    @cached_property
    def exclusion_sections(self) -> dict[frozenset[str], str]:
        """Each excluded pair, with the section of the text that says so."""
        sections: dict[frozenset[str], str] = {}
        for exclusion in self.rules.exclusions:
            for pair in exclusion.pairs():
                sections.setdefault(frozenset(pair), exclusion.section)
        return sections

    @cached_property
    def exclusion_pairs(self) -> list[tuple[int, int]]:
        """The excluded pairs as positions."""
        pairs = (tuple(sorted(self.position[name] for name in pair)) for pair in self.exclusion_sections)
        return sorted((first, second) for first, second in pairs)

    @cached_property
    def ban_sections(self) -> dict[tuple[str, str], str]:
        """(type, enhancement) that do not go together, with the section of the text that says so."""
        return {
            (attack_type, banned): restriction.section
            for restriction in self.rules.restrictions
            for attack_type in restriction.types
            for banned in restriction.ban
        }

    def in_order(self, enhancements: set[str] | tuple[str, ...]) -> tuple[str, ...]:
        """The canonical order."""
        return tuple(sorted(enhancements, key=self.position.__getitem__))

    def default_shape(self, attack_type: str) -> str | None:
        """The shape that an area attack has when none is named."""
        shapes = self.rules.attack_types[attack_type].shapes
        return shapes[0] if shapes else None

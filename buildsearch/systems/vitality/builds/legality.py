"""Why a build is illegal: every reason, with the section of the text behind it; and the rules, indexed."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations

from buildsearch.model.errors import Problem
from buildsearch.systems.vitality.builds.build import Attack, Build
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
        return tuple(sorted(enhancements, key=self.position.__getitem__))

    def default_shape(self, attack_type: str) -> str | None:
        """The shape that an area attack has when none is named."""
        shapes = self.rules.attack_types[attack_type].shapes
        return shapes[0] if shapes else None


def attack_cost(attack: Attack, catalogue: Catalogue) -> int:
    """The points that an attack costs; area types pay more for everything (Attack Types)."""
    factor = catalogue.rules.attack_types[attack.type].cost_factor
    return factor * sum(catalogue.enhancements[name].cost for name in attack.enhancements)


def reasons_against(
    build: Build, catalogue: Catalogue, budget: int | None, attacks: int | None
) -> list[Problem]:
    """Everything that is wrong with a build. `None` for a budget or a number of attacks asks for none."""
    found: list[Problem] = []
    if attacks is not None and len(build.attacks) > attacks:
        message = f"{len(build.attacks)} attacks, and the archetype has {attacks}"
        found.append(Problem(message, hint="Drop some, or choose another archetype."))
    for attack in build.attacks:
        found.extend(_reasons_against_attack(attack, catalogue, budget))
    return found


def _reasons_against_attack(attack: Attack, catalogue: Catalogue, budget: int | None) -> list[Problem]:
    found: list[Problem] = []
    attack_type = catalogue.rules.attack_types[attack.type]
    if attack.effect not in attack_type.effects:
        found.append(
            _about(attack.type, f"{attack.type} cannot have the effect {attack.effect}", attack_type.section)
        )
    for name in attack.enhancements:
        enhancement = catalogue.enhancements[name]
        if attack.effect not in enhancement.effects:
            only = " or ".join(enhancement.effects)
            found.append(_about(name, f"{name} is for {only} builds only", enhancement.section))
        section = catalogue.ban_sections.get((attack.type, name))
        if section is not None:
            found.append(_about(name, f"{name} does not go on {attack.type}", section))
    for first, second in combinations(attack.enhancements, 2):
        section = catalogue.exclusion_sections.get(frozenset((first, second)))
        if section is not None:
            found.append(_about(first, f"{first} does not go with {second}", section))
    cost = attack_cost(attack, catalogue)
    if budget is not None and cost > budget:
        found.append(
            Problem(f"costs {cost}, and the budget is {budget}", path=attack.type, hint="Drop something.")
        )
    return found


def _about(name: str, message: str, section: str) -> Problem:
    return Problem(message, path=name, hint=f"Rules: {section}.")

"""Why a build is illegal: every reason, each with the section of the text behind it."""

from __future__ import annotations

from itertools import combinations

from buildsearch.model.errors import Problem
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.catalogue import Catalogue


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

"""The kernels for areas that roll, compiled on a fight that is over at once."""

from __future__ import annotations

from collections.abc import Collection

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Encounter, Foe, make_attacker
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.areas.solving import solve_area
from buildsearch.systems.vitality.exact.nodes.areas.support import why_not_area
from buildsearch.systems.vitality.exact.nodes.support import rolls_for_several
from buildsearch.systems.vitality.rules.model import VitalityRules


def compile_areas(rules: VitalityRules, tier: int, types: Collection[str]) -> None:
    """Solve one area against two kinds of enemies, if one of these types of attack is one that rolls."""
    stats = rules.character.stats
    wave = (Foe("one", 1, stats), Foe("other", 2, stats))
    encounter = Encounter("two", (wave,), 2, {})
    for kind, attack_type in rules.attack_types.items():
        if not attack_type.area or kind not in types:
            continue
        shape = next(iter(attack_type.shapes), None)
        build = Build((Attack(kind, (), shape=shape),))
        ground = exact_ground(rules, build, make_attacker(rules, tier), encounter)
        if rolls_for_several(ground) and why_not_area(ground) is None:
            solve_area(ground)
            return

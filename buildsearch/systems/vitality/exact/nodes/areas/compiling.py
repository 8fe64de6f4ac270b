"""The kernels for one enemy, several, and areas that roll, compiled on a fight that is over at once."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Encounter, Foe, make_attacker
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.areas.solving import solve_area
from buildsearch.systems.vitality.exact.nodes.areas.support import why_not_area
from buildsearch.systems.vitality.exact.nodes.families import Family, Readings, rolls_for, solve_family
from buildsearch.systems.vitality.exact.nodes.limited import limited_family
from buildsearch.systems.vitality.exact.nodes.solving import solve_several
from buildsearch.systems.vitality.exact.nodes.support import hurts_several, rolls_for_several, why_not_several
from buildsearch.systems.vitality.exact.nodes.values import Ground, Program, memory_for
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


def compile_families() -> None:
    """The solver of many builds, by solving none: of what it is given only types matter (a test compares)."""
    numbers, table, cube = (np.zeros((0,) * n, np.int64) for n in (1, 2, 3))
    chances, chance_table = np.zeros(0), np.zeros((0, 0))
    ground = Ground(numbers, numbers, np.zeros(1, np.int64), table, numbers, cube)
    program = Program(1, numbers, numbers, numbers, table, numbers, numbers)
    one = np.zeros((1, 1), np.int64)
    family = Family(cube, one, np.zeros((1, 1, 2), np.int64), one, chances, numbers, chance_table)
    memory = memory_for(ground, program, np.zeros(0))
    readings = Readings(numbers, numbers, numbers, chance_table)
    rolls = rolls_for(family)
    solve_family(ground, program, family, rolls, memory, readings, 2, chances, chances)
    limited_family(ground, program, family, rolls, memory, readings, 2, chances)


def compile_several(rules: VitalityRules, tier: int, types: Collection[str]) -> None:
    """The solver of one build, if one of these types of attack can hurt several enemies."""
    enemy = Foe("enemy", 1, rules.character.stats)
    encounter = Encounter("two", ((enemy, enemy),), 2, {})
    for name, option in rules.enhancements.items():
        for kind in types if option.mechanics.explosive_critical else ():
            build = Build((Attack(kind, (name,)),))
            ground = exact_ground(rules, build, make_attacker(rules, tier), encounter)
            if hurts_several(ground) and why_not_several(ground) is None:
                solve_several(ground)
                return

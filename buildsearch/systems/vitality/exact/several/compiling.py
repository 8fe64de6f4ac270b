"""The kernels for several enemies, compiled on a fight that is over at once."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Encounter, Foe, make_attacker
from buildsearch.systems.vitality.exact.batch.entered_chains import entered_chain
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.several.attacks import rolls_of
from buildsearch.systems.vitality.exact.several.families import (
    MOMENTS,
    Family,
    Readings,
    rolls_for,
    solve_family,
)
from buildsearch.systems.vitality.exact.several.fields import fields_of
from buildsearch.systems.vitality.exact.several.ground import program_of
from buildsearch.systems.vitality.exact.several.kinds import Kinds
from buildsearch.systems.vitality.exact.several.limited import counted_family, limited_family
from buildsearch.systems.vitality.exact.several.sites import RollBook, Site
from buildsearch.systems.vitality.exact.several.solving import solve_several
from buildsearch.systems.vitality.exact.several.support import gating_of, hurts_several, why_not_several
from buildsearch.systems.vitality.exact.several.turns import Swing, turns_of
from buildsearch.systems.vitality.exact.several.values import memory_for, room_for
from buildsearch.systems.vitality.rules.model import VitalityRules


def compile_several(rules: VitalityRules, tier: int, types: Collection[str]) -> None:
    """Solve one small build with every kernel, if one of these types of attack can hurt several enemies."""
    enemy = Foe("enemy", 1, rules.character.stats)
    encounter = Encounter("two", ((enemy, enemy),), 2, {})
    for name, option in rules.enhancements.items():
        if not option.mechanics.explosive_critical:
            continue
        for kind in types:
            build = Build((Attack(kind, (name,)),))
            ground = exact_ground(rules, build, make_attacker(rules, tier), encounter)
            if not hurts_several(ground) or why_not_several(ground) is not None:
                continue
            gating, kinds = gating_of(ground), Kinds(0)
            found = entered_chain(gating.read, 1, 1.0, False, True, False, True)
            assert found is not None  # noqa: S101 - no limit has a chain of one state
            rolls, book = rolls_of(ground, 1), RollBook()
            numbers = [book.add(roll) for roll in rolls]
            book.flatten()
            site = Site(ground, fields_of(ground), rolls, kinds)
            turns = turns_of(found[0], Swing(1, 0), kinds)
            program = program_of(turns, len(site.map), kinds)
            family = Family(
                book.starts[np.array([numbers])], site.sizes, site.middles, site.which, book.chances,
                np.zeros(1, np.int64), site.weights(turns, 0)[None],
            )  # fmt: skip
            memory = memory_for(site.ground, program, np.zeros(room_for(site.ground, program)))
            room, means = rolls_for(family), np.zeros(1)
            readings = Readings(
                np.arange(2),
                np.zeros(1, np.int64),
                np.array([len(site.map) - 1]),
                np.ones((1 + len(MOMENTS), 1)),
            )
            solve_family(site.ground, program, family, room, memory, readings, 2, means, np.zeros(1))
            counted_family(
                site.ground, program, family, room, memory, np.zeros(1), 1.0, np.ones(2, np.int64), means
            )
            limited_family(site.ground, program, family, room, memory, readings, 2, means)
            solve_several(ground)
            return

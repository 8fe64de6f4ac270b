"""What the exact engine does not solve, and why."""

from __future__ import annotations

import numpy as np

from buildsearch.systems.vitality.exact.area import TooManyFieldsError, area_moves
from buildsearch.systems.vitality.exact.fields import bases_of
from buildsearch.systems.vitality.exact.gates import gates_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.several.areas.support import why_not_area
from buildsearch.systems.vitality.exact.several.ricochet.support import why_not_ricochet
from buildsearch.systems.vitality.exact.several.support import (
    bounces,
    hurts_several,
    rolls_for_several,
    why_not_several,
)
from buildsearch.systems.vitality.kernel.plan import LATER

# States of 8 bytes, kept three times.
MOST_STATES = 1 << 25
# Moves times the attacker's HP: some seconds. Only bleeds that are renewed have so many.
MOST_STEPS = 1 << 27
_HIGHEST_HP = 2
# Of what only rich plans use, that which the engine follows; it refuses the others.
SOLVED = ("chain", "hp_cost", "first_only", "area_single", "failed_attack")
_WORDS = {"strike_scope": "the ruling limit_scope=strike where strikes of one action can differ"}


def why_not_exact(ground: ExactGround) -> str | None:
    """The reason why a compiled build cannot be solved; None when it can."""
    setup = ground.setup
    for name in LATER:
        if name not in SOLVED and setup[name]:
            return f"the exact engine does not follow {_WORDS.get(name, name)}"
    if setup["first_only"] and setup["splinter_limit"] and not setup["area"]:
        return "the exact engine does not follow the ruling barrage_triggers=first with splinter"
    if hurts_several(ground):
        return why_not_several(ground)
    if bounces(ground):
        return why_not_ricochet(ground)
    if rolls_for_several(ground):
        return why_not_area(ground)
    if setup["area"]:
        return _too_many(ground, _area_fields(ground))
    if int(setup["target_rule"]) == _HIGHEST_HP:
        return "the exact engine does not play the ruling target=highest_hp"
    fields = int(bases_of(ground.foes["max_hp"], int(setup["bleed_ticks"]))[-1])
    return _too_many(ground, fields) or _too_long(ground)


def _too_long(ground: ExactGround) -> str | None:
    """A renewed bleed leads from every field to as many as there are HP, or to pairs of HP and bleed."""
    setup = ground.setup
    if not (setup["bleed_ticks"] and setup["bleed_replaces"]):
        return None
    steps = 0
    for foe in ground.foes:
        hp = np.arange(1, int(foe["max_hp"]) + 1)
        steps += int((hp * setup["bleed_ticks"] * (hp if setup["one_strike"] else hp * hp // 2)).sum())
    if steps * int(gates_of(ground, survival=True)["hp_size"]) > MOST_STEPS:
        return "the exact engine would have to follow too many renewed bleeds"
    return None


def _area_fields(ground: ExactGround) -> int:
    try:
        return area_moves(ground).size
    except TooManyFieldsError:
        return MOST_STATES + 1


def _too_many(ground: ExactGround, fields: int) -> str | None:
    gates = gates_of(ground, survival=True)
    if fields * int(gates["size"]) * int(gates["hp_size"]) > MOST_STATES:
        return "the exact engine would have to follow too many states"
    return None

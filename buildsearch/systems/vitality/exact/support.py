"""What the exact engine does not solve, and why."""

from __future__ import annotations

from buildsearch.systems.vitality.exact.area import TooManyFieldsError, area_moves
from buildsearch.systems.vitality.exact.fields import bases_of
from buildsearch.systems.vitality.exact.gates import gates_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.kernel.plan import LATER

# States of 8 bytes, kept three times.
MOST_STATES = 1 << 25
_HIGHEST_HP = 2
# Of the fields that came after the first scores, those that the engine follows; it refuses the others.
SOLVED = ("chain", "hp_cost")


def why_not_exact(ground: ExactGround) -> str | None:
    """The reason why a compiled build cannot be solved; None when it can."""
    setup = ground.setup
    for name in LATER:
        if name not in SOLVED and setup[name]:
            return f"the exact engine does not follow {name}"
    if setup["ricochet"] or setup["explosive"]:
        return "the exact engine does not follow ricochet and explosive_critical among several enemies"
    if setup["area"]:
        if not (ground.chances.max(axis=1) == 1.0).all():
            return "the exact engine does not solve areas that roll dice"
        return _too_many(ground, _area_fields(ground))
    if int(setup["target_rule"]) == _HIGHEST_HP:
        return "the exact engine does not play the ruling target=highest_hp"
    return _too_many(ground, int(bases_of(ground.foes["max_hp"], int(setup["bleed_ticks"]))[-1]))


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

"""When the attack may be used, as dimensions of the state: only what a build's limits look at is kept."""

from __future__ import annotations

import numpy as np

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.mechanics.limits import NOT_ATTACKED

_ALWAYS = 0b1111
_NO_HP_LIMIT = 1 << 30

# Sizes of dimensions (1: not kept) in the order in which they are packed, the last running fastest.
DIMENSIONS = ("held", "rest", "uses", "channel", "attacked", "damaged", "defeated", "hit", "accepted")

GATES = np.dtype(
    [
        *((f"{name}_size", np.int64) for name in DIMENSIONS),
        *((f"{name}_step", np.int64) for name in DIMENSIONS),
        ("size", np.int64),
        ("first", np.int64),
        ("calm", np.int64),  # whether a turn without retaliation is accepted
        ("max_turns", np.int64),
        ("first_turn", np.int64),
        ("last_turn", np.int64),
        ("charge", np.int64),
        ("cooldown", np.int64),
        ("unmet_waits", np.int64),
        ("failed_attack", np.int64),
        # The attacker's HP as an axis: index 0 is everything up to `floor`.
        ("hp_size", np.int64),
        ("usable_from", np.int64),
        ("usable_to", np.int64),
        ("hp_cost", np.int64),
        ("no_retaliation", np.int64),
        ("defeat_is_loss", np.int64),
        ("activation", np.float64),
    ]
)


def gates_of(ground: ExactGround, *, survival: bool) -> np.void:
    """The record; with `survival` the attacker's HP is followed even where no limit looks at it."""
    setup = ground.setup
    tracks_since = int(setup["since_mask"]) != _ALWAYS
    # Never twice in a row: then the first level is the only one.
    one_level = setup["charge"] or setup["cooldown"] or setup["passive"]
    levels = int(setup["levels"])
    if setup["uses"] > 0:
        # So many attempts in all, so many turns in a row at most.
        levels = min(levels, int(setup["uses"]) + 1)
    sizes = {
        "held": int(setup["charge"]) + 1,
        "rest": int(setup["cooldown"]) + 1,
        "uses": max(int(setup["uses"]), 0) + 1,
        "channel": 1 if one_level else levels,
        "attacked": 1 + int(setup["passive"]),
        "damaged": 1 + int(setup["last_damage"]),
        "defeated": 1 + int(setup["last_defeat"]),
        "hit": 1 + int(setup["last_hit"]),
        "accepted": 1 + tracks_since,
    }
    gates: np.void = np.zeros(1, GATES)[0]
    step = 1
    for name in reversed(DIMENSIONS):
        gates[f"{name}_size"], gates[f"{name}_step"] = sizes[name], step
        step *= sizes[name]
    gates["size"] = step
    gates["calm"] = (int(setup["since_mask"]) >> NOT_ATTACKED) & 1 if tracks_since else 0
    gates["first"] = (sizes["uses"] - 1) * gates["uses_step"] + gates["calm"]
    for name in (
        "max_turns",
        "first_turn",
        "last_turn",
        "charge",
        "cooldown",
        "unmet_waits",
        "failed_attack",
    ):
        gates[name] = setup[name]
    gates["no_retaliation"] = setup["retaliation_cap"] == 0
    gates["defeat_is_loss"] = setup["defeat_is_loss"]
    gates["activation"] = ground.activation
    _hp_axis(gates, setup, survival=survival or bool(setup["defeat_is_loss"]))
    return gates


def _hp_axis(gates: np.void, setup: np.void, *, survival: bool) -> None:
    full, at_most = int(setup["attacker_hp"]), int(setup["hp_at_most"])
    at_most = min(at_most, full) if at_most != _NO_HP_LIMIT else full
    floor = full
    if at_most < full:
        floor = at_most
    if setup["hp_full"]:
        floor = min(floor, full - 1)
    cost = int(setup["hp_cost"])
    if cost:
        floor = min(floor, cost)
    if survival:
        floor = 0
    gates["hp_size"] = full - floor + 1
    gates["usable_from"] = full - floor if setup["hp_full"] else 0
    gates["usable_to"] = at_most - floor + 1
    if cost:
        gates["usable_from"] = max(gates["usable_from"], cost + 1 - floor)
    gates["hp_cost"] = cost
    if gates["usable_to"] <= gates["usable_from"]:
        # Full HP and few HP at once, or fewer than an attempt costs: never.
        gates["usable_from"] = gates["usable_to"] = 0

"""What limits look at besides counters: the attacker's HP and what retaliation did, as axes of a loadout."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.exact.batch.gatings import NEVER_BINDS
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, HIT_UNHARMED, NOT_ATTACKED
from buildsearch.systems.vitality.mechanics.limits import DAMAGED as WAS_DAMAGED

# What decides when an attack of the loadout may be used, and what it uses.
LIMITS = np.dtype(
    [
        *(
            (name, np.int64)
            for name in (
                *("first_turn", "last_turn", "uses", "cooldown", "charge", "levels", "passive"),
                *("last_hit", "last_damage", "last_defeat", "condition"),
                "usable_from",  # a range of the attacker's HP axis
                "usable_to",
                "accepts",  # bits over the classes of events, the last for a turn without retaliation
                "first_table",  # the table of moves of its first level
                # as the rules have them
                *("hp_full", "hp_at_most", "since_mask"),
            )
        ),
        ("activation", np.float64),
    ]
)


class Enemies(NamedTuple):
    """The enemies in the order in which they are attacked, and what their retaliation does."""

    strike_class: NDArray[np.int64]
    max_hp: NDArray[np.int64]
    wave_end: NDArray[np.int64]
    # By place: the chances of a miss, of a hit without damage, of each damage; all zero: nobody attacks back.
    retaliation: NDArray[np.float64]


def enemies_on(ground: ExactGround) -> Enemies:
    foes, retaliates = ground.foes, bool(ground.setup["retaliation_cap"])
    retaliation = [
        ground.alive_retaliation(ground.standing(place)) * retaliates for place in range(len(foes))
    ]
    strike_class, max_hp, wave_end = (foes[name].copy() for name in ("strike_class", "max_hp", "wave_end"))
    return Enemies(strike_class, max_hp, wave_end, np.array(retaliation))


@step
def forget_useless(limits: NDArray[np.void], several: bool, full: int) -> None:
    """Attacks whose limits never hold together lose them all, and their turn: nothing need be followed.

    HP never rise, so whoever was damaged is not at full HP any more; the fight begins at full HP, unattacked.
    """
    for i in range(len(limits)):
        limit = limits[i]
        wants_few = limit["hp_at_most"] < full
        feedback = limit["last_hit"] != 0 or limit["last_damage"] != 0 or limit["last_defeat"] != 0
        mask = limit["since_mask"]
        useless = limit["last_defeat"] != 0 and not several
        useless = useless or (limit["hp_full"] != 0 and (wants_few or mask & ~(1 << WAS_DAMAGED) == 0))
        useless = useless or limit["last_turn"] - max(limit["first_turn"], 1) < limit["charge"]
        if limit["last_turn"] == 1:
            useless = useless or wants_few or feedback or (mask >> NOT_ATTACKED) & 1 == 0
        if useless:
            limit["uses"] = 0
            limit["cooldown"] = 0
            limit["charge"] = 0
            limit["passive"] = 0
            limit["last_hit"] = 0
            limit["last_damage"] = 0
            limit["last_defeat"] = 0
            limit["first_turn"] = 1
            limit["last_turn"] = 0
            limit["levels"] = 1
            limit["hp_full"] = 0
            limit["hp_at_most"] = NEVER_BINDS
            limit["since_mask"] = (
                (1 << ALL_MISSED) | (1 << HIT_UNHARMED) | (1 << WAS_DAMAGED) | (1 << NOT_ATTACKED)
            )


@step
def set_axes(limits: NDArray[np.void], attacked: bool, full: int) -> tuple[int, NDArray[np.int64]]:
    """Fill `accepts` and the range of HP of every attack; how many HP the axis has, its last the full HP.

    Behind it the class of each event (all missed, hit unharmed, damaged): those that every limit answers
    alike are one. `attacked`: whether anybody ever attacks back.
    """
    floor = full
    for i in range(len(limits)):
        if limits[i]["hp_at_most"] < full:
            floor = min(floor, limits[i]["hp_at_most"])
        if limits[i]["hp_full"] != 0:
            floor = min(floor, full - 1)
    size = full - floor + 1
    for i in range(len(limits)):
        start = full - floor if limits[i]["hp_full"] != 0 else 0
        stop = min(limits[i]["hp_at_most"], full) - floor + 1
        limits[i]["usable_from"] = start if start < stop else 0
        limits[i]["usable_to"] = stop if start < stop else 0
    events = np.array([ALL_MISSED, HIT_UNHARMED, WAS_DAMAGED])
    class_of = np.zeros(3, np.int64)
    classes = 0
    for event in range(3):
        class_of[event] = classes
        for other in range(event):
            same = True
            for i in range(len(limits)):
                mask = limits[i]["since_mask"]
                if (mask >> events[event]) & 1 != (mask >> events[other]) & 1:
                    same = False
            if same or not attacked:
                class_of[event] = class_of[other]
                break
        classes = max(classes, class_of[event] + 1)
    for i in range(len(limits)):
        mask = limits[i]["since_mask"]
        accepts = ((mask >> NOT_ATTACKED) & 1) << classes
        for event in range(3):
            accepts |= ((mask >> (events[event] if attacked else NOT_ATTACKED)) & 1) << class_of[event]
        limits[i]["accepts"] = accepts
    return size, class_of


@step
def blows_of(enemies: Enemies, class_of: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """By place, class of event and loss of HP its chance; nobody loses more than the axis has."""
    places = len(enemies.max_hp)
    blows = np.zeros((places, class_of.max() + 1, size))
    for place in range(places):
        row = enemies.retaliation[place]
        if row.sum() == 0.0:
            blows[place, 0, 0] = 1.0
            continue
        blows[place, class_of[0], 0] += row[0]
        blows[place, class_of[1], 0] += row[1]
        for lost in range(1, len(row) - 1):
            blows[place, class_of[2], min(lost, size - 1)] += row[1 + lost]
    return blows

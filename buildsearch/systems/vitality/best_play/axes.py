"""What limits look at besides counters: the attacker's HP and what retaliation did, as axes of a loadout."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.inner_kernels import inner
from buildsearch.systems.vitality.best_play.loadout import NO_HP_LIMIT
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, HIT_UNHARMED, NOT_ATTACKED
from buildsearch.systems.vitality.mechanics.limits import DAMAGED as WAS_DAMAGED


class Field(NamedTuple):
    """The enemies in the order in which they are attacked, and what their retaliation does."""

    strike_class: NDArray[np.int64]
    max_hp: NDArray[np.int64]
    wave_end: NDArray[np.int64]
    # By place: the chances of a miss, of a hit without damage, of each damage; all zero: nobody attacks back.
    retaliation: NDArray[np.float64]


@inner
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
            limit["hp_at_most"] = NO_HP_LIMIT
            limit["since_mask"] = (
                (1 << ALL_MISSED) | (1 << HIT_UNHARMED) | (1 << WAS_DAMAGED) | (1 << NOT_ATTACKED)
            )


@inner
def set_axes(
    limits: NDArray[np.void], field: Field, full: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Fill `accepts` and the range of HP of every attack; `blows` by place, class of event and loss.

    Behind them the class of each event: all missed, hit unharmed, damaged.
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
    attacked = field.retaliation[0].sum() > 0.0
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
    places = len(field.max_hp)
    blows = np.zeros((places, classes, size))
    for place in range(places):
        row = field.retaliation[place]
        if not attacked:
            blows[place, 0, 0] = 1.0
            continue
        blows[place, class_of[0], 0] += row[0]
        blows[place, class_of[1], 0] += row[1]
        for lost in range(1, len(row) - 1):
            blows[place, class_of[2], min(lost, size - 1)] += row[1 + lost]
    return blows, class_of

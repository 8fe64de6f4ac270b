"""What an action of the loadout does to enemies that are attacked one at a time.

Fields are numbered as in `exact.fields`, with bleeds if any attack of the loadout bleeds. A table belongs to
an action: nothing, a basic attack, an attack at a level of its channel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.loadout import CompiledLoadout
from buildsearch.systems.vitality.exact import action_tables
from buildsearch.systems.vitality.exact.action_tables import Tables, fill_table, joined, style_of
from buildsearch.systems.vitality.exact.fields import bases_of


def places_of(loadout: CompiledLoadout) -> NDArray[np.void]:
    """The enemies with their fields, without thresholds."""
    return action_tables.places_of(loadout.places, bases_of(loadout.places["max_hp"], loadout.ticks))


def tables_of(loadout: CompiledLoadout) -> Tables:
    """Every table of a loadout."""
    places = places_of(loadout)
    size = int(places[-1]["next_base"])
    parts = [fill_table(_style(loadout, 0, strikes=False), places, np.zeros((1, 1)), 0, size)]
    for basic in loadout.basics:
        ground = loadout.grounds[basic]
        parts.append(fill_table(_style(loadout, basic), places, ground.chances, 0, size))
    for attack, ground in enumerate(loadout.grounds):
        own = places.copy()
        own["kill_at"] = ground.foes["kill_at"]
        for level in range(int(loadout.limits[attack]["levels"])):
            row = int(ground.setup["classes"]) * (1 + level)
            parts.append(fill_table(_style(loadout, attack, special=True), own, ground.chances, row, size))
    return joined(parts)


def _style(loadout: CompiledLoadout, attack: int, *, strikes: bool = True, special: bool = False) -> np.void:
    """How an action with the attack strikes, remembering what any attack of the loadout asks for."""
    style = style_of(loadout.grounds[attack].setup, strikes=strikes, special=special)
    style["ticks"], style["tracks_hit"] = loadout.ticks, loadout.tracks_hit
    return style

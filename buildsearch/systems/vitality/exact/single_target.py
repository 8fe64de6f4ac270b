"""The transitions of attacks that go at one enemy at a time."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.action_tables import fill_table, joined, places_of, style_of
from buildsearch.systems.vitality.exact.fields import bases_of, field_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.transitions import BASIC, NOTHING, Transitions


def single_target_transitions(ground: ExactGround) -> Transitions:
    """Every move between fields of the numbering in `fields`."""
    setup = ground.setup
    ticks = int(setup["bleed_ticks"])
    bases = bases_of(ground.foes["max_hp"], ticks)
    size = int(bases[-1])
    places = places_of(ground.foes, bases)
    own = places.copy()
    own["kill_at"] = ground.foes["kill_at"]
    parts = []
    for action in range(BASIC + 1 + int(setup["levels"])):
        special = action > BASIC
        style = style_of(setup, strikes=action != NOTHING, special=special)
        style["ticks"], style["at_start"] = ticks, setup["bleed_at_start"]
        style["tracks_hit"] = setup["last_hit"]
        row = int(setup["classes"]) * (action - BASIC) if special else 0
        parts.append(fill_table(style, own if special else places, ground.chances, row, size))
    tables = joined(parts)
    return Transitions(
        first_field=int(field_of(bases[0], ticks, int(places[0]["max_hp"]), 0, 0)),
        starts=tables.starts,
        fields=tables.fields,
        bits=tables.bits,
        chances=tables.chances,
        retaliation_of=np.repeat(np.arange(len(places)), np.diff(bases)),
        retaliations=np.array([_retaliation(ground, place) for place in range(len(places))]),
        idle=_idle(setup, places, size),
    )


def _retaliation(ground: ExactGround, place: int) -> NDArray[np.float64]:
    end = int(ground.foes[place]["wave_end"])
    return ground.alive_retaliation(sorted(ground.order[place:end]))


def _idle(setup: np.void, places: NDArray[np.void], size: int) -> NDArray[np.bool_]:
    """Which fields are of the last of a wave, who falls to a bleed that opens the turn."""
    idle = np.zeros(size, np.bool_)
    if setup["bleed_ticks"] == 0 or setup["bleed_at_start"] == 0:
        return idle
    for place in range(len(places)):
        if place + 1 < places[place]["wave_end"]:
            continue
        for hp in range(1, places[place]["max_hp"] + 1):
            for left in range(1, setup["bleed_ticks"] + 1):
                idle[field_of(int(places[place]["base"]), int(setup["bleed_ticks"]), hp, hp, left)] = True
    return idle

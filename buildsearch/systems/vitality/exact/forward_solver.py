"""One build by its whole state, forward in time: attacks at one enemy, and areas that roll nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.action_tables import fill_table, joined, places_of, style_of
from buildsearch.systems.vitality.exact.area import TooManyFieldsError, area_transitions
from buildsearch.systems.vitality.exact.course import Course, follow, limit_chain_of
from buildsearch.systems.vitality.exact.forward import Entries, starts_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.maps import CODE
from buildsearch.systems.vitality.exact.nodes.turns import Turns
from buildsearch.systems.vitality.exact.solution import Solution
from buildsearch.systems.vitality.exact.transitions import (
    BASIC,
    CALM,
    NOTHING,
    Transitions,
    bases_of,
    field_of,
)

Ints = NDArray[np.int64]

# Numbers of 8 bytes, of gates twice and of rolls.
MOST_STATES = 3 << 25
# Moves times the attacker's HP: some seconds. Only bleeds that are renewed have so many.
MOST_STEPS = 1 << 27
_HIGHEST_HP = 2
# What a chain calls a turn by its bits DAMAGED, DEFEATED, HIT. Without bleeds only hits do damage.
_WITH_BLEEDS = ("missed", "ticked", "defeated", "defeated", "touched", "damaged", "splintered", "splintered")
_NAMES = ("missed", "damaged", *_WITH_BLEEDS[2:])


def why_not_forward(ground: ExactGround) -> str | None:
    """The reason why a build has too many states or transitions; None when it can be solved."""
    setup = ground.setup
    if setup["area"]:
        return _too_many(ground, _area_fields(ground))
    if int(setup["target_rule"]) == _HIGHEST_HP:
        return "the exact engine does not play the ruling target=highest_hp"
    fields = int(bases_of(ground.foes["max_hp"], int(setup["bleed_ticks"]))[-1])
    return _too_many(ground, fields) or _too_long(ground)


def solve_forward(ground: ExactGround, *, survival: bool = True) -> Solution:
    """Without `survival` the attacker's HP is followed only where limits ask for it."""
    found = area_transitions(ground) if ground.setup["area"] else _transitions_of(ground)
    rest, living, idle, entries = laid_out(found)
    turns = _turns_of(ground)
    course = Course(limit_chain_of(ground), turns, rest, living, [*found.living, []], idle, entries)
    return follow(ground, course, survival=survival)


def laid_out(found: Transitions) -> tuple[Ints, Ints, NDArray[np.bool_], Entries]:
    """Fields as a fight has them: the end, these, those in which a wave is just coming (the beginning last).

    Where doing nothing leads, the number of the living (none are behind the others), who is idle, and where
    rolls lead.
    """
    coming = _coming(found)
    old = np.concatenate([np.arange(found.size), coming])
    numbers = np.full(found.size, -1, np.int64)
    numbers[coming] = 1 + found.size + np.arange(len(coming))
    living = np.concatenate([[0], found.living_of, np.full(len(coming), len(found.living))])
    idle = np.concatenate([[False], found.idle[old]])
    return np.concatenate([[0], 1 + old]), living, idle, _entries_of(found, old, numbers)


def _coming(found: Transitions) -> Ints:
    """The fields in which a wave may be just coming, the fight's beginning last."""
    calm = np.unique(found.fields[(found.bits & CALM > 0) & (found.fields >= 0)])
    return np.append(calm[calm != found.first_field], found.first_field)


def _entries_of(found: Transitions, old: Ints, coming: Ints) -> Entries:
    """By action and field, the end first, where it leads; `coming`: by field the one that it is before a turn
    without retaliation."""
    spared = found.bits & CALM > 0
    to = np.where(found.fields < 0, 0, np.where(spared, coming[found.fields], 1 + found.fields))
    to = np.where(found.fields < 0, 0, np.where(spared, coming[found.fields], 1 + found.fields))
    codes = to * CODE + (found.bits & ~CALM)
    ranges = [[np.arange(starts[one], starts[one + 1]) for one in old] for starts in found.starts]
    which = np.concatenate([each for row in ranges for each in row])
    starts = starts_of([[len(each) for each in row] for row in ranges])
    return Entries(starts, codes[which], found.chances[which])


def _turns_of(ground: ExactGround) -> Turns:
    """Turns that are one roll."""
    chain = limit_chain_of(ground)
    steps, names = chain.steps, _WITH_BLEEDS if ground.setup["bleed_ticks"] else _NAMES
    kinds = np.stack([steps["action"], *(steps[name] for name in names)], axis=1)
    nodes, node_of = np.unique(kinds, axis=0, return_inverse=True)
    return Turns(
        gates=chain.states,
        rolls=nodes[:, 0].copy(),
        next_rows=nodes[:, 1:].copy(),
        steps=np.stack([steps["state"], steps["event"], chain.states + node_of.ravel()], axis=1),
        chances=steps["chance"].copy(),
    )


def _too_long(ground: ExactGround) -> str | None:
    """A renewed bleed leads from every field to as many as there are HP, or to pairs of HP and bleed."""
    setup = ground.setup
    if not (setup["bleed_ticks"] and setup["bleed_replaces"]):
        return None
    steps = 0
    for foe in ground.foes:
        hp = np.arange(1, int(foe["max_hp"]) + 1)
        steps += int((hp * setup["bleed_ticks"] * (hp if setup["one_strike"] else hp * hp // 2)).sum())
    if steps * int(ground.setup["attacker_hp"] + 1) > MOST_STEPS:
        return "the exact engine would have to follow too many renewed bleeds"
    return None


def _area_fields(ground: ExactGround) -> int:
    try:
        return area_transitions(ground).size
    except TooManyFieldsError:
        return MOST_STATES + 1


def _too_many(ground: ExactGround, fields: int) -> str | None:
    turns = _turns_of(ground)
    if fields * (int(ground.setup["attacker_hp"]) + 1) * (2 * turns.gates + len(turns.rolls)) > MOST_STATES:
        return "the exact engine would have to follow too many states"
    return None


def _transitions_of(ground: ExactGround) -> Transitions:
    setup = ground.setup
    return single_target_transitions(ground, int(setup["levels"]), tracks_hit=bool(setup["last_hit"]))


def single_target_transitions(ground: ExactGround, levels: int, *, tracks_hit: bool) -> Transitions:
    """Every move of doing nothing, of a basic attack, of the attack by level."""
    setup = ground.setup
    ticks = int(setup["bleed_ticks"])
    bases = bases_of(ground.foes["max_hp"], ticks)
    size = int(bases[-1])
    places = places_of(ground.foes, bases)
    own = places.copy()
    own["kill_at"] = ground.foes["kill_at"]
    parts = []
    for action in range(BASIC + 1 + levels):
        special = action > BASIC
        style = style_of(setup, strikes=action != NOTHING, special=special)
        style["ticks"], style["at_start"] = ticks, setup["bleed_at_start"]
        style["tracks_hit"] = tracks_hit
        row = int(setup["classes"]) * (action - BASIC) if special else 0
        parts.append(fill_table(style, own if special else places, ground.chances, row, size))
    tables = joined(parts)
    return Transitions(
        first_field=int(field_of(bases[0], ticks, int(places[0]["max_hp"]), 0, 0)),
        starts=tables.starts,
        fields=tables.fields,
        bits=tables.bits,
        chances=tables.chances,
        living_of=np.repeat(np.arange(len(places)), np.diff(bases)),
        living=[ground.standing(place) for place in range(len(places))],
        idle=_idle(setup, places, size),
    )


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

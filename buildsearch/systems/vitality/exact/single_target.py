"""The moves of attacks that go at one enemy at a time."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.fields import bases_of, field_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.moves import (
    BASIC,
    BIT_SETS,
    CALM,
    DAMAGED,
    DEFEATED,
    HIT,
    NOTHING,
    OVER,
    Moves,
)
from buildsearch.systems.vitality.exact.strikes import ROOM, SWING, strike_all

PLACE = np.dtype(
    [(name, np.int64) for name in ("max_hp", "strike_class", "kill_at", "wave_end", "base", "next_base")]
)


def single_target_moves(ground: ExactGround) -> Moves:
    """Every move between fields of the numbering in `fields`."""
    setup = ground.setup
    ticks = int(setup["bleed_ticks"])
    bases = bases_of(ground.foes["max_hp"], ticks)
    places = np.zeros(len(ground.foes), PLACE)
    for name in ("max_hp", "strike_class", "kill_at", "wave_end"):
        places[name] = ground.foes[name]
    places["base"], places["next_base"] = bases[:-1], bases[1:]
    starts, fields, bits, chances = _fill(setup, places, ground.chances, int(bases[-1]))
    retaliation_of = np.repeat(np.arange(len(places)), np.diff(bases))
    return Moves(
        first_field=int(field_of(bases[0], ticks, int(places[0]["max_hp"]), 0, 0)),
        starts=starts,
        fields=fields,
        bits=bits,
        chances=chances,
        retaliation_of=retaliation_of,
        retaliations=np.array([_retaliation(ground, place) for place in range(len(places))]),
        idle=_idle(setup, places, int(bases[-1])),
    )


def _retaliation(ground: ExactGround, place: int) -> NDArray[np.float64]:
    end = int(ground.foes[place]["wave_end"])
    return ground.alive_retaliation(sorted(ground.order[place:end]))


@njit(cache=True, nogil=True)
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
                idle[field_of(places[place]["base"], setup["bleed_ticks"], hp, hp, left)] = True
    return idle


@njit(cache=True, nogil=True)
def _settle(
    setup: np.void,
    places: NDArray[np.void],
    came_from: int,
    place: int,
    hp: int,
    bleed: int,
    left: int,
    due: bool,
    bits: int,
) -> tuple[int, int]:
    """The field and the bits at the end of a turn, after a bleed that is due ticked. HP 0: it is down."""
    if hp > 0 and due:
        bits |= DAMAGED
        hp -= bleed
        left -= 1
        if left == 0:
            bleed = 0
        if hp <= 0:
            bits |= DEFEATED
    if hp <= 0:
        place += 1
        bits &= ~HIT
        if place == len(places):
            return OVER, bits
        hp = places[place]["max_hp"]
        bleed = 0
    if place >= places[came_from]["wave_end"]:
        bits |= CALM
    if setup["bleed_at_start"] != 0 and bleed >= hp:
        # It falls before the next action, whose target is one that was not hit.
        bits &= ~HIT
    return field_of(places[place]["base"], setup["bleed_ticks"], hp, bleed, left), bits


@njit(cache=True, nogil=True)
def _add(sums: NDArray[np.float64], field: int, bits: int, weight: float) -> None:
    """Add to the chance of ending there. `sums`: how many were touched, which, and the chances behind."""
    where = 1 + (len(sums) // 2 - 1) + (field + 1) * BIT_SETS + bits
    if sums[where] == 0.0:
        sums[0] += 1.0
        sums[int(sums[0])] = where
    sums[where] += weight


@njit(cache=True, nogil=True)
def _splinter(
    setup: np.void,
    places: NDArray[np.void],
    chances: NDArray[np.float64],
    row: int,
    place: int,
    weight: float,
    feeds: bool,
    sums: NDArray[np.float64],
) -> None:
    """What follows a defeat: strikes on whoever is first now, as long as they defeat."""
    bits = DEFEATED | (0 if setup["condition"] != 0 else DAMAGED)
    ticks = setup["bleed_ticks"]
    target = place + 1
    done = 0
    while feeds and done < setup["splinter_limit"] and target < places[place]["wave_end"]:
        max_hp = places[target]["max_hp"]
        table = chances[row + places[target]["strike_class"]]
        defeats = 0.0
        for i in range(2 * max_hp + 3):
            if table[i] == 0.0:
                continue
            damage = 0
            if i > 0:
                damage = i - 1 if i <= max_hp + 1 else i - 2 - max_hp
            if damage > 0 and max_hp - damage <= places[target]["kill_at"]:
                defeats += table[i]
                continue
            hit = HIT if i > 0 and setup["last_hit"] != 0 else 0
            begun = damage if ticks > 0 else 0
            field, met = _settle(
                setup, places, place, target, max_hp - damage, begun, ticks, False, bits | hit
            )
            _add(sums, field, met, weight * table[i])
        weight *= defeats
        target += 1
        done += 1
        feeds = setup["triggered_feed"] != 0
    field, met = _settle(setup, places, place, target - 1, 0, 0, 0, False, bits)
    _add(sums, field, met, weight)


@njit(cache=True, nogil=True)
def _fill(  # noqa: PLR0912, PLR0915 - one table, filled in the order of the numbering
    setup: np.void, places: NDArray[np.void], chances: NDArray[np.float64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The table, source by source."""
    ticks = setup["bleed_ticks"]
    at_start = setup["bleed_at_start"] != 0
    actions = BASIC + 1 + setup["levels"]
    starts = np.zeros((actions, size + 1), np.int64)
    capacity = 1 << 12
    fields = np.zeros(capacity, np.int64)
    bits = np.zeros(capacity, np.int64)
    found = np.zeros(capacity, np.float64)
    entries = 0
    first_sum = 1 + (size + 1) * BIT_SETS
    sums = np.zeros(2 * first_sum)
    top_hp = 0
    for place in range(len(places)):
        top_hp = max(top_hp, places[place]["max_hp"])
    states = 2 * (setup["extra_limit"] + 1)
    wide_size = top_hp + 1 if ticks > 0 else 1
    wide = np.zeros((top_hp + 1, wide_size, states))
    wide_after = np.zeros((ROOM, top_hp + 1, wide_size, states))
    thin = np.zeros((top_hp + 1, 1, states))
    thin_after = np.zeros((ROOM, top_hp + 1, 1, states))
    swings = np.zeros(1, SWING)
    swing = swings[0]
    swing["replaces"] = setup["bleed_replaces"]
    swing["tracks_hit"] = setup["last_hit"]
    for action in range(actions):
        special = action > BASIC
        row = setup["classes"] * (action - BASIC) if special else 0
        swing["strikes"] = setup["strikes"] if special else min(action, 1)
        swing["chain"] = setup["chain"] if special else 0
        swing["double_tap"] = setup["double_tap"] if special else 0
        swing["extra_limit"] = setup["extra_limit"] if special else 0
        swing["first_only"] = setup["first_only"] if special else 0
        source = 0
        for place in range(len(places)):
            for whole in range(1, places[place]["max_hp"] + 1):
                for pending in range(1 + whole * ticks):
                    bleed = 0
                    left = 0
                    if pending > 0:
                        bleed = 1 + (pending - 1) // ticks
                        left = 1 + (pending - 1) % ticks
                    # Whom the action finds: bleeds that open a turn tick before it.
                    hp = whole
                    target = place
                    ticked = 0
                    if at_start and bleed > 0:
                        ticked = DAMAGED
                        hp -= bleed
                        left -= 1
                        if left == 0:
                            bleed = 0
                        if hp <= 0:
                            ticked |= DEFEATED
                            bleed = 0
                            target += 1
                            if target < places[place]["wave_end"]:
                                hp = places[target]["max_hp"]
                    if hp > 0:
                        swing["max_hp"] = places[target]["max_hp"]
                        swing["kill_at"] = places[target]["kill_at"] if special else 0
                    begins = special and ticks > 0 and (bleed == 0 or setup["bleed_replaces"] != 0)
                    swing["begins_bleed"] = begins
                    due = bleed > 0 and not at_start
                    alive = wide if begins else thin
                    after = wide_after if begins else thin_after
                    by_base = 0.0
                    by_trigger = 0.0
                    if hp > 0:
                        alive[: hp + 1] = 0.0
                        alive[hp, 0, 0] = 1.0
                    else:
                        field, out = _settle(setup, places, place, place, 0, 0, 0, False, ticked)
                        _add(sums, field, out, 1.0)
                    if hp > 0 and action != NOTHING:
                        table = row + places[target]["strike_class"]
                        by_base, by_trigger = strike_all(swing, chances, table, hp, alive, after)
                    for now in range(1, hp + 1):
                        met = ticked | (DAMAGED if now < hp else 0)
                        for begun in range(min(now + 1, alive.shape[1])):
                            for state in range(states):
                                weight = alive[now, begun, state]
                                if weight == 0.0:
                                    continue
                                hit = HIT if state & 1 else 0
                                if begun > 0:
                                    field, out = _settle(
                                        setup, places, place, target, now, begun, ticks, False, met | hit
                                    )
                                else:
                                    field, out = _settle(
                                        setup, places, place, target, now, bleed, left, due, met | hit
                                    )
                                _add(sums, field, out, weight)
                    if by_base > 0.0:
                        _splinter(setup, places, chances, row, target, by_base, special, sums)
                    if by_trigger > 0.0:
                        feeds = setup["triggered_feed"] != 0
                        _splinter(setup, places, chances, row, target, by_trigger, feeds, sums)
                    starts[action, source] = entries
                    count = int(sums[0])
                    sums[0] = 0.0
                    if entries + count > capacity:
                        grown = max(capacity, count)
                        capacity += grown
                        fields = np.concatenate((fields, np.zeros(grown, np.int64)))
                        bits = np.concatenate((bits, np.zeros(grown, np.int64)))
                        found = np.concatenate((found, np.zeros(grown, np.float64)))
                    for i in range(count):
                        where = int(sums[1 + i])
                        fields[entries] = (where - first_sum) // BIT_SETS - 1
                        bits[entries] = (where - first_sum) % BIT_SETS
                        found[entries] = sums[where]
                        sums[where] = 0.0
                        entries += 1
                    source += 1
        starts[action, source] = entries
    return starts, fields[:entries], bits[:entries], found[:entries]

"""What an action does to enemies who are attacked one at a time: for one attack, and for loadouts.

A table belongs to an action: nothing, a basic attack, an attack at a level of its channel. Fields are
numbered as in `transitions`.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.systems.vitality.exact.strikes import ROOM, SWING, clear, strike_all
from buildsearch.systems.vitality.exact.transitions import (
    BIT_SETS,
    CALM,
    DAMAGED,
    DEFEATED,
    HIT,
    OVER,
    field_of,
)
from buildsearch.systems.vitality.mechanics.strikes import strike, tick

PLACE = np.dtype(
    [(name, np.int64) for name in ("max_hp", "strike_class", "kill_at", "wave_end", "base", "next_base")]
)
# How an action strikes.
STYLE = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("strikes", "chain", "double_tap", "extra_limit", "first_only", "begins_bleed", "replaces"),
            *("tracks_hit", "splinter_limit", "triggered_feed", "condition", "ticks", "at_start"),
        )
    ]
)
# Entries that a table has room for at first.
_ENTRIES = 1 << 12
_OWN = ("strikes", "chain", "double_tap", "extra_limit", "first_only", "splinter_limit", "triggered_feed")


class Tables(NamedTuple):
    """The transitions of table t from field f are entries `starts[t, f]` up to `starts[t, f + 1]`."""

    starts: NDArray[np.int64]
    fields: NDArray[np.int64]
    bits: NDArray[np.int64]
    chances: NDArray[np.float64]


def places_of(foes: NDArray[np.void], bases: NDArray[np.int64]) -> NDArray[np.void]:
    """The enemies with their fields, without thresholds: basic attacks have none."""
    places = np.zeros(len(foes), PLACE)
    for name in ("max_hp", "strike_class", "wave_end"):
        places[name] = foes[name]
    places["base"], places["next_base"] = bases[:-1], bases[1:]
    return places


def style_of(setup: np.void, *, strikes: bool, special: bool) -> np.void:
    """How an action strikes, if it does; only the attack itself, not a basic one, has more to it."""
    style: np.void = np.zeros(1, STYLE)[0]
    if strikes:
        style["strikes"], style["condition"] = 1, setup["condition"]
    if special:
        for name in _OWN:
            style[name] = setup[name]
        style["begins_bleed"] = setup["bleed_ticks"] > 0
        style["replaces"] = setup["bleed_replaces"]
    return style


def joined(parts: Sequence[Tables]) -> Tables:
    """Tables of one action each, one behind the other."""
    offsets = np.cumsum([0, *(len(part.fields) for part in parts)])
    return Tables(
        np.stack([part.starts + offset for part, offset in zip(parts, offsets, strict=False)]),
        np.concatenate([part.fields for part in parts]),
        np.concatenate([part.bits for part in parts]),
        np.concatenate([part.chances for part in parts]),
    )


@step
def _ticked(hp: int, bleed: int, left: int) -> tuple[int, int, int, int]:
    """HP, the bleed and its ticks after one of them, and what it did."""
    hp = tick(hp, bleed)
    return hp, bleed if left > 1 and hp > 0 else 0, left - 1, DAMAGED if hp > 0 else DAMAGED | DEFEATED


@step
def _settle(
    style: np.void,
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
        hp, bleed, left, ticked = _ticked(hp, bleed, left)
        bits |= ticked
    if hp == 0:
        place += 1
        bits &= ~HIT
        if place == len(places):
            return OVER, bits
        hp = places[place]["max_hp"]
        bleed = 0
    if place >= places[came_from]["wave_end"]:
        bits |= CALM
    if style["at_start"] != 0 and bleed >= hp:
        # It falls before the next action, whose target is one that was not hit.
        bits &= ~HIT
    return field_of(places[place]["base"], style["ticks"], hp, bleed, left), bits


@step
def _add(sums: NDArray[np.float64], field: int, bits: int, weight: float) -> None:
    """Add to the chance of ending there. `sums`: how many were touched, which, and the chances behind."""
    where = 1 + (len(sums) // 2 - 1) + (field + 1) * BIT_SETS + bits
    if sums[where] == 0.0:
        sums[0] += 1.0
        sums[int(sums[0])] = where
    sums[where] += weight


@step
def _splinter(
    style: np.void,
    places: NDArray[np.void],
    chances: NDArray[np.float64],
    row: int,
    place: int,
    weight: float,
    feeds: bool,
    sums: NDArray[np.float64],
) -> None:
    """What follows a defeat: strikes on whoever is first now, as long as they defeat."""
    bits = DEFEATED | (0 if style["condition"] != 0 else DAMAGED)
    ticks = style["ticks"]
    target = place + 1
    # Not as constants, which have types of their own: `_settle` would be compiled again for each.
    none = np.int64(0)
    not_due = ticks < 0
    done = 0
    while feeds and done < style["splinter_limit"] and target < places[place]["wave_end"]:
        max_hp = places[target]["max_hp"]
        table = chances[row + places[target]["strike_class"]]
        defeats = 0.0
        for i in range(2 * max_hp + 3):
            if table[i] == 0.0:
                continue
            damage = 0
            if i > 0:
                damage = i - 1 if i <= max_hp + 1 else i - 2 - max_hp
            standing, felled = strike(places[target]["kill_at"], max_hp, damage)
            if felled:
                defeats += table[i]
                continue
            hit = HIT if i > 0 and style["tracks_hit"] != 0 else 0
            begun = damage if style["begins_bleed"] != 0 else 0
            field, met = _settle(style, places, place, target, standing, begun, ticks, not_due, bits | hit)
            _add(sums, field, met, weight * table[i])
        weight *= defeats
        target += 1
        done += 1
        feeds = style["triggered_feed"] != 0
    field, met = _settle(style, places, place, target - 1, none, none, none, not_due, bits)
    _add(sums, field, met, weight)


class _Room(NamedTuple):
    """What a table is worked out in, made outside the kernel: numba would compile each way to make one.

    `sums`: see `_add`. `wide` and `thin`: by HP, bleed begun and state, with and without a bleed begun.
    """

    sums: NDArray[np.float64]
    wide: NDArray[np.float64]
    wide_after: NDArray[np.float64]
    thin: NDArray[np.float64]
    thin_after: NDArray[np.float64]
    swing: NDArray[np.void]


def _room_of(style: np.void, places: NDArray[np.void], size: int) -> _Room:
    top, states = int(places["max_hp"].max()) + 1, 2 * (int(style["extra_limit"]) + 1)
    wide = top if style["begins_bleed"] else 1
    swing = np.zeros(1, SWING)
    for name in ("replaces", "tracks_hit", "strikes", "chain", "double_tap", "extra_limit", "first_only"):
        swing[name] = style[name]
    return _Room(
        np.zeros(2 * (1 + (size + 1) * BIT_SETS)),
        np.zeros((top, wide, states)),
        np.zeros((ROOM, top, wide, states)),
        np.zeros((top, 1, states)),
        np.zeros((ROOM, top, 1, states)),
        swing,
    )


def fill_table(
    style: np.void, places: NDArray[np.void], chances: NDArray[np.float64], row: int, size: int
) -> Tables:
    """The table of one action, source by source; `row`: where the chances of its strikes begin."""
    table = Tables(
        np.zeros(size + 1, np.int64),
        np.zeros(_ENTRIES, np.int64),
        np.zeros(_ENTRIES, np.int64),
        np.zeros(_ENTRIES),
    )
    room = _room_of(style, places, size)
    source, entries = _fill_from(style, places, chances, row, 0, 0, room, table)
    while source < size:
        more = max(len(table.fields), int(room.sums[0]))
        table = Tables(table.starts, *(np.append(each, np.zeros(more, each.dtype)) for each in table[1:]))
        room.sums[:] = 0.0
        source, entries = _fill_from(style, places, chances, row, source, entries, room, table)
    return Tables(table.starts, table.fields[:entries], table.bits[:entries], table.chances[:entries])


@kernel_without_refcounts
def _fill_from(  # noqa: PLR0912, PLR0915 - one table, filled in the order of the numbering
    style: np.void,
    places: NDArray[np.void],
    chances: NDArray[np.float64],
    row: int,
    first: int,
    entries: int,
    room: _Room,
    tables: Tables,
) -> tuple[int, int]:
    """Go on from the source `first`; the answer is the source that there is no room for, and the entries."""
    ticks = style["ticks"]
    at_start = style["at_start"] != 0
    none = np.int64(0)
    not_due = ticks < 0
    sums = room.sums
    first_sum = len(sums) // 2
    states = room.thin.shape[2]
    swing = room.swing[0]
    source = 0
    for place in range(len(places)):
        for whole in range(1, places[place]["max_hp"] + 1):
            for pending in range(1 + whole * ticks):
                if source < first:
                    source += 1
                    continue
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
                    hp, bleed, left, ticked = _ticked(hp, bleed, left)
                    if hp == 0:
                        target += 1
                        if target < places[place]["wave_end"]:
                            hp = places[target]["max_hp"]
                if hp > 0:
                    swing["max_hp"] = places[target]["max_hp"]
                    swing["kill_at"] = places[target]["kill_at"]
                begins = style["begins_bleed"] != 0 and (bleed == 0 or style["replaces"] != 0)
                swing["begins_bleed"] = begins
                due = bleed > 0 and not at_start
                alive = room.wide if begins else room.thin
                after = room.wide_after if begins else room.thin_after
                by_base = 0.0
                by_trigger = 0.0
                if hp > 0:
                    clear(alive, hp)
                    alive[hp, 0, 0] = 1.0
                else:
                    field, out = _settle(style, places, place, place, none, none, none, not_due, ticked)
                    _add(sums, field, out, 1.0)
                if hp > 0 and style["strikes"] > 0:
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
                                    style, places, place, target, now, begun, ticks, not_due, met | hit
                                )
                            else:
                                field, out = _settle(
                                    style, places, place, target, now, bleed, left, due, met | hit
                                )
                            _add(sums, field, out, weight)
                if by_base > 0.0:
                    _splinter(style, places, chances, row, target, by_base, not not_due, sums)
                if by_trigger > 0.0:
                    feeds = style["triggered_feed"] != 0
                    _splinter(style, places, chances, row, target, by_trigger, feeds, sums)
                tables.starts[source] = entries
                count = int(sums[0])
                if entries + count > len(tables.fields):
                    return source, entries
                sums[0] = 0.0
                for i in range(count):
                    where = int(sums[1 + i])
                    tables.fields[entries] = (where - first_sum) // BIT_SETS - 1
                    tables.bits[entries] = (where - first_sum) % BIT_SETS
                    tables.chances[entries] = sums[where]
                    sums[where] = 0.0
                    entries += 1
                source += 1
    tables.starts[source] = entries
    return source, entries

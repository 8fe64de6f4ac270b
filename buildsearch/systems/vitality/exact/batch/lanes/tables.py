"""The damage of eight profiles side by side."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES
from buildsearch.systems.vitality.exact.batch.pending import is_echo, plain_action
from buildsearch.systems.vitality.exact.batch.places import NEGLIGIBLE, Damages, Places
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.moves import BASIC, SPECIAL


class Tables(NamedTuple):
    """Rows are actions by class; a number of a row lies at (row * width + damage) * LANES."""

    width: int
    classes: int
    actions: int
    bleeds: bool
    is_echo: NDArray[np.bool_]  # by action (`pending`)
    hp: NDArray[np.int64]  # by class
    chances: NDArray[np.float64]  # of damage that does not defeat from full HP; nothing is left out as 0
    at_least: NDArray[np.float64]
    nothing: NDArray[np.float64]  # by row: a miss, and a hit without damage
    touched: NDArray[np.float64]
    # By row, of all lanes: where chances are not 0, and the threshold, which all lanes share.
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    kill_at: NDArray[np.int64]
    # Of echoes, by HP: the chance that they are defeated by what is pending only.
    dooms: NDArray[np.float64]
    # One strike of Splinter: how many a turn at most; a miss, a defeat; by HP left - 1 what leaves so many.
    splinters: int
    splinter_missed: NDArray[np.float64]
    splinter_defeats: NDArray[np.float64]
    splinter_leaves: NDArray[np.float64]


@inner
def tables_for(actions: int, places: Places, damages: Damages, splinter: Splinter) -> Tables:
    """Empty tables for chains of so many actions."""
    classes = len(damages.basic)
    hp = np.zeros(classes, np.int64)
    for place in range(len(places.max_hp)):
        hp[places.strike_class[place]] = places.max_hp[place]
    width = hp.max() + 1
    rows = actions * classes
    bleeds = len(damages.echoes) > 0
    echoes = np.zeros(actions, np.bool_)
    for action in range(actions):
        echoes[action] = bleeds and is_echo(action)
    splinter_rows = rows if splinter.limit > 0 else 0
    return Tables(
        width,
        classes,
        actions,
        bleeds,
        echoes,
        hp,
        np.zeros(rows * width * LANES),
        np.zeros(rows * width * LANES),
        np.zeros(rows * LANES),
        np.zeros(rows * LANES),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows * width * LANES if bleeds else 0),
        splinter.limit,
        np.zeros(splinter_rows * LANES),
        np.zeros(splinter_rows * LANES),
        np.zeros(splinter_rows * width * LANES),
    )


class Ladders(NamedTuple):
    """By profile and class of enemy: where their rows start (`Damages.rungs`), and what they defeat at."""

    starts: NDArray[np.int64]
    kill_at: NDArray[np.int64]


@inner
def _alike(kill_at: NDArray[np.int64], one: int, other: int) -> bool:
    """Whether two profiles defeat at the same HP: then they may go side by side."""
    for strike_class in range(kill_at.shape[1]):
        if kill_at[one, strike_class] != kill_at[other, strike_class]:
            return False
    return True


@inner
def group_from(ladders: Ladders, chosen: NDArray[np.int64], start: int) -> Ladders:
    """The chosen profiles from this one on that go side by side with it."""
    kill_at = ladders.kill_at
    stop = start + 1
    while stop < len(chosen) and stop < start + LANES and _alike(kill_at, chosen[start], chosen[stop]):
        stop += 1
    return Ladders(ladders.starts[chosen[start:stop]], kill_at[chosen[start:stop]])


@inner
def row_of(action: int, strike_class: int, lane: int, eight: Ladders, damages: Damages) -> int:
    """The row of a turn's damage; lanes that are left over repeat the last profile."""
    if action == BASIC:
        return damages.basic[strike_class]
    which = min(lane, len(eight.starts) - 1)
    return damages.rungs[eight.starts[which, strike_class] + action - SPECIAL]


@inner
def _fill_echo(tables: Tables, damages: Damages, row: int, base: int, hp: int) -> int:
    """The chances of one lane's echo, and whom it dooms; the answer: the highest damage that it may do."""
    chances = tables.chances
    dooms = tables.dooms
    highest = hp - 1
    while highest > 0 and damages.echo_at_least[row, highest] <= NEGLIGIBLE:
        highest -= 1
    for damage in range(hp + 1):
        dooms[base + damage * LANES] = damages.echo_at_least[row, damage] - damages.at_least[row, damage]
    for damage in range(1, highest + 1):
        chances[base + damage * LANES] = damages.echoes[row, damage]
    return highest


@inner
def fill_tables(tables: Tables, damages: Damages, splinter: Splinter, eight: Ladders) -> None:
    """The damage of up to eight profiles."""
    chances = tables.chances
    at_least = tables.at_least
    nothing = tables.nothing
    touched = tables.touched
    hps = tables.hp
    all_chances = damages.chances
    all_at_least = damages.at_least
    all_touched = damages.touched
    lows = damages.lowest
    highs = damages.highest
    for action in range(BASIC, tables.actions):
        echo = tables.is_echo[action]
        plain = plain_action(action) if tables.bleeds else action
        for strike_class in range(tables.classes):
            which = action * tables.classes + strike_class
            hp = hps[strike_class]
            base = which * tables.width * LANES
            chances[base : base + (hp + 1) * LANES] = 0.0
            low = hp
            high = 0
            for lane in range(LANES):
                row = row_of(plain, strike_class, lane, eight, damages)
                own_low = min(lows[row], hp)
                # A row may be for enemies of more HP too.
                own_high = min(highs[row], hp - 1)
                at = base + lane
                for damage in range(hp + 1):
                    at_least[at] = all_at_least[row, damage]
                    at += LANES
                if echo:
                    own_high = _fill_echo(tables, damages, row, base + lane, hp)
                else:
                    at = base + own_low * LANES + lane
                    for damage in range(own_low, own_high + 1):
                        chances[at] = all_chances[row, damage]
                        at += LANES
                low = min(low, own_low)
                high = max(high, own_high)
                nothing[which * LANES + lane] = all_chances[row, 0] - all_touched[row]
                touched[which * LANES + lane] = all_touched[row]
            # All lanes have the same (`solving.group_end`), and basic attacks none.
            tables.kill_at[which] = 0 if action == BASIC else eight.kill_at[0, strike_class]
            # An even one: sums of even and odd damages stand apart (`dot_pairs_up`).
            tables.lowest[which] = low - low % 2
            tables.highest[which] = high
    if tables.splinters > 0:
        _fill_splinters(tables, damages, splinter, eight)


@inner
def _fill_splinters(tables: Tables, damages: Damages, splinter: Splinter, eight: Ladders) -> None:
    missed = tables.splinter_missed
    defeats = tables.splinter_defeats
    leaves = tables.splinter_leaves
    for action in range(SPECIAL, tables.actions):
        for strike_class in range(tables.classes):
            which = action * tables.classes + strike_class
            hp = tables.hp[strike_class]
            # This damage defeats, and more.
            enough = max(1, hp - eight.kill_at[0, strike_class])
            for lane in range(LANES):
                row = row_of(action, strike_class, lane, eight, damages)
                missed[which * LANES + lane] = splinter.missed[row]
                defeats[which * LANES + lane] = splinter.at_least[row, enough]
                for damage in range(hp):
                    at = (which * tables.width + hp - damage - 1) * LANES + lane
                    leaves[at] = splinter.strikes[row, damage] if damage < enough else 0.0

"""The damage of eight profiles side by side."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner, set_part
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES, add_scaled_all, interleave
from buildsearch.systems.vitality.exact.batch.pending import is_echo, plain_action
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
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
    rows: NDArray[np.int64]  # scratch, by lane


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
def group_from(ladders: Ladders, chosen: NDArray[np.int64], start: int, eight: Ladders) -> int:
    """Fill in the chosen profiles from this one on that go side by side with it; where the next ones start.

    Lanes that are left over repeat the last profile.
    """
    kill_at = ladders.kill_at
    stop = start + 1
    while stop < len(chosen) and stop < start + LANES and _alike(kill_at, chosen[start], chosen[stop]):
        stop += 1
    for lane in range(LANES):
        which = chosen[min(start + lane, stop - 1)]
        for strike_class in range(kill_at.shape[1]):
            eight.starts[lane, strike_class] = ladders.starts[which, strike_class]
            eight.kill_at[lane, strike_class] = kill_at[which, strike_class]
    return stop


@inner
def row_of(action: int, strike_class: int, lane: int, eight: Ladders, damages: Damages) -> int:
    """The row of an attack's damage."""
    return damages.rungs[eight.starts[lane, strike_class] + action - SPECIAL]


@inner
def fill_rows(
    table: NDArray[np.float64], highs: NDArray[np.int64], rows: NDArray[np.int64], most: int,
    found: NDArray[np.float64], base: int,
) -> int:  # fmt: skip
    """Chances of damage from eight rows of a table, by damage in lanes up to the most; no damage has none.

    The answer: the highest damage, an odd one (`values`), up to which they are filled in. Beyond its own
    highest a row has none either, so that nobody knows how far those reach who go beside it.
    """
    high = 0
    for lane in range(LANES):
        high = max(high, min(highs[rows[lane]], most))
    interleave(found, base, table, table.shape[1], rows, high + 1)
    set_part(found, base, base + LANES, 0.0)
    high += 1 - high % 2
    for lane in range(LANES):
        for damage in range(min(highs[rows[lane]], most) + 1, high + 1):
            found[base + damage * LANES + lane] = 0.0
    return high


@inner
def fill_sums(
    table: NDArray[np.float64], rows: NDArray[np.int64], count: int, found: NDArray[np.float64], base: int
) -> None:
    """The first so many numbers of eight rows of a table, in lanes."""
    interleave(found, base, table, table.shape[1], rows, count)


@inner
def fill_dooms(
    damages: Damages, rows: NDArray[np.int64], at_least: NDArray[np.float64], hp: int,
    found: NDArray[np.float64], base: int,
) -> None:  # fmt: skip
    """By HP, up to these, the chance that only what is pending defeats; `at_least` has the same base."""
    fill_sums(damages.echo_at_least, rows, hp + 1, found, base)
    add_scaled_all(found, base, -1.0, at_least, base, hp + 1)


@inner
def _fill_action(
    tables: Tables, damages: Damages, action: int, strike_class: int, rows: NDArray[np.int64]
) -> None:
    """The damage that an action does to a class of enemy, by lane from its row."""
    chances = tables.chances
    which = action * tables.classes + strike_class
    hp = tables.hp[strike_class]
    base = which * tables.width * LANES
    low = hp
    for lane in range(LANES):
        row = rows[lane]
        low = min(low, damages.lowest[row])
        tables.nothing[which * LANES + lane] = damages.chances[row, 0] - damages.touched[row]
        tables.touched[which * LANES + lane] = damages.touched[row]
    fill_sums(damages.at_least, rows, hp + 1, tables.at_least, base)
    set_part(chances, base, base + (hp + 1) * LANES, 0.0)
    # A row may be for enemies of more HP too.
    if tables.is_echo[action]:
        fill_dooms(damages, rows, tables.at_least, hp, tables.dooms, base)
        high = fill_rows(damages.echoes, damages.echo_highest, rows, hp - 1, chances, base)
    else:
        high = fill_rows(damages.chances, damages.highest, rows, hp - 1, chances, base)
    # An even one: sums of even and odd damages stand apart (`values`).
    tables.lowest[which] = low - low % 2
    tables.highest[which] = high


@inner
def tables_for(actions: int, places: Places, damages: Damages, splinter: Splinter) -> Tables:
    """Tables for chains of so many actions, of which those of basic attacks are filled."""
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
    tables = Tables(
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
        np.zeros(LANES, np.int64),
    )
    for strike_class in range(classes if actions > BASIC else 0):
        rows_ = np.full(LANES, damages.basic[strike_class])
        _fill_action(tables, damages, np.int64(BASIC), strike_class, rows_)
    return tables


@inner
def fill_tables(tables: Tables, damages: Damages, splinter: Splinter, eight: Ladders) -> None:
    """The damage of up to eight profiles; that of basic attacks is there."""
    rows = tables.rows
    for action in range(SPECIAL, tables.actions):
        plain = plain_action(action) if tables.bleeds else action
        for strike_class in range(tables.classes):
            for lane in range(LANES):
                rows[lane] = row_of(plain, strike_class, lane, eight, damages)
            _fill_action(tables, damages, action, strike_class, rows)
            # All lanes have the same (`group_from`), and basic attacks none.
            tables.kill_at[action * tables.classes + strike_class] = eight.kill_at[0, strike_class]
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

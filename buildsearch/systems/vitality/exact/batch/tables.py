"""Distinct profiles, and a row of turn damage for each of their levels against each class of enemy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.damages import dice_tables, fill_damages
from buildsearch.systems.vitality.exact.batch.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.batch.profiles import (
    ATTACK,
    Attackers,
    attack_records,
    first_with,
    level_gains,
    strike_records,
)
from buildsearch.systems.vitality.kernel.profile import STRIKE


@dataclass(frozen=True, eq=False)
class Profiles:
    """`of_row`: the profile of each row given; by profile the first row of damages and the levels."""

    of_row: NDArray[np.int64]
    first_rows: NDArray[np.int64]
    levels: NDArray[np.int64]
    damages: Damages
    # One record for each row of damages.
    strikes: NDArray[np.void]
    attacks: NDArray[np.void]


def profiles_of(
    given: Attackers, has: NDArray[np.bool_], extra: NDArray[np.int64], *, bleeds: bool
) -> Profiles:
    """The profiles of rows of upgrades, to which limits add `extra` accuracy and effect."""
    has = np.asfortranarray(has)  # read column by column
    strikes = [strike_records(given, has, foe, extra) for foe in given.classes]
    attacks = [attack_records(given, has, foe) for foe in given.classes]
    channels = first_with(has, given.options.numbers["channel"])
    columns = [_columns(each) for each in (*strikes, *attacks)]
    kinds, of_row = distinct_rows(np.concatenate([*columns, channels[:, None]], axis=1))
    choices, choice_of = np.unique(channels[kinds], return_inverse=True)
    gains = [level_gains(given, int(channel)) for channel in choices]
    levels = np.array([len(gain) for gain in gains], np.int64)[choice_of]
    classes = len(given.classes)
    first_rows = classes + classes * np.concatenate([[0], np.cumsum(levels)])
    all_strikes = np.zeros(int(first_rows[-1]), STRIKE)
    all_attacks = np.zeros(int(first_rows[-1]), ATTACK)
    nothing = np.zeros((1, has.shape[1]), bool)
    # By level of every profile: the row it was found in, and what the level adds.
    found = np.repeat(kinds, levels)
    gained = np.zeros((len(found), 2), np.int64)
    for i, gain in enumerate(gains):
        gained[np.repeat(choice_of == i, levels)] = np.tile(gain, (int((choice_of == i).sum()), 1))
    for i, foe in enumerate(given.classes):
        all_strikes[i] = given.basic(foe)
        all_attacks[i] = attack_records(given, nothing, foe)[0]
        records = all_strikes[classes + i :: classes]
        records[:] = strikes[i][found]
        records["accuracy"] += gained[:, 0]
        records["effect"] += gained[:, 1]
        all_attacks[classes + i :: classes] = attacks[i][found]
    damages = _damages(given, all_strikes, all_attacks, bleeds=bleeds)
    return Profiles(of_row, first_rows[:-1], levels, damages, all_strikes, all_attacks)


def _columns(records: NDArray[np.void]) -> NDArray[np.int64]:
    return records.view(np.int64).reshape(len(records), -1)


def _damages(
    given: Attackers, strikes: NDArray[np.void], attacks: NDArray[np.void], *, bleeds: bool
) -> Damages:
    rows, most_hp = len(strikes), max(foe.max_hp for foe in given.classes)
    damages = Damages(
        chances=np.zeros((rows, most_hp + 1)),
        at_least=np.zeros((rows, most_hp + 1)),
        touched=np.zeros(rows),
        kill_at=attacks["kill_at"].copy(),
        lowest=np.ones(rows, np.int64),
        highest=np.zeros(rows, np.int64),
        echoes=np.zeros((rows if bleeds else 0, most_hp + 1)),
        echo_at_least=np.zeros((rows if bleeds else 0, most_hp + 1)),
        classes=len(given.classes),
        backwards=np.zeros((rows, most_hp + 1)),
        backwards_echoes=np.zeros((rows if bleeds else 0, most_hp + 1)),
    )
    tables = dice_tables(given.rules, attacks)
    fill_damages(strikes, attacks, *tables, damages)
    return damages

"""Distinct profiles, and a row of turn damage for each thing that any of them does to any class of enemy.

Profiles share most of what they do: a bonus against some enemies changes nothing about the others, levels of
channelling look like other profiles' levels, and an enemy of fewer HP is struck like one of more. So rows are
told apart by strike record alone, and each is worked out once, up to the most HP that anybody asks it for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.systems.vitality.exact.batch.damage_rows import Damages, dice_tables, fill_damages
from buildsearch.systems.vitality.exact.batch.profiles import (
    ATTACK,
    Attackers,
    attack_records,
    first_with,
    kill_thresholds,
    level_gains,
    strike_records,
)
from buildsearch.systems.vitality.kernel.profile import STRIKE

_FIELDS = len(STRIKE.names or ())


@dataclass(frozen=True, eq=False)
class Profiles:
    """`of_row`: the profile of each row given. The rest by profile, `starts` and `kill_at` also by class.

    A profile's rows of damages are `damages.rungs` from its start on, level after level. Damage that leaves
    `kill_at` HP or fewer defeats.
    """

    of_row: NDArray[np.int64]
    levels: NDArray[np.int64]
    starts: NDArray[np.int64]
    kill_at: NDArray[np.int64]
    damages: Damages
    # By row of damages: what it was worked out from.
    strikes: NDArray[np.void]
    attacks: NDArray[np.void]

    def against(self, classes: NDArray[np.int64]) -> Profiles:
        """Where only these classes of enemies are met: profiles that differ on others are one."""
        starts, kill_at = self.starts[:, classes], self.kill_at[:, classes]
        kinds, of_profile = distinct_rows(np.concatenate([starts, kill_at], axis=1))
        return Profiles(
            of_row=of_profile[self.of_row],
            levels=self.levels[kinds],
            starts=np.ascontiguousarray(starts[kinds]),
            kill_at=np.ascontiguousarray(kill_at[kinds]),
            damages=self.damages._replace(basic=self.damages.basic[classes]),
            strikes=self.strikes,
            attacks=self.attacks,
        )


def profiles_of(
    given: Attackers,
    has: NDArray[np.bool_],
    extra: NDArray[np.int64],
    *,
    bleeds: bool,
    most_levels: NDArray[np.int64] | None = None,
) -> Profiles:
    """The profiles of rows of upgrades, to which limits add `extra` accuracy and effect.

    `most_levels`: by row how many levels of channelling are asked for at most, if not all.
    """
    has = np.asfortranarray(has)  # read column by column
    kill_at, attacks = kill_thresholds(given, has), attack_records(given, has)
    parts = [_columns(strikes, attacks) for strikes in strike_records(given, has, extra)]
    bases, base_of = distinct_rows(np.concatenate(parts))
    base_of = base_of.reshape(len(given.classes), -1).T
    channels, channel_of = np.unique(first_with(has, given.options.numbers["channel"]), return_inverse=True)
    kinds, of_row = distinct_rows(np.concatenate([base_of, kill_at, channel_of[:, None]], axis=1))
    gains = [level_gains(given, int(channel)) for channel in channels]
    levels = np.array([len(gain) for gain in gains], np.int64)[channel_of[kinds]]
    asked = levels.copy()
    if most_levels is not None:
        asked[:] = 0
        np.maximum.at(asked, of_row, np.minimum(most_levels, levels[of_row]))
    starts, records, rungs, hp = _ladders(
        np.concatenate(parts)[bases], gains, base_of[kinds], channel_of[kinds], asked,
        given.class_hp,
    )  # fmt: skip
    basics = _basics(given)
    rows, row_of = distinct_rows(np.concatenate([basics, records]))
    basic, rungs = row_of[: len(basics)], row_of[len(basics) :][rungs]
    most_hp = np.zeros(len(rows), np.int64)
    np.maximum.at(most_hp, basic, given.class_hp)
    np.maximum.at(most_hp, rungs, hp)
    found = np.concatenate([basics, records])[rows]
    strikes, attacks = np.zeros(len(rows), STRIKE), np.zeros(len(rows), ATTACK)
    _numbers(strikes)[:], _numbers(attacks)[:] = found[:, :_FIELDS], found[:, _FIELDS:]
    strikes["max_hp"] = most_hp
    damages = _damages(given, strikes, attacks, basic, rungs, bleeds=bleeds)
    return Profiles(of_row, levels, starts, kill_at[kinds], damages, strikes, attacks)


def _ladders(
    bases: NDArray[np.int64],
    gains: list[NDArray[np.int64]],
    base_of: NDArray[np.int64],
    channel_of: NDArray[np.int64],
    asked: NDArray[np.int64],
    class_hp: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Rows level after level: by profile and class where they start; the records; which they are, and HP.

    `base_of`: by profile and class the record of level 0. `asked`: how many levels by profile.
    """
    ladders, ladder_of = distinct_rows((base_of * len(gains) + channel_of[:, None]).reshape(-1, 1))
    ladder_of = ladder_of.reshape(base_of.shape)
    sizes, hp = np.zeros(len(ladders), np.int64), np.zeros(len(ladders), np.int64)
    for i, class_has in enumerate(class_hp):
        np.maximum.at(sizes, ladder_of[:, i], asked)
        np.maximum.at(hp, ladder_of[:, i], class_has)
    starts = np.cumsum(sizes) - sizes
    ladder = np.repeat(np.arange(len(ladders)), sizes)
    level = np.arange(len(ladder)) - starts[ladder]
    bases_, channels = base_of.ravel()[ladders], np.repeat(channel_of, base_of.shape[1])[ladders]
    added = np.zeros((len(gains), max(map(len, gains)), 2), np.int64)
    for i, gain in enumerate(gains):
        added[i, : len(gain)] = gain
    records = bases[bases_[ladder]]
    for k, name in enumerate(("accuracy", "effect")):
        records[:, (STRIKE.names or ()).index(name)] += added[channels[ladder], level, k]
    kinds, rungs = distinct_rows(records)
    return starts[ladder_of], records[kinds], rungs, hp[ladder]


def _basics(given: Attackers) -> NDArray[np.int64]:
    attacks = attack_records(given, np.zeros((1, len(given.options.known)), bool))
    strikes = np.zeros(len(given.classes), STRIKE)
    for i, foe in enumerate(given.classes):
        strikes[i] = given.basic(foe)
    return _columns(strikes, np.repeat(attacks, len(strikes)))


def _columns(strikes: NDArray[np.void], attacks: NDArray[np.void]) -> NDArray[np.int64]:
    """All that tells rows of damage apart: not how many HP an enemy has."""
    found = np.concatenate([_numbers(strikes), _numbers(attacks)], axis=1)
    found[:, (STRIKE.names or ()).index("max_hp")] = 0
    return found


def _numbers(records: NDArray[np.void]) -> NDArray[np.int64]:
    return records.view(np.int64).reshape(len(records), -1)


def _damages(
    given: Attackers,
    strikes: NDArray[np.void],
    attacks: NDArray[np.void],
    basic: NDArray[np.int64],
    rungs: NDArray[np.int64],
    *,
    bleeds: bool,
) -> Damages:
    rows, width = len(strikes), int(strikes["max_hp"].max()) + 1
    damages = Damages(
        chances=np.zeros((rows, width)),
        at_least=np.zeros((rows, width)),
        touched=np.zeros(rows),
        lowest=np.ones(rows, np.int64),
        highest=np.zeros(rows, np.int64),
        echoes=np.zeros((rows if bleeds else 0, width)),
        echo_at_least=np.zeros((rows if bleeds else 0, width)),
        echo_highest=np.zeros(rows if bleeds else 0, np.int64),
        basic=basic,
        rungs=rungs,
    )
    fill_damages(strikes, attacks, *dice_tables(given.rules, attacks), damages)
    return damages

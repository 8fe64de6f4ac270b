"""Numbers of a build out of the numbers of its options alone: each column is a sum, a lowest or a highest.

Options are compiled one at a time by the functions that compile builds. A column that has no rule here must
be the same whatever the options; one that moves it is not known.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.encounter import Foe
from buildsearch.systems.vitality.kernel.batch.template import Striker
from buildsearch.systems.vitality.kernel.gating import activation_chance, gating_fields
from buildsearch.systems.vitality.kernel.known_words import ONE_A_BUILD, batches_know, has_any
from buildsearch.systems.vitality.kernel.plan import SETUP
from buildsearch.systems.vitality.kernel.profile import STRIKE

SUM, LOWEST, HIGHEST, COMMON = range(4)
_STRIKE_RULES = {
    **dict.fromkeys(("accuracy", "effect", "critical_effect", "overhit_margin", "overhit_per"), SUM),
    **dict.fromkeys(("brutal_threshold", "brutal_per", "brutal_excess"), SUM),
    **dict.fromkeys(("critical_from", "resist"), LOWEST),
    "fixed_roll": HIGHEST,
}
_GATING_RULES = {
    **dict.fromkeys(("first_turn", "cooldown", "charge"), HIGHEST),
    **dict.fromkeys(("hp_full", "passive", "last_hit", "last_damage", "last_defeat"), HIGHEST),
    **dict.fromkeys(("last_turn", "uses", "hp_at_most"), LOWEST),
    "since_mask": COMMON,
    "hp_cost": SUM,
}
# Worked out from the others, or from the chance to activate.
_DERIVED = ("activation", "ungated", "unmet_waits", "hp_matters")
_READS_HP = ("hp_at_most", "hp_full", "hp_cost", "since_mask")
_NO_LIMIT = 1 << 30


@dataclass(frozen=True, eq=False)
class Columns:
    """By column its rule and its place in a strike record or in the settings; by option its numbers."""

    known: NDArray[np.bool_]  # options
    one_a_build: list[NDArray[np.bool_]]
    rules: NDArray[np.int64]
    base: NDArray[np.int64]
    alone: NDArray[np.int64]
    chances: NDArray[np.float64]  # to activate
    strike_class: NDArray[np.int64]  # -1 for settings
    field: NDArray[np.int64]
    waits: bool

    @property
    def strikes(self) -> int:
        """How many columns come before those of settings."""
        return int((self.strike_class >= 0).sum())

    @property
    def gating(self) -> NDArray[np.bool_]:
        """Which columns are settings."""
        return np.asarray(self.strike_class < 0)


def columns_of(striker: Striker, samples: Sequence[Foe], present: NDArray[np.bool_] | None = None) -> Columns:
    """The numbers of all options, or of those that are present in a batch; `samples`: a foe of each class."""
    base, base_gating = _strikes(striker, samples), _gating(striker)
    names = [name for name in STRIKE.names or () if name in _STRIKE_RULES]
    limits = list(_GATING_RULES)
    keys = [(i, name) for i in range(len(samples)) for name in names] + [(-1, name) for name in limits]
    options = striker.names
    known = np.ones(len(options), bool)
    bases = _numbers(keys, base, base_gating)
    alone = np.tile(bases, (len(options), 1))
    chances = np.ones(len(options))
    for i, option in enumerate(options):
        if present is not None and not present[i]:
            continue
        if not batches_know(striker.rules, striker.rules.enhancements[option]):
            known[i] = False
            continue
        strikes, gating = _strikes(striker, samples, option), _gating(striker, option)
        known[i] = _moves_only(base, strikes, _STRIKE_RULES) and all(
            gating[name] == base_gating[name] for name in gating if name not in (*_GATING_RULES, *_DERIVED)
        )
        alone[i] = _numbers(keys, strikes, gating)
        chances[i] = activation_chance(striker.parts(option), striker.attacker.tier)
    known_options = [striker.rules.enhancements[option] for option in options]
    rules = [_STRIKE_RULES[name] if i >= 0 else _GATING_RULES[name] for i, name in keys]
    return Columns(
        known=known,
        one_a_build=[
            np.array([has_any(each, (mechanic,)) for each in known_options], bool) for mechanic in ONE_A_BUILD
        ],
        rules=np.array(rules, np.int64),
        base=bases,
        alone=alone,
        chances=chances,
        strike_class=np.array([i for i, _ in keys], np.int64),
        field=np.array([_place(STRIKE if i >= 0 else SETUP, name) for i, name in keys], np.int64),
        waits=striker.rules.rulings.waits(1),
    )


def _strikes(striker: Striker, samples: Sequence[Foe], *option: str) -> list[np.void]:
    parts = striker.parts(*option)
    return [striker.strike(parts, foe) for foe in samples]


def _gating(striker: Striker, *option: str) -> dict[str, int]:
    return gating_fields(striker.parts(*option), striker.attacker.tier, striker.encounter)


def _moves_only(base: list[np.void], moved: list[np.void], rules: dict[str, int]) -> bool:
    """Whether nothing but the columns with a rule has changed."""
    fixed = [name for name in STRIKE.names or () if name not in rules]
    return all(one[name] == other[name] for one, other in zip(base, moved, strict=True) for name in fixed)


def _numbers(
    keys: list[tuple[int, str]], strikes: list[np.void], gating: dict[str, int]
) -> NDArray[np.int64]:
    found = [int(strikes[i][name]) if i >= 0 else gating[name] for i, name in keys]
    # "No limit" is written -1, which is not the highest.
    return np.array(
        [_NO_LIMIT if key == (-1, "uses") and number < 0 else number
         for key, number in zip(keys, found, strict=True)], np.int64)  # fmt: skip


def _place(dtype: np.dtype[np.void], name: str) -> int:
    return (dtype.names or ()).index(name)


@njit(cache=True, nogil=True)
def combine(
    masks: NDArray[np.uint64],
    rules: NDArray[np.int64],
    base: NDArray[np.int64],
    alone: NDArray[np.int64],
    chances: NDArray[np.float64],
    numbers: NDArray[np.int64],
    activation: NDArray[np.float64],
) -> None:
    for row in range(len(masks)):
        found = numbers[row]
        for j in range(len(base)):
            found[j] = base[j]
        chance = 1.0
        for i in range(len(alone)):
            if (masks[row, i // 64] >> np.uint64(i % 64)) & np.uint64(1) == np.uint64(0):
                continue
            # In the order of options, as when one build is compiled: products of floats depend on it.
            chance *= chances[i]
            for j in range(len(base)):
                rule = rules[j]
                number = alone[i, j]
                if rule == SUM:
                    found[j] += number - base[j]
                elif rule == LOWEST:
                    found[j] = min(found[j], number)
                elif rule == HIGHEST:
                    found[j] = max(found[j], number)
                else:
                    found[j] &= number
        activation[row] = chance


def numbers_of(columns: Columns, masks: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The columns of every row of bits, and its chance to activate."""
    numbers, activation = np.zeros((len(masks), len(columns.base)), np.int64), np.zeros(len(masks))
    combine(masks, columns.rules, columns.base, columns.alone, columns.chances, numbers, activation)
    return numbers, activation


def settle(
    columns: Columns, numbers: NDArray[np.int64], activation: NDArray[np.float64]
) -> dict[str, NDArray[np.int64]]:
    """The settings about when an attack may be used, by name; as `gating_fields` ends."""
    places = np.flatnonzero(columns.gating)
    names = [(SETUP.names or ())[columns.field[place]] for place in places]
    fields = {name: numbers[:, place].copy() for name, place in zip(names, places, strict=True)}
    base = {name: columns.base[place] for name, place in zip(names, places, strict=True)}
    ungated = np.all(numbers[:, places] == columns.base[places], axis=1)
    fields["uses"][fields["uses"] == _NO_LIMIT] = -1
    fields["ungated"] = ungated.astype(np.int64)
    fields["unmet_waits"] = (~ungated & columns.waits).astype(np.int64)
    fields["hp_matters"] = np.any([fields[name] != base[name] for name in _READS_HP], axis=0).astype(np.int64)
    fields["activation"] = np.rint(activation * (1 << 32)).astype(np.int64)
    return fields

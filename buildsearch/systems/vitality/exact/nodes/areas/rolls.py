"""One area attack on a wave: given the total of its dice, every class is struck by a law of its own.

A field of a wave is a pair: a multiset of the class with most of them (rows), and the multisets of all other
classes (columns, which run fastest). Totals that are one law to the rows are put together: then what they
do to the columns is one kernel too.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import Dice, ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.kernels import Kernel, beside, mixture, nothing
from buildsearch.systems.vitality.exact.nodes.areas.multisets import Multisets, kernel_of, multisets_of
from buildsearch.systems.vitality.kernel.outcomes import DAMAGE, HIT, outcome_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Wave:
    """A wave by class (that of the rows last): its number, its multisets, its places in order."""

    classes: tuple[int, ...]
    multisets: tuple[Multisets, ...]
    places: tuple[tuple[int, ...], ...]

    @property
    def rows(self) -> int:
        """How many multisets the last class has."""
        return len(self.multisets[-1])

    @cached_property
    def columns(self) -> int:
        """How many situations all other classes have together."""
        return int(np.prod([1, *(len(each) for each in self.multisets[:-1])]))

    @cached_property
    def living(self) -> Ints:
        """By column and class, then by row: how many live; (rows, columns, classes)."""
        sizes = [len(each) for each in self.multisets]
        found = np.zeros((*sizes, len(sizes)), np.int64)
        for i, each in enumerate(self.multisets):
            shape = [1] * len(sizes)
            shape[i] = sizes[i]
            found[..., i] = each.living.reshape(shape)
        return np.moveaxis(found.reshape(self.columns, self.rows, len(sizes)), 1, 0)

    def standing(self, living: tuple[int, ...]) -> list[int]:
        """The places of so many of each class, in order. Who of a class they are makes no difference."""
        chosen = [places[len(places) - number :] for places, number in zip(self.places, living, strict=True)]
        return sorted(place for each in chosen for place in each)


class Roll(NamedTuple):
    """By group of totals a kernel of the rows and one of the columns, one behind the other.

    Row i in group g leads to the entries from `row_starts[g, i]` up to `row_starts[g, i + 1]`.
    """

    row_starts: Ints
    row_targets: Ints
    row_happened: Ints
    row_chances: Floats
    column_starts: Ints
    column_targets: Ints
    column_happened: Ints
    column_chances: Floats


def waves_of(ground: ExactGround) -> list[Wave]:
    waves, first = [], 0
    for end in sorted(set(ground.foes["wave_end"].tolist())):
        foes = ground.foes[first:end]
        by_class = {
            one: tuple(first + int(i) for i in np.flatnonzero(foes["strike_class"] == one))
            for one in sorted(set(foes["strike_class"].tolist()))
        }
        sets = {
            one: multisets_of(int(ground.foes[places[0]]["max_hp"]), len(places))
            for one, places in by_class.items()
        }
        order = sorted(by_class, key=lambda one: len(sets[one]))
        waves.append(
            Wave(tuple(order), tuple(sets[one] for one in order), tuple(by_class[one] for one in order))
        )
        first = end
    return waves


def laws_of(strike: np.void, dice: Dice, *, by_itself: bool) -> Floats:
    """By total of the dice the chances of a miss and of a hit of each damage.

    `by_itself`: the effect is rolled for each enemy, so there is one law for all totals.
    """
    naturals, totals = dice
    laws = np.zeros((len(totals), int(strike["max_hp"]) + 2))
    _fill_laws(strike, naturals, laws)
    return totals[None, :] @ laws if by_itself else laws


@njit(cache=True, nogil=True)
def _fill_laws(strike: np.void, naturals: Floats, laws: Floats) -> None:
    for total in range(len(laws)):
        for i in range(len(naturals)):
            if naturals[i] == 0.0:
                continue
            code = outcome_of(strike, i + 1, total)
            laws[total, 1 + (code & DAMAGE) if code & HIT else 0] += naturals[i]


def roll_of(
    wave: Wave,
    strikes: NDArray[np.void],
    dice: Dice,
    kill_at: Ints,
    told: tuple[int, ...],
    *,
    by_itself: bool,
) -> Roll:
    """One area attack. `strikes`, `kill_at`: by class."""
    laws = [laws_of(strikes[one], dice, by_itself=by_itself) for one in wave.classes]
    totals = np.ones(1) if by_itself else dice[1]
    groups: dict[bytes, dict[bytes, tuple[int, float]]] = {}
    for total in np.flatnonzero(totals):
        row_law = laws[-1][total].tobytes()
        others = b"".join(law[total].tobytes() for law in laws[:-1])
        known = groups.setdefault(row_law, {})
        known[others] = (int(total), known.get(others, (0, 0.0))[1] + float(totals[total]))
    rows, columns = [], []

    def kernel(i: int, total: int) -> Kernel:
        return kernel_of(wave.multisets[i], laws[i][total], int(kill_at[wave.classes[i]]), told)

    for group in groups.values():
        chosen = list(group.values())
        rows.append(kernel(len(laws) - 1, chosen[0][0]))
        parts = [
            reduce(beside, (kernel(i, total) for i in range(len(laws) - 1)), nothing()) for total, _ in chosen
        ]
        columns.append(mixture(parts, [chance for _, chance in chosen]))
    return Roll(*_behind_one_another(rows), *_behind_one_another(columns))


def _behind_one_another(kernels: list[Kernel]) -> Kernel:
    offsets = np.concatenate([[0], np.cumsum([len(each.targets) for each in kernels])[:-1]])
    return Kernel(
        np.array([each.starts for each in kernels]) + offsets[:, None],
        np.concatenate([each.targets for each in kernels]),
        np.concatenate([each.happened for each in kernels]),
        np.concatenate([each.chances for each in kernels]),
    )

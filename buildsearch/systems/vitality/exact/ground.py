"""What the exact engine reads: chances as float64, enemies in the order in which they are attacked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION
from buildsearch.systems.vitality.kernel.compiling import Tables, lay_ground, row_chances
from buildsearch.systems.vitality.kernel.gating import activation_chance
from buildsearch.systems.vitality.kernel.profile import STRIKE, Parts
from buildsearch.systems.vitality.kernel.retaliation import both, retaliation_distribution
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, DAMAGED, HIT_UNHARMED, NOT_ATTACKED
from buildsearch.systems.vitality.rules.model import VitalityRules

_LOWEST_HP = 1


# Of the faces of the accuracy die from 1 on, and of the totals of the effect dice from 0 on.
Dice = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class ExactGround:
    """A build in an encounter. Row 0 to classes - 1 of `chances`: basic attack; then level by class.

    Place i is the enemy that a single-target attack goes at after i others fell. `order[i]` is its number
    in the encounter.
    """

    setup: np.void
    order: list[int]
    foes: NDArray[np.void]
    chances: NDArray[np.float64]
    activation: float
    retaliation: list[NDArray[np.float64]]
    # By row of `chances` the strike record; for the basic attack and the attack the chances of each face of
    # the accuracy die and of each total of the effect dice.
    strikes: NDArray[np.void]
    dice: tuple[Dice, Dice]

    def alive_retaliation(self, living: list[int]) -> NDArray[np.float64]:
        """Miss, hit without damage, each damage: what these enemies (in order) do to the attacker."""
        striking = tuple(living[: max(int(self.setup["retaliation_cap"]), 1)])
        if striking not in self._together:
            together = self.retaliation[striking[0]]
            for foe in striking[1:]:
                together = both(together, self.retaliation[foe])
            self._together[striking] = together
        return self._together[striking]

    def standing(self, place: int) -> list[int]:
        """Who lives when single-target attacks go at this place, in the encounter's order."""
        return sorted(self.order[place : int(self.foes[place]["wave_end"])])

    def blows(self, living: list[int], mask: int) -> NDArray[np.float64]:
        """By event of `chain` the chance of each loss of HP, when these enemies strike back.

        Nobody: a wave is just coming. Events: accepted by limits (`mask`) or not (1), did damage or not (2).
        """
        found = np.zeros((NO_RETALIATION, int(self.setup["attacker_hp"]) + 1))
        if not living or not self.setup["retaliation_cap"]:
            found[(mask >> NOT_ATTACKED) & 1, 0] = 1.0
            return found
        chances = self.alive_retaliation(living)
        found[(mask >> ALL_MISSED) & 1, 0] += chances[0]
        found[(mask >> HIT_UNHARMED) & 1, 0] += chances[1]
        found[((mask >> DAMAGED) & 1) + 2, 1:] += chances[2:]
        return found

    def losses(self, living: list[int]) -> NDArray[np.float64]:
        """The chance of each loss of HP, when these enemies strike back."""
        return np.asarray(self.blows(living, 0).sum(axis=0))

    def digest(self) -> bytes:
        """Of all that decides how its fights go."""
        arrays = (self.foes, self.chances, *self.retaliation, self.strikes, *self.dice[0], *self.dice[1])
        numbers = repr((self.order, self.activation, [(each.shape, each.dtype.str) for each in arrays]))
        return content_digest(numbers.encode(), self.setup.tobytes(), *(each.tobytes() for each in arrays))

    @cached_property
    def _together(self) -> dict[tuple[int, ...], NDArray[np.float64]]:
        """By who strikes back what they do, as it is asked for again and again."""
        return {}


def exact_ground(rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter) -> ExactGround:
    ground = lay_ground(rules, build, attacker, encounter)
    setup: np.void = ground.setup[0]
    foes = [foe for wave in encounter.waves for foe in wave]
    kinds: dict[object, NDArray[np.float64]] = {}
    # An area goes at all of them, and catches the first in the encounter's own order.
    lowest = int(setup["target_rule"]) == _LOWEST_HP and not setup["area"]
    order = _order(encounter, lowest=lowest)
    return ExactGround(
        setup=setup,
        order=order,
        foes=ground.foe_records(encounter, [0] * len(foes))[order],
        chances=row_chances(rules, attacker, ground.rows),
        activation=activation_chance(ground.special, attacker.tier),
        retaliation=[_retaliation(rules, attacker, foe, kinds) for foe in foes],
        strikes=np.array([record for _, record in ground.rows], STRIKE),
        dice=(_dice(rules, attacker, ground.basic), _dice(rules, attacker, ground.special)),
    )


def _dice(rules: VitalityRules, attacker: Attacker, parts: Parts) -> Dice:
    tables = Tables(rules, attacker)
    chances, first = tables.effect_dice(parts)
    # Flat damage below nothing is as good as none.
    skipped, before = max(-first, 0), max(first, 0)
    totals = np.concatenate([np.zeros(before), chances[skipped:]])
    return tables.natural_dice(parts), totals if len(totals) else np.ones(1)


def _order(encounter: Encounter, *, lowest: bool) -> list[int]:
    """Who is attacked in which order.

    Under the ruling `lowest_hp` too it is fixed: only the target ever loses HP, so it stays the lowest.
    """
    order: list[int] = []
    for wave in encounter.waves:
        places = range(len(order), len(order) + len(wave))
        first = len(order)
        order += sorted(places, key=lambda i: wave[i - first].max_hp) if lowest else list(places)
    return order


def _retaliation(
    rules: VitalityRules, attacker: Attacker, foe: Foe, kinds: dict[object, NDArray[np.float64]]
) -> NDArray[np.float64]:
    key = (foe.stats.focus, foe.stats.power)
    if key not in kinds:
        kinds[key] = retaliation_distribution(rules, attacker, foe)
    return kinds[key]

"""What enemies do to the attacker: alias tables for one or several of them at once.

An outcome is packed as `state << 14 | damage`, with the states of `plan`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.alias_tables import bits_for, fill_alias, integer_weights
from buildsearch.evaluate.fixed_order import convolved
from buildsearch.systems.vitality.builds.build import Attack
from buildsearch.systems.vitality.encounter import Attacker, Foe
from buildsearch.systems.vitality.kernel.outcomes import (
    MOST_HP,
    exploding_sum,
    fill_outcomes,
    highest_of,
    most_damage,
)
from buildsearch.systems.vitality.kernel.profile import Parts, flat_damage, strike_record
from buildsearch.systems.vitality.mechanics.limits import DAMAGED, HIT_UNHARMED
from buildsearch.systems.vitality.rules.model import VitalityRules


def retaliation_tables(
    rules: VitalityRules, attacker: Attacker, foes: list[Foe], setup: NDArray[np.void]
) -> tuple[NDArray[np.int64], list[int]]:
    """A row for each (class of foe, number that attack at once), and the class of each foe."""
    kinds = list(dict.fromkeys((foe.stats.focus, foe.stats.power) for foe in foes))
    cap = max(1, int(setup["retaliation_cap"][0]))
    most = attacker.hp
    if setup["leech"][0]:
        # Healing works below 0 too, so it matters how far below; else more than all HP is as good as all.
        most = min(cap * max(_most_damage(rules, attacker, foe) for foe in foes), MOST_HP)
    bits = bits_for(most + 2)
    setup["retaliation_bits"] = bits
    setup["one_retaliation_class"] = len(kinds) == 1
    tables = np.zeros((len(kinds) * cap, 1 << bits), np.int64)
    codes = np.array(
        [0, HIT_UNHARMED << 14, *((DAMAGED << 14) + damage for damage in range(1, most + 1))], np.int64
    )
    for i, kind in enumerate(kinds):
        foe = next(foe for foe in foes if (foe.stats.focus, foe.stats.power) == kind)
        one = retaliation_distribution(rules, attacker, foe, most)
        together = one
        for number in range(cap):
            weights = np.zeros(len(together), np.int64)
            integer_weights(together, weights)
            fill_alias(weights, codes, bits, tables[i * cap + number])
            together = both(together, one)
    return tables, [kinds.index((foe.stats.focus, foe.stats.power)) for foe in foes]


def retaliation_distribution(
    rules: VitalityRules, attacker: Attacker, foe: Foe, most: int | None = None
) -> NDArray[np.float64]:
    """The chances of a miss, of a hit without damage, and of each damage up to `most` (the attacker's HP)."""
    most = attacker.hp if most is None else most
    record, naturals, chances, first = _blow(rules, attacker, foe, most)
    outcomes = np.zeros(2 * most + 3)
    fill_outcomes(record, np.array(naturals), np.array(chances), first, outcomes)
    hits = outcomes[1 : most + 2] + outcomes[most + 2 :]
    return np.concatenate([outcomes[:1], hits])


def _most_damage(rules: VitalityRules, attacker: Attacker, foe: Foe) -> int:
    record, naturals, chances, first = _blow(rules, attacker, foe, MOST_HP)
    return most_damage(record, len(naturals), first + len(chances) - 1)


def _blow(
    rules: VitalityRules, attacker: Attacker, foe: Foe, most: int
) -> tuple[np.void, NDArray[np.float64], NDArray[np.float64], int]:
    """One enemy's attack: its record, the chances of its die and of its dice, and the first total."""
    parts = Parts.of(rules, Attack(rules.retaliation.type))
    striker = Attacker(tier=attacker.tier, stats=foe.stats, hp=foe.max_hp)
    target = Foe(name="attacker", max_hp=most, stats=attacker.stats)
    plain = {"accuracy": 0, "damage": 0, "condition": 0}
    record = strike_record(parts, striker, target, plain, adjacent=False)
    flat = flat_damage(parts, striker)
    dice = rules.rolls.damage
    chances = np.ones(1) if flat is not None else exploding_sum(dice.count, dice.sides, dice.explode_on)
    naturals = np.ones(1) if record["auto_hit"] else highest_of(rules.rolls.accuracy.sides, 1)
    return record, naturals, chances, flat or 0


def both(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two attacks together: missed if both missed; damage adds up, capped at the attacker's HP."""
    sums = convolved(first[1:], second[1:])
    hits = first[0] * second[1:] + second[0] * first[1:]
    hits += sums[: len(hits)]
    hits[-1] += sums[len(hits) :].sum()
    return np.concatenate([[first[0] * second[0]], hits])

"""From rules and fighters to a plan."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.alias_tables import bits_for, fill_alias, integer_weights
from buildsearch.systems.armitage.bouts import Fighter
from buildsearch.systems.armitage.kernel.card_worth import make_keys
from buildsearch.systems.armitage.kernel.outcomes import strike_outcomes, sums
from buildsearch.systems.armitage.kernel.plan import (
    AP,
    ATTACK,
    CARD,
    EVA,
    FIGHTER,
    HEAL,
    RES,
    RESOLVE,
    SETUP,
    STATUS,
    TUF,
    Arrays,
    Plan,
)
from buildsearch.systems.armitage.rules.model import PLAYS, ArmitageRules, Criticals, Dice, Strike

_STATS = {"eva": EVA, "res": RES, "tuf": TUF, "ap": AP}


def compile_plan(rules: ArmitageRules, fighters: tuple[Fighter, ...], max_turns: int) -> Plan:
    """Compile a fight. Cards that nobody has are left out, so that they cannot move a result."""
    owned = {name for fighter in fighters for name, _ in fighter.deck}
    names = [name for name in rules.cards if name in owned]
    strikes = [Strike(), *_distinct(rules, names)]
    heals = sorted({card.heal for name in names if (card := rules.cards[name]).heal is not None})
    setup = np.zeros(1, SETUP)
    setup["max_turns"] = max_turns
    setup["hand"] = rules.hand
    setup["foreseen"] = rules.rulings.foreseen_attacks
    setup["statuses"] = any(rules.cards[name].status is not None for name in names)
    _set_ranges(rules, fighters, names, strikes, setup)
    strike_table, hits, means = _strike_tables(rules, strikes, setup)
    heal_table, heal_means = _heal_tables(rules, heals, setup)
    cards = _cards(rules, names, strikes, heals)
    shifts = _shifts(cards)
    prevented = np.array([_prevented(rules, res) for res in range(means.shape[2])])
    setup["reach"] = np.abs(cards["amount"][(cards["deed"] == STATUS) & (cards["stat"] == TUF)]).max(
        initial=0
    )
    setup["most_hp"] = math.ceil(means.max())
    setup["most_resolve"] = cards["amount"][cards["deed"] == RESOLVE].max(initial=0)
    setup["most_ap"] = max(fighter.stats.ap for fighter in fighters) + shifts[:, AP].max()
    keys = make_keys(setup, cards, means, heal_means, prevented)
    arrays = Arrays(
        setup=setup,
        fighters=_fighters(fighters, setup),
        cards=cards,
        decks=np.array(
            [names.index(name) for each in fighters for name, number in each.deck for _ in range(number)],
            np.int64,
        ),
        strikes=strike_table,
        hits=hits,
        means=means,
        heals=heal_table,
        heal_means=heal_means,
        prevented=prevented,
        keys=keys,
        shifts=shifts,
    )
    return Plan(arrays)


def _distinct(rules: ArmitageRules, names: list[str]) -> list[Strike]:
    found = [attack for name in names if (attack := rules.cards[name].attack) is not None]
    return [attack for attack in dict.fromkeys(found) if attack != Strike()]


def _set_ranges(
    rules: ArmitageRules,
    fighters: tuple[Fighter, ...],
    names: list[str],
    strikes: list[Strike],
    setup: NDArray[np.void],
) -> None:
    """The EVA and RES that tables cover: what statuses can reach, and nothing that changes nothing."""
    reach = {"eva": [0, 0], "res": [0, 0]}
    for name in names:
        status = rules.cards[name].status
        if status is not None and status.stat in reach:
            reach[status.stat][int(status.amount > 0)] += status.amount
    evas, ress = [f.stats.eva for f in fighters], [f.stats.res for f in fighters]
    dice = rules.dice
    # Beyond the highest roll nothing hits, and beyond the highest damage RES takes everything.
    unreachable = dice.attack * dice.sides + max(strike.to_hit for strike in strikes) + 1
    everything = max(0, dice.damage * dice.sides + max(strike.damage for strike in strikes))
    # Only where no status moves them, or one step down from there would be another number.
    highest = max(evas) + reach["eva"][1] if any(reach["eva"]) else min(max(evas), max(0, unreachable))
    setup["lowest_eva"] = max(0, min(min(evas) + reach["eva"][0], highest))
    setup["highest_eva"] = highest
    setup["highest_res"] = max(ress) + reach["res"][1] if any(reach["res"]) else min(max(ress), everything)


def _strike_tables(
    rules: ArmitageRules, strikes: list[Strike], setup: NDArray[np.void]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    lowest, highest = int(setup["lowest_eva"][0]), int(setup["highest_eva"][0])
    evas, ress = range(lowest, highest + 1), range(int(setup["highest_res"][0]) + 1)
    bits, table, hits, means = _tables_of(rules.dice, rules.criticals, tuple(strikes), evas, ress)
    setup["strike_bits"] = bits
    return table, hits, means


# Builds by the thousand differ in their decks but roll on the same few tables, which take time to fill.
@lru_cache(maxsize=256)
def _tables_of(
    dice: Dice, criticals: Criticals, strikes: tuple[Strike, ...], evas: range, ress: range
) -> tuple[int, NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    shape = (len(strikes), len(evas), len(ress))
    most = dice.damage * dice.sides + max(strike.damage for strike in strikes)
    bits = bits_for(max(0, most) + max(criticals.two_alike, criticals.three_alike) + 2)
    table = np.zeros((*shape, 1 << bits), np.int64)
    hits, means = np.zeros(shape[:2]), np.zeros(shape)
    for i, strike in enumerate(strikes):
        for j, eva in enumerate(evas):
            for res in ress:
                outcomes, hits[i, j], means[i, j, res] = strike_outcomes(dice, criticals, strike, eva, res)
                _fill(outcomes, bits, table[i, j, res])
    # Not marked read-only: to numba such arrays are another type, and everything would be compiled twice.
    return bits, table.reshape(shape[0], shape[1] * shape[2], -1), hits, means


def _heal_tables(
    rules: ArmitageRules, heals: list[int], setup: NDArray[np.void]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    most = max(heals, default=1) * rules.dice.sides
    bits = bits_for(most + 1)
    setup["heal_bits"] = bits
    table = np.zeros((max(1, len(heals)), 1 << bits), np.int64)
    means = np.zeros((max(1, len(heals)), most + 1))
    for i, dice in enumerate(heals):
        chances = sums(dice, rules.dice.sides)
        _fill(chances, bits, table[i])
        for missing in range(most + 1):
            means[i, missing] = chances @ np.minimum(np.arange(len(chances)), missing)
    return table, means


def _prevented(rules: ArmitageRules, res: int) -> float:
    chances = sums(rules.dice.damage, rules.dice.sides)
    return float(chances @ np.minimum(np.arange(len(chances)), res))


def _fighters(fighters: tuple[Fighter, ...], setup: NDArray[np.void]) -> NDArray[np.void]:
    records = np.zeros(len(fighters), FIGHTER)
    start = 0
    for record, fighter in zip(records, fighters, strict=True):
        size = sum(number for _, number in fighter.deck)
        record["side"] = fighter.side
        record["max_hp"] = fighter.stats.hth
        for name in ("eva", "res", "tuf", "ap"):
            record[name] = getattr(fighter.stats, name)
        record["play"] = PLAYS.index(fighter.play)
        record["deck_start"] = start
        record["deck_size"] = size
        start += size
    order = sorted(range(len(fighters)), key=lambda i: -fighters[i].stats.initiative)
    initiatives = [fighters[i].stats.initiative for i in order]
    records["acts"] = order
    records["tie_end"] = [len(order) - initiatives[::-1].index(initiative) for initiative in initiatives]
    setup["ties"] = len(set(initiatives)) < len(initiatives)
    return records


def _cards(
    rules: ArmitageRules, names: list[str], strikes: list[Strike], heals: list[int]
) -> NDArray[np.void]:
    records = np.zeros(len(names), CARD)
    for record, name in zip(records, names, strict=True):
        card = rules.cards[name]
        record["ap"] = card.ap
        if card.attack is not None:
            record["deed"], record["row"] = ATTACK, strikes.index(card.attack)
        elif card.heal is not None:
            record["deed"], record["row"] = HEAL, heals.index(card.heal)
        elif card.resolve is not None:
            record["deed"], record["amount"] = RESOLVE, card.resolve
        elif card.status is not None:
            record["deed"], record["amount"] = STATUS, card.status.amount
            record["stat"] = _STATS[card.status.stat]
            record["on_self"] = card.status.bearer == "self"
    return records


def _shifts(cards: NDArray[np.void]) -> NDArray[np.int64]:
    """What each set of statuses adds to each stat; gives each status card its bit."""
    statuses = np.flatnonzero(cards["deed"] == STATUS)
    shifts = np.zeros((1 << len(statuses), 4), np.int64)
    sets = np.arange(len(shifts))
    for i, kind in enumerate(statuses):
        cards[kind]["bit"] = 1 << i
        shifts[sets >> i & 1 == 1, cards[kind]["stat"]] += cards[kind]["amount"]
    return shifts


def _fill(chances: NDArray[np.float64], bits: int, row: NDArray[np.int64]) -> None:
    weights = np.zeros(len(chances), np.int64)
    integer_weights(np.ascontiguousarray(chances), weights)
    fill_alias(weights, np.arange(len(chances)), bits, row)

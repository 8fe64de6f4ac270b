"""From rules, build and encounter to a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.alias_tables import bits_for, fill_alias, integer_weights
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.kernel.gating import apply_rulings, gating_fields
from buildsearch.systems.vitality.kernel.outcomes import (
    exploding_sum,
    fill_codes,
    fill_grid,
    fill_outcomes,
    highest_of,
    most_damage,
)
from buildsearch.systems.vitality.kernel.plan import (
    AREA,
    FOE,
    LATER,
    PLAIN,
    RICH,
    SETUP,
    TRIGGERED,
    Plan,
)
from buildsearch.systems.vitality.kernel.profile import (
    Parts,
    accuracy_dice,
    channel_levels,
    flat_damage,
    kill_threshold,
    strike_record,
)
from buildsearch.systems.vitality.kernel.retaliation import retaliation_tables
from buildsearch.systems.vitality.rules.model import Stats, VitalityRules

_TARGET_RULES = {"first": 0, "lowest_hp": 1, "highest_hp": 2}
_EVERYBODY = 1 << 30
# Totals rarer than this cannot be told from the largest by 32 random bits.
_UNSEEN = 2.0**-33


def compile_plan(
    rules: VitalityRules,
    build: Build,
    attacker: Attacker,
    encounter: Encounter,
    *,
    keeps_basic: bool = False,
) -> Plan:
    """Compile a build of one attack.

    `keeps_basic`: it is one of several, and the tables of the basic attack are needed also where greedy play
    never falls back on it.
    """
    ground = lay_ground(rules, build, attacker, encounter, beside=keeps_basic)
    rows, setup = ground.rows, ground.setup
    foes = [foe for wave in encounter.waves for foe in wave]
    table = Tables(rules, attacker)
    if setup["leech"][0]:
        rows = table.in_full(rows)
    one_roll_for_many = bool(setup["area"][0]) or bool(setup["explosive"][0])
    strikes = table.strikes(rows, setup) if strikes_singly(setup[0]) else np.zeros((1, 1), np.int64)
    if one_roll_for_many:
        grid, naturals, totals = table.grids(rows, setup, ground.basic, ground.special)
    else:
        grid, naturals, totals = np.zeros((1, 1, 1), np.uint16), *np.zeros((2, 2, 1), np.int64)
    if setup["ungated"][0] and not keeps_basic:
        # Nobody ever falls back on the basic attack: whose it would be must not matter.
        strikes[: len(ground.classes)] = 0
        grid[: len(ground.classes)] = 0
        naturals[0] = totals[0] = 0
    retaliation, retaliation_class = retaliation_tables(rules, attacker, foes, setup)
    setup["kind"] = kinds_of(setup)
    return Plan(
        setup=setup,
        foes=ground.foe_records(encounter, retaliation_class),
        strikes=strikes,
        grid=grid,
        naturals=np.ascontiguousarray(naturals),
        totals=np.ascontiguousarray(totals),
        retaliation=retaliation,
    )


@dataclass(frozen=True)
class Ground:
    """What every engine starts from: a strike record for each row of tables, and the numbers of the fight.

    `setup` has the fields that do not depend on how tables are stored; those the engine fills itself.
    """

    special: Parts
    basic: Parts
    classes: list[tuple[int, Stats]]
    rows: list[tuple[Parts, np.void]]
    setup: NDArray[np.void]

    def foe_records(self, encounter: Encounter, retaliation_class: list[int]) -> NDArray[np.void]:
        return _foe_records(encounter, self.classes, self.special, retaliation_class)


def lay_ground(
    rules: VitalityRules,
    build: Build,
    attacker: Attacker,
    encounter: Encounter,
    *,
    beside: bool = False,
) -> Ground:
    """The part of compiling that all engines share; `beside`: of an attack that is one of several."""
    (attack,) = build.attacks
    special, basic = Parts.of(rules, attack), Parts.of(rules, Attack(attack.type, effect=attack.effect))
    foes = [foe for wave in encounter.waves for foe in wave]
    classes = list(dict.fromkeys((foe.max_hp, foe.stats) for foe in foes))
    samples = [next(foe for foe in foes if (foe.max_hp, foe.stats) == key) for key in classes]
    levels = channel_levels(special, attacker, encounter.max_turns)
    adjacent = encounter.adjacent
    plain = {"accuracy": 0, "damage": 0, "condition": 0}
    rows = [(basic, strike_record(basic, attacker, foe, plain, adjacent=adjacent)) for foe in samples]
    rows += [
        (special, strike_record(special, attacker, foe, gain, adjacent=adjacent))
        for gain in levels
        for foe in samples
    ]

    setup = np.zeros(1, SETUP)
    for name, value in (
        _fight_fields(rules, attacker, encounter)
        | strike_fields(special, attacker, encounter)
        | gating_fields(special, attacker.tier, encounter)
    ).items():
        setup[name] = value
    setup["classes"] = len(classes)
    setup["levels"] = len(levels)
    apply_rulings(setup, rules.rulings, beside=beside)
    return Ground(special, basic, classes, rows, setup)


def row_chances(
    rules: VitalityRules, attacker: Attacker, rows: list[tuple[Parts, np.void]]
) -> NDArray[np.float64]:
    """The chance of each outcome of a strike, row by row, in the order of `fill_outcomes`."""
    table = Tables(rules, attacker)
    chances = np.zeros((len(rows), 2 * max(int(record["max_hp"]) for _, record in rows) + 3))
    for row, (parts, record) in enumerate(rows):
        found, _ = strike_distribution(parts, record, table)
        chances[row, : len(found)] = found
    return chances


def strikes_singly(setup: np.void) -> bool:
    """Whether some strike goes at one enemy: Ricochet's and Splinter's do also when an area sets them off."""
    return not setup["area"] or bool(setup["ricochet"] or setup["splinter_limit"])


def kinds_of(setups: NDArray[np.void]) -> NDArray[np.int64]:
    """Which of the compiled kernels plays each of these."""

    def has_any(*names: str) -> NDArray[np.bool_]:
        return np.asarray(np.any([setups[name] != 0 for name in names], axis=0))

    area = setups["area"] != 0
    usual = (setups["one_strike"] != 0) & (setups["one_retaliation_class"] != 0)
    plain = usual & ~has_any("bleed_ticks", "target_rule")
    kinds = np.where(area, AREA, np.where(plain, PLAIN, TRIGGERED))
    rich = has_any(*LATER) | (area & has_any("double_tap", "ricochet", "explosive", "splinter_limit"))
    return np.where(rich, RICH, kinds)


def _fight_fields(rules: VitalityRules, attacker: Attacker, encounter: Encounter) -> dict[str, int]:
    rulings = rules.rulings
    largest_wave = max(len(wave) for wave in encounter.waves)
    return {
        "max_turns": encounter.max_turns,
        "waves": len(encounter.waves),
        "attacker_hp": attacker.hp,
        "defeat_is_loss": rulings.attacker_defeat == "loss",
        # Nothing to choose from: builds that differ only in how they would choose are one plan.
        "target_rule": _TARGET_RULES[rulings.target] if largest_wave > 1 else 0,
        "retaliation_cap": min(rulings.retaliation_cap, largest_wave),
    }


def strike_fields(parts: Parts, attacker: Attacker, encounter: Encounter) -> dict[str, int]:
    rulings = parts.rules.rulings
    attack = parts.attack
    others = max(len(wave) for wave in encounter.waves) - 1
    # An area that never catches a second enemy strikes like any other attack, and faster.
    is_area = parts.rules.attack_types[attack.type].area
    area = is_area and others > 0
    once = is_area and rulings.area_strikes == "once"
    auto_hit = parts.rules.attack_types[attack.type].auto_hit
    strikes = max((option.mechanics.strikes or 1 for option in parts.options), default=1)
    fields = {
        "condition": attack.effect == "condition",
        "area": area,
        "area_limit": encounter.area_targets.get(attack.shape or "", _EVERYBODY) if area else _EVERYBODY,
        "strikes": 1 if once else strikes,
        "chain": 0,
        "leech": 0,
        "vulnerable": 0,
        "extra_limit": 0,
        "extra_single": area and rulings.area_extra_attack == "single",
        "double_tap": 0,
        "ricochet": 0,
        "explosive": 0,
        "cluster": _EVERYBODY if encounter.cluster is None else encounter.cluster,
        "splinter_limit": 0,
        "triggered_feed": rulings.triggered_defeats == "splinter",
        "bleed_ticks": 0,
        "bleed_at_start": rulings.bleed_tick == "start",
        "bleed_replaces": rulings.bleed_overlap == "replace",
    }
    for option in parts.options:
        mechanics = option.mechanics
        if mechanics.extra_attack is not None:
            fields["extra_limit"] = mechanics.extra_attack.per_turn
        if mechanics.chain is not None and not once:
            fields["chain"] = mechanics.chain.strikes
        if mechanics.leech is not None and attack.effect == "damage":
            fields["leech"] = mechanics.leech.per
        if mechanics.vulnerable is not None and attack.effect == "damage":
            fields["vulnerable"] = mechanics.vulnerable
        # What needs a critical is nothing where no accuracy is rolled.
        if mechanics.double_tap and not auto_hit:
            fields["double_tap"] = 1
        if mechanics.bleed and attack.effect == "damage":
            fields["bleed_ticks"] = rulings.bleed_ticks
        # What needs another enemy is nothing where there is never one.
        if mechanics.ricochet is not None and others > 0 and not auto_hit:
            fields["ricochet"] = mechanics.ricochet.targets
        if mechanics.explosive_critical and others > 0 and fields["cluster"] > 0 and not auto_hit:
            fields["explosive"] = 1
        if mechanics.splinter is not None and others > 0:
            fields["splinter_limit"] = mechanics.splinter.limit_at(attacker.tier)
    return _canonical(fields)


def _canonical(fields: dict[str, Any]) -> dict[str, int]:
    """Settings that nothing in the build reads are set to one value, so that equal play is equal content."""
    if not fields["explosive"]:
        fields["cluster"] = _EVERYBODY
    if not fields["splinter_limit"]:
        fields["triggered_feed"] = 0
    if not fields["extra_limit"]:
        fields["extra_single"] = 0
    if not fields["bleed_ticks"]:
        fields["bleed_at_start"] = fields["bleed_replaces"] = 0
    triggers = ("chain", "extra_limit", "double_tap", "ricochet", "explosive", "splinter_limit")
    fields["one_strike"] = fields["strikes"] == 1 and not any(fields[name] for name in triggers)
    return {name: int(value) for name, value in fields.items()}


def _foe_records(
    encounter: Encounter, classes: list[Any], parts: Parts, retaliation_class: list[int]
) -> NDArray[np.void]:
    records = np.zeros(len(retaliation_class), FOE)
    is_condition = parts.attack.effect == "condition"
    i = 0
    for wave in encounter.waves:
        end = i + len(wave)
        for foe in wave:
            records[i]["max_hp"] = foe.max_hp
            records[i]["strike_class"] = classes.index((foe.max_hp, foe.stats))
            records[i]["kill_at"] = 0 if is_condition else kill_threshold(parts.options, foe.max_hp)
            records[i]["retaliation_class"] = retaliation_class[i]
            records[i]["wave_end"] = end
            i += 1
    return records


class Tables:
    """Builds the tables of one plan; keeps what several rows share."""

    def __init__(self, rules: VitalityRules, attacker: Attacker) -> None:
        self.rules = rules
        self.attacker = attacker

    def effect_dice(self, parts: Parts) -> tuple[NDArray[np.float64], int]:
        """The chances of the effect dice's totals, and the first total."""
        rolls = self.rules.rolls
        if parts.attack.effect == "condition":
            return highest_of(rolls.condition.sides, 1), 1
        flat = flat_damage(parts, self.attacker)
        if flat is not None:
            return np.ones(1), flat
        ranges = [o.mechanics.explode_on for o in parts.options if o.mechanics.explode_on is not None]
        dice = rolls.damage
        return exploding_sum(dice.count, dice.sides, min([dice.explode_on, *ranges])), 0

    def natural_dice(self, parts: Parts) -> NDArray[np.float64]:
        if self.rules.attack_types[parts.attack.type].auto_hit:
            return np.ones(1)
        return highest_of(self.rules.rolls.accuracy.sides, accuracy_dice(parts))

    def in_full(self, rows: list[tuple[Parts, np.void]]) -> list[tuple[Parts, np.void]]:
        """The rows with damage counted beyond the enemy's HP, for what is worked out from all of it."""
        counted = []
        for parts, record in rows:
            chances, first = self.effect_dice(parts)
            full = record.copy()
            most = most_damage(record, len(self.natural_dice(parts)), first + len(chances) - 1)
            full["max_hp"] = max(most, 1)
            counted.append((parts, full))
        return counted

    def strikes(self, rows: list[tuple[Parts, np.void]], setup: NDArray[np.void]) -> NDArray[np.int64]:
        most_hp = max(int(record["max_hp"]) for _, record in rows)
        bits = strike_bits(most_hp)
        setup["strike_bits"] = bits
        tables = np.zeros((len(rows), 1 << bits), np.int64)
        for row, (parts, record) in enumerate(rows):
            probabilities, codes = strike_distribution(parts, record, self)
            _fill_alias(probabilities, codes, bits, tables[row])
        return tables

    def grids(
        self, rows: list[tuple[Parts, np.void]], setup: NDArray[np.void], basic: Parts, special: Parts
    ) -> tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.int64]]:
        """Outcomes by (row, total, natural), and alias tables of naturals and totals: basic, special."""
        naturals = [self.natural_dice(parts) for parts in (basic, special)]
        totals = [seen(*self.effect_dice(parts)) for parts in (basic, special)]
        natural_bits = bits_for(max(map(len, naturals)))
        total_bits = bits_for(max(len(chances) for chances, _ in totals))
        setup["natural_bits"], setup["total_bits"] = natural_bits, total_bits
        setup["rolls_natural"] = max(map(len, naturals)) > 1
        setup["rolls_total"] = (
            special.attack.effect == "damage" and max(len(chances) for chances, _ in totals) > 1
        )
        grid = np.zeros((len(rows), 1 << total_bits, 1 << natural_bits), np.uint16)
        for row, (parts, record) in enumerate(rows):
            which = int(parts is special)
            chances, first = totals[which]
            fill_grid(record, first, grid[row, : len(chances), : len(naturals[which])])
        return (
            grid,
            np.array([alias_row(chances, natural_bits) for chances in naturals]),
            np.array([alias_row(chances, total_bits) for chances, _ in totals]),
        )


def strike_bits(most_hp: int) -> int:
    """How many bits choose among the outcomes of strikes that do so much damage at most."""
    return bits_for(2 * most_hp + 3)


def strike_distribution(
    parts: Parts, record: np.void, tables: Tables
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The chance of each outcome of a strike, and its code."""
    chances, first = tables.effect_dice(parts)
    size = 2 * int(record["max_hp"]) + 3
    probabilities, codes = np.zeros(size), np.zeros(size, np.int64)
    # Copies: what cannot be written is of another kind to numba, and compiled for.
    fill_outcomes(record, np.array(tables.natural_dice(parts)), np.array(chances), first, probabilities)
    fill_codes(int(record["max_hp"]), codes)
    return probabilities, codes


def seen(chances: NDArray[np.float64], first: int) -> tuple[NDArray[np.float64], int]:
    """The same distribution without the far tail, which is counted as the largest total kept."""
    tail = np.cumsum(chances[::-1])[::-1]
    last = int(np.flatnonzero(tail >= _UNSEEN)[-1])
    kept = chances[: last + 1].copy()
    kept[last] += chances[last + 1 :].sum()
    start = int(np.flatnonzero(kept)[0])
    return kept[start:], first + start


def alias_row(chances: NDArray[np.float64], bits: int) -> NDArray[np.int64]:
    """The alias table of places in a list."""
    row = np.zeros(1 << bits, np.int64)
    _fill_alias(chances, np.arange(len(chances)), bits, row)
    return row


def _fill_alias(
    chances: NDArray[np.float64], codes: NDArray[np.int64], bits: int, row: NDArray[np.int64]
) -> None:
    weights = np.zeros(len(chances), np.int64)
    integer_weights(np.array(chances), weights)  # a copy: of what may be written numba compiles one kind
    fill_alias(weights, codes, bits, row)

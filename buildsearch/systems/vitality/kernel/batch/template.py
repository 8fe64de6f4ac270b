"""A fight of one type of attack before options are written into it: what all builds of a batch share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.kernel.compiling import (
    Ground,
    Tables,
    compile_plan,
    lay_ground,
    strike_bits,
)
from buildsearch.systems.vitality.kernel.plan import Plan
from buildsearch.systems.vitality.kernel.profile import STRIKE, Parts, strike_record
from buildsearch.systems.vitality.kernel.retaliation import retaliation_tables
from buildsearch.systems.vitality.rules.model import Effect, VitalityRules

_PLAIN = {"accuracy": 0, "damage": 0, "condition": 0}


@dataclass(frozen=True, eq=False)
class Striker:
    """A type of attack by one attacker in one encounter."""

    rules: VitalityRules
    attacker: Attacker
    encounter: Encounter
    attack_type: str
    effect: Effect

    @cached_property
    def names(self) -> list[str]:
        """The options in the order of bits."""
        return list(self.rules.enhancements)

    @property
    def roll(self) -> str:
        """What the effect roll is called."""
        return "condition" if self.effect == "condition" else "damage"

    def parts(self, *names: str) -> Parts:
        """The parts of an attack with these options."""
        return Parts.of(self.rules, Attack(self.attack_type, names, self.effect))

    def strike(self, parts: Parts, foe: Foe) -> np.void:
        """The record of a strike before any channelling."""
        return strike_record(parts, self.attacker, foe, _PLAIN, adjacent=self.encounter.adjacent)


@dataclass(frozen=True, eq=False)
class Template(Striker):
    """What all builds of a batch share; `plain` is the attack without options."""

    shape: str | None

    @cached_property
    def plain(self) -> Plan:
        return compile_plan(self.rules, self._build, self.attacker, self.encounter)

    @cached_property
    def ground(self) -> Ground:
        """What the plan of the attack without options is made from."""
        return lay_ground(self.rules, self._build, self.attacker, self.encounter)

    @cached_property
    def tables(self) -> Tables:
        return Tables(self.rules, self.attacker)

    @property
    def classes(self) -> int:
        return len(self.ground.classes)

    @cached_property
    def samples(self) -> list[Foe]:
        return [Foe("", max_hp, stats) for max_hp, stats in self.ground.classes]

    @cached_property
    def basic(self) -> NDArray[np.void]:
        """The strike record of the attack without options, by class."""
        return np.array([self.strike(self.parts(), foe) for foe in self.samples], STRIKE)

    @property
    def strike_bits(self) -> int:
        """The size of tables of strikes where damage counts up to the HP of enemies."""
        return strike_bits(max(foe.max_hp for foe in self.samples))

    @cached_property
    def most_of_basic(self) -> int:
        """The most that a basic attack does to anybody."""
        parts = self.parts()
        rows = self.tables.in_full([(parts, self.strike(parts, foe)) for foe in self.samples])
        return max(int(record["max_hp"]) for _, record in rows)

    @cached_property
    def retaliation_in_full(self) -> tuple[NDArray[np.int64], int]:
        """What enemies do to somebody who leeches, and the bits that choose among it."""
        setup = self.plain.setup.copy()
        setup["leech"] = 1
        foes = [foe for wave in self.encounter.waves for foe in wave]
        tables, _ = retaliation_tables(self.rules, self.attacker, foes, setup)
        return tables, int(setup["retaliation_bits"][0])

    @property
    def _build(self) -> Build:
        return Build((Attack(self.attack_type, (), self.effect, self.shape),))

    def parts(self, *names: str) -> Parts:
        return Parts.of(self.rules, Attack(self.attack_type, names, self.effect, self.shape))

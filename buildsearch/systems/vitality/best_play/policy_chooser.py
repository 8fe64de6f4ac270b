"""Policies in the hands of the reference: what to do in a battle that is under way."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.optimum import Optimum
from buildsearch.systems.vitality.best_play.playthrough import best_policy
from buildsearch.systems.vitality.exact.fields import field_of
from buildsearch.systems.vitality.mechanics.actions import ATTACK, BASIC, CHARGE, WAIT
from buildsearch.systems.vitality.reference.battle import Battle, Choice
from buildsearch.systems.vitality.reference.events import ActionKind

_KINDS: dict[int, ActionKind] = {WAIT: "wait", BASIC: "basic", CHARGE: "charge", ATTACK: "attack"}


class BestPolicy:
    """Best play as a chooser for `reference.fight`."""

    def __init__(self, optimum: Optimum) -> None:
        self.optimum = optimum
        self._numbers = {tuple(row): i for i, row in enumerate(optimum.graph.values.tolist())}
        order = optimum.loadout.grounds[0].order
        self._place_of = {foe: place for place, foe in enumerate(order)}

    @cached_property
    def table(self) -> NDArray[np.int32]:
        """The choice by field, state, event and HP of the attacker."""
        found = self.optimum
        return best_policy(found.graph, found.tables, found.places, found.loadout.classes, found.values)

    def __call__(self, battle: Battle) -> Choice:
        """The best choice now."""
        optimum, loadout = self.optimum, self.optimum.loadout
        number = self.table[self._field(battle), self._state(battle), self._event(battle), self._hp(battle)]
        choice = optimum.graph.choices[number]
        kind, which = int(choice["kind"]), int(choice["which"])
        attack: int | None = None if kind == WAIT else which
        if kind == BASIC:
            attack = loadout.basics[which]
        return Choice(_KINDS[kind], attack, "fewest turns on average")

    def _field(self, battle: Battle) -> int:
        target = battle.chosen_target()
        place = self.optimum.places[self._place_of[target.index]]
        bleed = target.bleeding
        damage, left = (0, 0) if bleed is None else (bleed.damage, bleed.ticks_left)
        return int(field_of(int(place["base"]), self.optimum.loadout.ticks, target.hp, damage, left))

    def _state(self, battle: Battle) -> int:
        """The state of the counters, as `counter_graph` writes it down."""
        limits, values = self.optimum.loadout.limits, self.optimum.graph.values
        tops = values.max(axis=0)
        previous, target = battle.previous, battle.chosen_target()
        shared = (
            battle.turn - 1,
            previous.made_attack,
            previous.dealt_damage,
            previous.defeated_enemy,
            target.last_hit == battle.turn - 1,
        )
        row = [min(int(value), int(top)) for value, top in zip(shared, tops, strict=False)]
        for memory, limit in zip(battle.memories, limits, strict=True):
            uses = max(int(limit["uses"]) - memory.attempts, 0) if limit["uses"] > 0 else 0
            gone = (limit["uses"] > 0 and uses == 0) or row[0] + 1 > limit["last_turn"]
            ago = battle.turn - memory.last_attempt if memory.last_attempt is not None else 1 << 20
            rest = max(int(limit["cooldown"]) + 1 - ago, 0)
            channel = min(memory.channel, int(limit["levels"]) - 1)
            row += [uses, 0, 0, 0] if gone else [uses, memory.charge, rest, channel]
        return self._numbers[tuple(row)]

    def _event(self, battle: Battle) -> int:
        loadout, reprisal = self.optimum.loadout, battle.reprisal
        if not reprisal.was_attacked:
            # Before the first turn and between waves; where nobody ever attacks back it makes no difference.
            return loadout.classes
        if reprisal.was_damaged:
            return int(loadout.class_of[2])
        return int(loadout.class_of[1 if reprisal.was_hit else 0])

    def _hp(self, battle: Battle) -> int:
        return max(battle.attacker_hp - self.optimum.loadout.floor, 0)

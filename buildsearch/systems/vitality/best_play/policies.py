"""Who decides in a fight: greedy play, best play where it can be worked out, else one turn of look-ahead.

Look-ahead takes the action whose attack removes the most HP on average for each turn that it takes: an
attack takes one, a charge the turns still owed and the attack, waiting for Passive one more. What an
attack removes is worked out strike by strike against the enemies that stand there, never more than they
have; triggered strikes count with the chance of their trigger. The kernel for loadouts plays the same;
this is its twin.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.optimum import Optimum, TooManyStatesError, solve_best_play
from buildsearch.systems.vitality.best_play.playthrough import best_policy
from buildsearch.systems.vitality.best_play.support import why_not_exact, why_not_known
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.exact.ground import ExactGround, exact_ground
from buildsearch.systems.vitality.exact.transitions import field_of
from buildsearch.systems.vitality.mechanics.limits import ATTACK, BASIC, CHARGE, WAIT
from buildsearch.systems.vitality.reference.battle import Battle, Choice
from buildsearch.systems.vitality.reference.events import ActionKind
from buildsearch.systems.vitality.reference.greedy import failing
from buildsearch.systems.vitality.reference.limits import Kind
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.sampled_fights import Policy

_REASON = "most HP a turn"
# Rates that differ by no more are equal, and the first counts: rounding must not decide.
_TIE = 1e-12


class LookaheadPolicy:
    """A chooser for `reference.fight`."""

    def __init__(self, rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter) -> None:
        self._attacks = [_Strength(rules, attack, attacker, encounter) for attack in build.attacks]

    def __call__(self, battle: Battle) -> Choice:
        """The best rate; of equals the first attack, then the first basic one."""
        best, choice = -1.0, Choice("wait", None, _REASON)
        for attack, strength in enumerate(self._attacks):
            lacking, memory = failing(battle, attack), battle.memories[attack]
            owed = max(strength.charge - memory.charge, 0)
            removed = strength.removed(battle, memory.channel, basic=False)
            if not lacking:
                rate, found = removed, Choice("attack", attack, _REASON)
            elif lacking == {Kind.CHARGE}:
                rate, found = removed / (owed + 1), Choice("charge", attack, _REASON)
            elif lacking - {Kind.CHARGE} == {Kind.PASSIVE}:
                rate, found = removed / (owed + 2), Choice("wait", None, _REASON)
            else:
                continue
            if rate > best * (1 + _TIE):
                best, choice = rate, found
        for attack, strength in enumerate(self._attacks):
            removed = strength.removed(battle, 0, basic=True)
            if removed > best * (1 + _TIE):
                best, choice = removed, Choice("basic", attack, _REASON)
        return choice


class _Strength:
    """What one attack of the loadout, or the basic attack of its type, removes."""

    def __init__(
        self, rules: VitalityRules, attack: Attack, attacker: Attacker, encounter: Encounter
    ) -> None:
        self._ground: ExactGround = exact_ground(rules, Build((attack,)), attacker, encounter)
        setup = self._ground.setup
        self.charge = int(setup["charge"])
        self._area = bool(rules.attack_types[attack.type].area)
        shape = attack.shape or next(iter(rules.attack_types[attack.type].shapes), "")
        self._caught = encounter.area_targets.get(shape)
        # By number of the foe in the encounter.
        foes = self._ground.foes[np.argsort(self._ground.order)]
        self._class = foes["strike_class"].tolist()
        self._kill_at = foes["kill_at"].tolist()
        self._strike = lru_cache(maxsize=4096)(self._work_out)

    def removed(self, battle: Battle, channel: int, *, basic: bool) -> float:
        """Mean HP that one attempt takes from the enemies that stand there."""
        setup = self._ground.setup
        level = min(channel, int(setup["levels"]) - 1)
        aimed = battle.living[: self._caught] if self._area else [battle.chosen_target()]
        total = 0.0
        for enemy in aimed:
            one, harm, critical = self._strike(enemy.index, enemy.hp, -1 if basic else level)
            if basic:
                total += one
                continue
            strikes = float(setup["strikes"])
            strikes += strikes * critical * bool(setup["double_tap"])
            strikes += (1 - (1 - harm) ** int(setup["strikes"])) * int(setup["extra_limit"])
            total += min(strikes * one * (1 + int(setup["bleed_ticks"]) / 2), enemy.hp)
            others = [other for other in battle.living if other is not enemy]
            reached = int(setup["cluster"]) if setup["explosive"] else int(setup["ricochet"])
            for other in others[: max(reached, 0)]:
                total += critical * int(setup["strikes"]) * self._strike(other.index, other.hp, level)[0]
        return total if basic else total * self._ground.activation

    def _work_out(self, foe: int, hp: int, level: int) -> tuple[float, float, float]:
        """Mean HP that one strike takes, the chance that it does damage, and that it is a critical."""
        setup = self._ground.setup
        row = self._class[foe] + int(setup["classes"]) * (level + 1)
        max_hp = int(self._ground.foes[self._ground.order.index(foe)]["max_hp"])
        chances = self._ground.chances[row]
        plain, critical = chances[1 : max_hp + 2], chances[max_hp + 2 : 2 * max_hp + 3]
        damage = np.arange(max_hp + 1)
        kill_at = 0 if level < 0 else self._kill_at[foe]
        taken = np.where((damage > 0) & (hp - damage <= kill_at), hp, damage)
        both = plain + critical
        return float(both @ taken), float(both[1:].sum()), float(critical.sum())


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


def why_not_played(rules: VitalityRules, build: Build, bout: Bout) -> str | None:
    """Why nobody can decide in the way that is asked for."""
    return None if bout.play == "greedy" else why_not_known(rules, build)


def policy_of(rules: VitalityRules, build: Build, bout: Bout) -> Policy | None:
    """The policy for the reference; None is greedy play."""
    if bout.play == "greedy":
        return None
    if why_not_exact(rules, build, bout.attacker, bout.encounter) is None:
        try:
            return BestPolicy(solve_best_play(rules, build, bout.attacker, bout.encounter))
        except TooManyStatesError:
            pass
    return LookaheadPolicy(rules, build, bout.attacker, bout.encounter)

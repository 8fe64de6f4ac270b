"""One turn of look-ahead, where best play cannot be worked out: areas, and strikes that jump.

Each turn the action whose attack removes the most HP on average for each turn that it takes: an attack takes
one, a charge the turns still owed and the attack, waiting for Passive one more. What an attack removes is
worked out strike by strike against the enemies that stand there, never more than they have; triggered
strikes count with the chance of their trigger. The kernel for loadouts plays the same; this is its twin.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.exact.ground import ExactGround, exact_ground
from buildsearch.systems.vitality.reference.battle import Battle, Choice
from buildsearch.systems.vitality.reference.greedy import failing
from buildsearch.systems.vitality.reference.limits import Kind
from buildsearch.systems.vitality.rules.model import VitalityRules

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

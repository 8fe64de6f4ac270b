"""A reference fight of a loadout as random words, each turn as the chosen attack draws them."""

from __future__ import annotations

from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.kernel.compiling import Tables, compile_plan, seen
from buildsearch.systems.vitality.kernel.profile import Parts
from buildsearch.systems.vitality.mechanics.limits import ATTACK, BASIC, CHARGE, WAIT
from buildsearch.systems.vitality.reference.events import ActionChosen
from tests.systems.vitality.kernel.scripting import Scripter, turns_of

KINDS = {"wait": WAIT, "basic": BASIC, "charge": CHARGE, "attack": ATTACK}


def first_totals(game, attack, attacker):
    """The totals that column 0 of the grids stands for: of the basic attack, and of the attack."""
    tables = Tables(game, attacker)
    plain = type(attack)(attack.type, effect=attack.effect)
    return [seen(*tables.effect_dice(Parts.of(game, each)))[1] for each in (plain, attack)]


def chosen(build, events):
    """What was done on each turn on which somebody chose: kind and attack."""
    basics = [_basic_label(attack) for attack in build.attacks]
    found = []
    for event in events:
        if isinstance(event, ActionChosen):
            attack = basics.index(event.label) if event.kind == "basic" else event.attack or 0
            found.append((KINDS[event.kind], attack))
    return found


def _basic_label(attack):
    shape = f"[{attack.shape}]" if attack.shape else ""
    return attack.type + shape + ("" if attack.effect == "damage" else f":{attack.effect}")


class LoadoutScripter(Scripter):
    """Takes the plan of the attack that a turn's action is about."""

    def __init__(self, game, build, attacker, encounter):
        plans = [
            compile_plan(game, Build((attack,)), attacker, encounter, keeps_basic=True)
            for attack in build.attacks
        ]
        self.attacks = []
        for plan, attack in zip(plans, build.attacks, strict=True):
            super().__init__(plan, first_totals(game, attack, attacker))
            self.attacks.append((self.plan, self.setup, self.first_totals))
        self.whole = next((each for each in self.attacks if each[1]["leech"]), self.attacks[0])
        matters = max(setup["hp_matters"] for _, setup, _ in self.attacks)
        self.whole = (self.whole[0], {**self.whole[1], "hp_matters": matters}, None)

    def script_of(self, build, events):
        """All words of the fight."""
        starts = iter(chosen(build, events))
        waiting = [isinstance(event, ActionChosen) for event in events]
        self.choices = []
        # A turn without a choice (nobody stands there) draws nothing that depends on an attack.
        for i, event in enumerate(events):
            if type(event).__name__ == "TurnStarted":
                self.choices.append(0)
            elif waiting[i]:
                self.choices[-1] = next(starts)[1]
        self.turn = 0
        return self.script(turns_of(events))

    def _turn(self, turn):
        self.plan, self.setup, self.first_totals = self.attacks[self.choices[self.turn]]
        self.turn += 1
        super()._turn(turn)

    def _retaliation(self, retaliations, place):
        self.plan, self.setup, _ = self.whole
        super()._retaliation(retaliations, place)

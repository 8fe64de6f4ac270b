"""A fight in words: what the statement tells, with its dice; states and actions of best play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from buildsearch.engines.dice import below
from buildsearch.engines.narration import rolled
from buildsearch.engines.plain import plain
from buildsearch.engines.stated_game import Story
from buildsearch.engines.told import Teller
from buildsearch.model.text import count
from buildsearch.systems.animon import attacks as stated
from buildsearch.systems.animon.bouts.bout import OURS, Bout, Combatant, combatants
from buildsearch.systems.animon.builds.build import Build
from buildsearch.systems.animon.builds.grammar import name_signature
from buildsearch.systems.animon.rules.model import ELEMENTS, STAGES, AnimonRules

_CAUSES = ("damage", "splash", "poison")
_CONDITIONS = {
    stated.STUNNING_STRIKE: "stunned",
    stated.MISDIRECT: "disoriented",
    stated.SAP: "weakened",
    stated.BLOCK_BREAK: "vulnerable",
    stated.POISON_STRIKE: "poisoned",
}
_STATES = ("defending", "vulnerable", "disoriented", "weakened", "boosted", "stunned", "incapacitated")


@stated.throw.by(Teller)
def _(dice: Any, number: int, sides: int, needed: int) -> tuple[int, int]:
    faces = tuple(int(below(dice, sides)) + 1 for _ in range(number))
    hits = sum(face >= needed for face in faces)
    if dice.listener is not None:
        dice.listener.thrown.append((faces, hits))
    return hits, faces.count(sides)


def body_words(unit: Combatant, body: Any) -> str:
    """Somebody as it stands."""
    if body.hp == 0:
        return f"{unit.name} down"
    form = unit.forms[int(body.form)]
    words = [
        f"{unit.name} {body.hp}/{form.hp} HP",
        STAGES[body.form] if body.form < unit.top else "",
        *(name for name in _STATES if getattr(body, name)),
        f"poisoned {body.poison - 1}" if body.poison else "",
        f"{max(0, form.uses - body.spent)} uses" if unit.attacks else "",
        f"{body.bond} bond points" if body.bond else "",
    ]
    return ", ".join(word for word in words if word)


def state_words(units: Sequence[Combatant], c: Any) -> str:
    """Everybody who stands."""
    return "; ".join(body_words(unit, body) for unit, body in zip(units, c, strict=True) if body.hp > 0)


def deed_words(units: Sequence[Combatant], action: int) -> tuple[str, Mapping[str, float]]:
    """What an action of the build is, and what is counted of it."""
    kind, attack, _, it, uses, bought, die = plain(stated.parts)(action)
    if kind == stated.EVOLVE:
        return f"evolve to {STAGES[uses]}", {"evolve": 1}
    if kind != stated.STRIKE:
        word = {stated.DEFEND: "defend", stated.PASS: "pass"}.get(kind, "do nothing")
        return word, {word: 1}
    signature = units[0].attacks[attack - 1].signature if attack else None
    name = name_signature(signature) if signature else "attack"
    target = f" at {units[it].name}" if sum(unit.side != OURS for unit in units) > 1 else ""
    more = f" with {uses} uses" if uses > 1 else ""
    more += (", buying a use" if bought else "") + (", buying a die" if die else "")
    word = "+".join(signature.effects) if signature else "attack"
    return f"{name}{target}{more}", {word: 1, "die bought": die, "use bought": bought}


class AnimonStory(Story):
    """Slot by slot."""

    def __init__(self, rules: AnimonRules, bout: Bout, build: Build) -> None:
        super().__init__()
        self.units, self.rounds = combatants(rules, bout, build), bout.max_rounds
        self.round, self.place = 0, 0
        self.thrown: list[
            tuple[tuple[int, ...], int]
        ] = []  # dice and their successes, since something was told

    def ends(self, outcome: str, rounds: int, left: int) -> None:
        """The last line."""
        result = {"outcome": outcome, "rounds": rounds, "hp_left": left, "gauge": int(self.gained)}
        said = f"Fight {outcome} after {count(rounds, 'round')} — {left} HP left"
        self.tell("fight_ended", f"{said}, critical gauge {result['gauge']}", result=result)

    def hears(self, kind: int, a: int, b: int, c: int) -> None:
        """What a rule tells; a slot that time leaves no room for is none."""
        if kind == stated.SLOT:
            self.round += self.t.place <= self.place
            self.place = self.t.place
        if self.round > self.rounds:
            return
        if kind == stated.ORDER:
            self._order(a)
        elif kind == stated.SLOT:
            standing = [self._words(i) for i in range(len(self.c)) if self.c[i].hp > 0]
            line = f"Round {self.round} — {self.units[a].name} — {'; '.join(standing)}"
            self.tell("slot_started", line, round=self.round, who=self.units[a].name, standing=standing)
        elif kind == stated.BREATHED:
            standing = [self._words(i) for i, unit in enumerate(self.units) if unit.side == OURS]
            self.tell("breathed", f"All catch their breath — {'; '.join(standing)}", standing=standing)
        else:
            self._happened(kind, self.units[a].name, a, b, c)
        if kind != stated.HARMED:  # the dice of who devolves are told after it
            self.thrown.clear()

    def _words(self, i: int) -> str:
        return body_words(self.units[i], self.c[i])

    def _order(self, wave: int) -> None:
        slots = [int(self.c[slot].acts) for slot in range(self.t.slots)]
        shown = dict(zip(sorted(slots), (hits for _, hits in self.thrown), strict=False))
        order = [(self.units[i].name, shown.get(i, 0)) for i in slots]
        said = ", ".join(f"{name} ({number})" for name, number in order)
        self.tell("order_set", f"Wave {wave + 1}, order by initiative: {said}", wave=wave + 1, order=order)
        self.place = len(self.c)

    def _happened(self, kind: int, who: str, a: int, b: int, c: int) -> None:
        after = self._words(a)
        if kind == stated.WAITED:
            why = "stunned" if b else "incapacitated"
            self.tell("missed", f"  {why}, does nothing", who=who, why=why)
        elif kind == stated.EVOLVED:
            price = f" for {count(c, 'bond point')}" if c else ""
            said = f"  evolves to {STAGES[b]}{price} -> {after}"
            self.tell("evolved", said, who=who, stage=STAGES[b], cost=c, after=after)
        elif kind == stated.STRUCK:
            self._struck(who, a, b, c)
        elif kind == stated.HARMED:
            cause, is_down = _CAUSES[c], self.c[a].hp == 0
            said = f"    {b} {cause} -> {after}{', defeated' if is_down else ''}"
            self.tell("harmed", said, who=who, cause=cause, damage=b, after=after, defeated=is_down)
        elif kind == stated.FOUGHT_ON:
            self.tell(
                "fought_on",
                f"    {who} fights on for {self.g.fight_on} bond points",
                who=who,
                cost=self.g.fight_on,
            )
        elif kind == stated.DEVOLVED:
            dice, stage = self.thrown[-1][0], STAGES[self.c[a].form]
            said = f"    {who} devolves to {stage} (heart {rolled(dice, ',')})"
            self.tell("devolved", said, who=who, dice=dice, stage=stage)
        elif kind == stated.CAUSED:
            for condition in (word for bit, word in _CONDITIONS.items() if b & bit):
                self.tell("caused", f"    {who} is {condition}", who=who, condition=condition)
        elif kind == stated.DRAINED:
            self.tell("drained", f"    {who} regains {b} HP", who=who, hp=b)
        elif kind == stated.BOOSTED:
            to = [unit.name for i, unit in enumerate(self.units) if c >> i & 1]
            said = f"  power_transfer: {', '.join(to) or 'nobody'} boosted"
            self.tell("transferred", said, who=who, place=b - 1, to=to)
        elif kind == stated.DEFENDED:
            self.tell("defended", "  defends", who=who)

    def _struck(self, who: str, me: int, action: int, margin: int) -> None:
        _, attack, choice, it, uses, bought, die = plain(stated.parts)(action)
        row = plain(stated.attack_of)(me, attack)
        bits = plain(stated.targets_of)(self.c, self.g, me, self.g.attack[row].effects, it, uses)
        others = [i for i in range(len(self.c)) if bits >> i & 1 and i != it]
        target = ", ".join(self.units[i].name for i in (it, *others))
        name = "attack"
        if attack:
            effects = self.units[me].attacks[attack - 1].signature.effects
            name = f"{'+'.join(effects)} ({ELEMENTS[self.g.element[row, choice]]})"
        (dice, _), (dodge, _) = self.thrown[-2:]
        said = [f"{uses} uses"] if uses > 1 else []
        said += (["a use bought"] if bought else []) + (["a die bought"] if die else [])
        outcome = f"hit by {margin}" if margin else "miss"
        more = "".join(f", {each}" for each in said)
        line = f"  {name} at {target}{more}: {rolled(dice, ',')} vs {rolled(dodge, ',')} dodge: {outcome}"
        fields = {"who": who, "target": target, "place": attack - 1 if attack else None, "attack": name}
        fields |= {"uses": uses, "bought_use": bool(bought), "bought_die": bool(die)}
        self.tell("attacked", line, **fields, dice=dice, dodge_dice=dodge, margin=margin)

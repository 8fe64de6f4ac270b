"""A fight in words: what the statement tells, and the dice behind it; states and actions of best play."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from buildsearch.engines.dice import chance
from buildsearch.engines.narration import rolled
from buildsearch.engines.plain import plain
from buildsearch.engines.stated_game import Story
from buildsearch.engines.told import Teller
from buildsearch.model.text import count
from buildsearch.systems.dungeoneers import statement as stated
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.rolls import SIDES
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DungeoneersRules
from buildsearch.systems.dungeoneers.statement import ATTACK, CAST, DEFEND

Dice = tuple[int, int]  # how many, and their sides


@stated.attempt.by(Teller)
def _(dice: Any, p: float, me: int, it: int, spell: int, number: int) -> bool:
    took_effect = bool(chance(dice, p))
    if dice.listener is not None:
        dice.listener.rolls(me, it, spell, number, took_effect, int(dice.stream[0]))
    return took_effect


def names_of(bout: Bout) -> list[str]:
    """Foes are told apart by their number."""
    return ["hero", *(f"{each.name} #{number}" for number, each in enumerate(bout.foes, 1))]


def body_words(name: str, body: Any, who: Any, between: str = ", ") -> str:
    """Somebody as it stands."""
    if body.wounds > who.most:
        return f"{name} dead"
    stress = f"{body.stress}/{who.endurance} stress{' over' if body.stress > who.endurance else ''}"
    magica = f", {body.magica} magica" if who.spells else ""
    states = f"{', armored' if body.armor else ''}{', defending' if body.defending else ''}"
    return f"{name} {body.wounds}/{who.most} wounds{between}{stress}{magica}{states}"


def deed_words(rules: DungeoneersRules, bout: Bout, action: int) -> tuple[str, Mapping[str, float]]:
    """What an action is, and what is counted of it."""
    kind, it, j, number = plain(stated.parts)(action)
    if kind == ATTACK:
        bought = f", buying {number} stress" if number else ""
        return f"attack {names_of(bout)[it]}{bought}", {"attack": 1, "stress bought": number}
    if kind == CAST:
        at, extra = (
            f" at {names_of(bout)[it]}" if it else "",
            f" with {number} extra magica" if number else "",
        )
        return f"cast {list(rules.spells)[j]}{at}{extra}", {"cast": 1, "extra magica": number}
    return ("defend", {"defend": 1}) if kind == DEFEND else ("end the turn", {"end": 1})


class DungeoneersStory(Story):
    """`hero` is the sheet of the build, `source` has those of the foes."""

    def __init__(self, rules: DungeoneersRules, bout: Bout, hero: Any, source: Any) -> None:
        super().__init__()
        self.rules, self.bout, self.hero, self.source = rules, bout, hero, source
        self.names, self.spells = names_of(bout), list(rules.spells)
        self.round, self.place = 0, len(self.names)
        self.rolled: dict[str, Any] = {}

    def ends(self, outcome: str, rounds: int, left: int) -> None:
        """The last line."""
        said = f"Fight {outcome} after {count(rounds, 'round')} — {left} life left"
        self.tell("fight_ended", said, result={"outcome": outcome, "rounds": rounds, "life": left})

    def hears(self, kind: int, a: int, b: int, c: int) -> None:
        """What a rule tells; a turn that time leaves no room for is none."""
        if kind == stated.TURN:
            self.round += self.t.place <= self.place
            self.place = self.t.place
        if self.round > self.bout.numbers.rounds:
            return
        me = self.names[a]
        if kind == stated.ORDER:
            prowess = [int(self.hero.prowess), *(each.foe.prowess for each in self.bout.foes)]
            order = [(self.names[i], prowess[i]) for i in self.g.turn[self.t.order].tolist()]
            said = ", ".join(f"{name} ({number})" for name, number in order)
            self.tell("order_set", f"Order by prowess: {said}", order=order)
        elif kind == stated.TURN:
            living = [i for i in range(len(self.c)) if i == 0 or self.c[i].wounds <= self.g.who[i].most]
            standing = [self._words(i) for i in living]
            heading = f"Round {self.round} — {me} — {'; '.join(standing)}"
            self.tell("turn_started", heading, round=self.round, who=me, standing=standing)
        elif kind == stated.BROKE:
            self.tell("broke", f"  buys {b} stress and breaks: defeated", who=me, bought=b)
        elif kind in (stated.STRUCK, stated.CASTED):
            self._tried(me, b, self.spells[c] if kind == stated.CASTED else None, int(self.c[a].magica))
        elif kind == stated.ON_SELF:
            spell, magica, after = self.spells[b], int(self.c[a].magica), self._words(a)
            line = f"  casts {spell} -> {after}"
            self.tell("spell_on_self", line, who=me, spell=spell, magica=magica, after=after)
        elif kind == stated.DEFENDS:
            self.tell("defended", "  defends", who=me)
        else:
            self.tell("rested", "  does no more: nothing is worth its price", who=me)

    def rolls(self, me: int, it: int, spell: int, number: int, took_effect: bool, seed: int) -> None:
        """Dice that come to what was decided: rolled until they do, which is once in the mean."""
        source = random.Random(seed)  # noqa: S311 - dice, not secrets
        ours, theirs, second, against = self._dice(me, it, spell, number)
        hit, through = False, not took_effect
        while through != took_effect:
            own, other = _roll(source, [ours]), _roll(source, [theirs])
            hit = sum(own) >= sum(other)
            then = _roll(source, second) if hit else []
            through = hit and sum(then) >= against
        who = self.g.who
        wounds = plain(stated.effect)(self.c, self.g, it, who[me].harm, who[me].bonus + who[it].takes)
        self.rolled = {"own": own, "other": other, "hit": hit, "then": then, "against": against}
        self.rolled |= {"through": through, "wounds": wounds if through else 0, "number": number}

    def _dice(self, me: int, it: int, spell: int, number: int) -> tuple[Dice, Dice, list[Dice], int]:
        """Ours, theirs, then those that have to reach a number. Text, Making an Attack, Casting a Spell."""
        a, d = (self.hero if i == 0 else self.source.foes[i] for i in (me, it))
        theirs = int(d.prowess) + self.c[it].defending, SIDES[self.source.given[it].dodge]
        if spell < 0:
            pierce = [(int(a.power), SIDES[a.pierce])]
            if self.c[me].stress > self.g.who[me].endurance:
                pierce.append((1, int(self.rules.stress.pierce_die[1:])))
            av = int(d.av) + (self.source.armor if self.c[it].armor else 0)
            return (int(a.prowess) + number, SIDES[a.hit]), theirs, pierce, av
        s, bane = self.g.book[spell], int(a.bane) if self.source.counts_bane else 0
        if s.saves:
            theirs = int(getattr(d, ATTRIBUTES[s.against])), SIDES[s.die]
        ours = int(a.mind if s.saves else a.spell) - bane, SIDES[s.die]
        return ours, theirs, [(number + 1 - bane, SIDES[s.pierce])], int(d.sr)

    def _words(self, i: int) -> str:
        return body_words(self.names[i], self.c[i], self.g.who[i])

    def _tried(self, me: str, it: int, spell: str | None, magica: int) -> None:
        """An attack (no spell) or a spell at somebody."""
        dice, number, name = self.rolled, self.rolled["number"], self.names[it]
        if spell is None:
            event, own, other, against, through = "attacked", "hit_dice", "dodge_dice", "av", "pierced"
            doing, dodge = f"attacks {name}{f', {number} stress bought' if number else ''}", " dodge"
            said, wounds = {"bought": number}, {"wounds": dice["wounds"]}
            effect, failure = count(dice["wounds"], "wound"), "deflected"
        else:
            event, own, other, against, through = "spell_cast", "test_dice", "against_dice", "sr", "through"
            extra = f" with {number} extra magica" if number else ""
            doing, dodge = f"casts {spell} at {name}{extra} ({magica} magica left)", ""
            said, wounds = {"spell": spell, "extra": number, "magica": magica}, {}
            effect, failure = "takes effect", "resisted"
        after, is_dead = self._words(it), self.c[it].wounds > self.g.who[it].most
        versus = f"{rolled(dice['own'], '+')} vs {rolled(dice['other'], '+')}{dodge}"
        lines = [f"  {doing}: {versus}: {'hit' if dice['hit'] else 'miss'}"]
        if dice["hit"]:
            ends = f"{effect} -> {after}{', defeated' if is_dead else ''}" if dice["through"] else failure
            lines.append(f"    {rolled(dice['then'], '+')} vs {against.upper()} {dice['against']}: {ends}")
        fields = said | {
            own: dice["own"],
            other: dice["other"],
            "hit": dice["hit"],
            "pierce_dice": dice["then"],
        }
        fields |= {against: dice["against"], through: dice["through"], **wounds}
        self.tell(event, *lines, who=me, target=name, **fields, after=after, defeated=is_dead)


def _roll(source: random.Random, dice: list[Dice]) -> list[int]:
    return [source.randint(1, sides) for number, sides in dice for _ in range(number)]

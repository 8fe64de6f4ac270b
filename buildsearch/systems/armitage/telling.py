"""A fight in words: what the statement tells, and the dice behind it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from buildsearch.engines.dice import roll
from buildsearch.engines.narration import rolled
from buildsearch.engines.stated_game import Story
from buildsearch.engines.told import Teller
from buildsearch.model.text import count
from buildsearch.systems.armitage import statement as stated
from buildsearch.systems.armitage.bouts import Fighter
from buildsearch.systems.armitage.rules.model import ArmitageRules, Strike

_VALUES = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


@stated.rolled.by(Teller)
def _(dice: Any, table: Any, row: int, it: int, k: int) -> int:
    outcome = int(roll(dice, table, row))
    if dice.listener is not None:
        dice.listener.rolls(k, it, outcome, int(dice.stream[0]))
    return outcome


class ArmitageStory(Story):
    """`kinds` are the cards of the fight, in the order of the statement."""

    def __init__(
        self, rules: ArmitageRules, fighters: tuple[Fighter, ...], kinds: tuple[str, ...], turns: int
    ) -> None:
        super().__init__()
        self.rules, self.fighters, self.kinds, self.turns = rules, fighters, kinds, turns
        self.turn, self.round, self.place = 0, 0, len(fighters)
        self.rolled: dict[str, Any] = {}

    def opens(self, t: Any, c: Any, g: Any) -> None:
        """The records to look at."""
        self.t, self.c, self.g = t, c, g

    def ends(self, outcome: str, rounds: int, left: int) -> None:
        """The last line."""
        turns = min(self.turn, self.turns)
        result = {"value": _VALUES[outcome], "rounds": rounds, "turns": turns, "hp_left": left}
        said = f"Fight {outcome} after {count(rounds, 'round')} — {left} HP left"
        self.tell("fight_ended", said, result=result)

    def hears(self, kind: int, a: int, b: int, c: int) -> None:
        """What a rule tells; a turn that time leaves no room for is none."""
        if kind == stated.ORDER:
            return self._order()
        if kind == stated.TURN:
            self.turn += 1
            self.round += self.t.place <= self.place
            self.place = self.t.place
            if self.turn <= self.turns:
                self._turn(a, bool(b))
        elif kind == stated.STRUCK:
            self._struck(a, b, self.kinds[c])
        else:
            card, who = self.kinds[b], {"who": a, "who_name": self.fighters[a].name, "card": self.kinds[b]}
            if kind == stated.HEALED:
                dice, hp = self.rolled["dice"], int(self.c[a].hp)
                said = f"  {card}: {rolled(dice, '+')}, {c} recovered -> {hp} HP"
                self.tell("healed", said, **who, dice=dice, gained=c, hp_after=hp)
            elif kind == stated.RESOLVED:
                hits = int(self.c[a].hits)
                said = f"  {card}: hitCounter {hits + c} -> {hits}"
                self.tell("resolved", said, **who, lowered=c, hit_counter=hits)
            else:
                self._placed(card, who, *divmod(c, 2))
        return None

    def rolls(self, k: int, it: int, outcome: int, seed: int) -> None:
        """Dice that come to what was decided: rolled until they do, which is once in the mean."""
        source, dice, card = random.Random(seed), self.rules.dice, self.rules.cards[self.kinds[k]]  # noqa: S311
        if card.heal is not None:
            faces = self._roll(source, card.heal)
            while sum(faces) != outcome:
                faces = self._roll(source, card.heal)
            self.rolled = {"dice": faces}
            return
        strike = card.attack or Strike()
        score = self.g.score[it, self.c[it].active]
        eva, tuf = int(score[stated.EVA]), score[stated.TUF]
        res = int(score[stated.RES]) if self.c[it].hits < tuf else 0
        found = -1
        while found != outcome:
            faces, found = self._roll(source, dice.attack), 0
            harm: tuple[int, ...] = ()
            alike = max(Counter(faces).values())
            crits = self.rules.criticals
            kinds = {1: ("", 0), 2: ("critical-lite", crits.two_alike)}
            name, bonus = kinds.get(alike, ("critical", crits.three_alike))
            hit = sum(faces) + strike.to_hit >= eva
            if hit:
                harm = self._roll(source, dice.damage)
                found = 1 + max(0, sum(harm) + strike.damage - res) + bonus
        self.rolled = {
            "dice": faces,
            "to_hit": strike.to_hit,
            "eva": eva,
            "hit": hit,
            "critical": name if hit else "",
            "damage_dice": harm,
            "damage_bonus": strike.damage,
            "res": res if hit else 0,
            "critical_bonus": bonus if hit else 0,
            "damage": max(0, outcome - 1),
        }

    def _roll(self, source: random.Random, number: int) -> tuple[int, ...]:
        return tuple(source.randint(1, self.rules.dice.sides) for _ in range(number))

    def _order(self) -> None:
        acts = [int(each.acts) for each in self.c]
        order = [(i, self.fighters[i].name, self.fighters[i].stats.initiative) for i in acts]
        said = ", ".join(f"{name} #{i} ({initiative})" for i, name, initiative in order)
        self.tell("order_set", f"Order by initiative: {said}", order=order)

    def _turn(self, me: int, reshuffled: bool) -> None:
        name, ap = self.fighters[me].name, int(self.t.ap)
        standing = [
            (i, each.name, int(self.c[i].hp), each.stats.hth)
            for i, each in enumerate(self.fighters)
            if self.c[i].hp > 0
        ]
        who = ", ".join(f"{each} #{i} {hp}/{most}" for i, each, hp, most in standing)
        numbers = self.g.hand[me].tolist()
        held = [(card, number) for card, number in zip(self.kinds, numbers, strict=True) if number]
        hand = ", ".join(card if number == 1 else f"{card}*{number}" for card, number in held)
        self.tell(
            "turn_started",
            f"Turn {self.turn} (round {self.round}) — {name} #{me}, {ap} AP — {who}",
            f"  hand: {hand or 'nothing'}{' (discard reshuffled)' if reshuffled else ''}",
            turn=self.turn,
            round=self.round,
            who=me,
            who_name=name,
            ap=ap,
            hand=[card for card, number in held for _ in range(number)],
            reshuffled=reshuffled,
            standing=standing,
        )

    def _struck(self, me: int, it: int, card: str) -> None:
        did, body, most = self.rolled, self.c[it], self.fighters[it].stats.hth
        hp, hits = int(body.hp), int(body.hits)
        target = f"{self.fighters[it].name} #{it}"
        to_hit = f" {did['to_hit']:+d}" if did["to_hit"] else ""
        outcome = "miss" if not did["hit"] else f"{did['critical']} hit" if did["critical"] else "hit"
        total = sum(did["dice"]) + did["to_hit"]
        test = f"{rolled(did['dice'], '+')}{to_hit} = {total} vs EVA {did['eva']}"
        lines = [f"  {card} at {target}: {test}: {outcome}"]
        if did["hit"]:
            bonus = f" {did['damage_bonus']:+d}" if did["damage_bonus"] else ""
            res = f" - RES {did['res']}" if did["res"] else ""
            more = f" +{did['critical_bonus']} critical" if did["critical_bonus"] else ""
            end = f", hitCounter {hits}" if hp else ", defeated"
            harm = f"{rolled(did['damage_dice'], '+')}{bonus}{res}{more} = {did['damage']}"
            lines.append(f"    damage {harm} -> {target} {hp}/{most}{end}")
        self.tell(
            "attacked",
            *lines,
            who=me,
            who_name=self.fighters[me].name,
            card=card,
            target=it,
            target_name=self.fighters[it].name,
            target_max_hp=most,
            **did,
            hit_counter=hits,
            hp_after=hp,
            defeated=hp == 0,
        )

    def _placed(self, card: str, who: dict[str, Any], bearer: int, new: int) -> None:
        status, name = self.rules.cards[card].status, self.fighters[bearer].name
        assert status is not None  # noqa: S101 - only these are placed
        again = "" if new else " (again)"
        said = f"  {card}: {status.amount:+d} {status.stat.upper()} on {name} #{bearer}{again}"
        told = {"bearer": bearer, "bearer_name": name, "stat": status.stat, "amount": status.amount}
        self.tell("status_placed", said, **who, **told, new=bool(new))

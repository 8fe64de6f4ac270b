"""A fight as plain lines of text. Whoever prints them may colour them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from buildsearch.engines.narration import Narration, rolled
from buildsearch.model.text import count
from buildsearch.systems.armitage.reference import events as happened

narrate = Narration()


@narrate.tells(happened.OrderSet)
def _order(event: happened.OrderSet) -> Iterator[str]:
    order = ", ".join(f"{name} #{index} ({initiative})" for index, name, initiative in event.order)
    yield f"Order by initiative: {order}"


@narrate.tells(happened.TurnStarted)
def _turn(event: happened.TurnStarted) -> Iterator[str]:
    standing = ", ".join(f"{name} #{index} {hp}/{max_hp}" for index, name, hp, max_hp in event.standing)
    who = f"{event.who_name} #{event.who}"
    yield f"Turn {event.turn} (round {event.round}) — {who}, {event.ap} AP — {standing}"
    hand = ", ".join(
        card if number == 1 else f"{card}*{number}" for card, number in Counter(event.hand).items()
    )
    yield f"  hand: {hand or 'nothing'}{' (discard reshuffled)' if event.reshuffled else ''}"


@narrate.tells(happened.Attacked)
def _attack(event: happened.Attacked) -> Iterator[str]:
    to_hit = f" {event.to_hit:+d}" if event.to_hit else ""
    total = sum(event.dice) + event.to_hit
    outcome = "miss" if not event.hit else event.critical + " hit" if event.critical else "hit"
    target = f"{event.target_name} #{event.target}"
    test = f"{rolled(event.dice, '+')}{to_hit} = {total} vs EVA {event.eva}"
    yield f"  {event.card} at {target}: {test}: {outcome}"
    if event.hit:
        bonus = f" {event.damage_bonus:+d}" if event.damage_bonus else ""
        res = f" - RES {event.res}" if event.res else ""
        more = f" +{event.critical_bonus} critical" if event.critical_bonus else ""
        end = ", defeated" if event.defeated else f", hitCounter {event.hit_counter}"
        hp = f"{target} {event.hp_after}/{event.target_max_hp}"
        yield f"    damage {rolled(event.damage_dice, '+')}{bonus}{res}{more} = {event.damage} -> {hp}{end}"


@narrate.tells(happened.Healed)
def _heal(event: happened.Healed) -> Iterator[str]:
    yield f"  {event.card}: {rolled(event.dice, '+')}, {event.gained} recovered -> {event.hp_after} HP"


@narrate.tells(happened.Resolved)
def _resolve(event: happened.Resolved) -> Iterator[str]:
    yield f"  {event.card}: hitCounter {event.hit_counter + event.lowered} -> {event.hit_counter}"


@narrate.tells(happened.StatusPlaced)
def _status(event: happened.StatusPlaced) -> Iterator[str]:
    again = "" if event.new else " (again)"
    bearer = f"{event.bearer_name} #{event.bearer}"
    yield f"  {event.card}: {event.amount:+d} {event.stat.upper()} on {bearer}{again}"


@narrate.tells(happened.FightEnded)
def _end(event: happened.FightEnded) -> Iterator[str]:
    result = event.result
    how = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[result.value]
    yield f"Fight {how} after {count(result.rounds, 'round')} — {result.hp_left} HP left"

"""A fight as plain lines of text. Whoever prints them may colour them."""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.engines.narration import Narration, heading, rolled
from buildsearch.model.text import count
from buildsearch.systems.animon.reference import events as happened

narrate = Narration()
narrate.tells(happened.SlotStarted)(heading)
narrate.says(
    {
        happened.Missed: "  {event.why}, does nothing",
        happened.FoughtOn: "    {event.who} fights on for {event.cost} bond points",
        happened.Caused: "    {event.who} is {event.condition}",
        happened.Drained: "    {event.who} regains {event.hp} HP",
        happened.Defended: "  defends",
    }
)


@narrate.tells(happened.OrderSet)
def _order(event: happened.OrderSet) -> Iterator[str]:
    order = ", ".join(f"{name} ({number})" for name, number in event.order)
    yield f"Wave {event.wave}, order by initiative: {order}"


@narrate.tells(happened.Evolved)
def _evolved(event: happened.Evolved) -> Iterator[str]:
    cost = f" for {count(event.cost, 'bond point')}" if event.cost else ""
    yield f"  evolves to {event.stage}{cost} -> {event.after}"


@narrate.tells(happened.Attacked)
def _attacked(event: happened.Attacked) -> Iterator[str]:
    more = [
        f"{event.uses} uses" if event.uses > 1 else "",
        "a use bought" if event.bought_use else "",
        "a die bought" if event.bought_die else "",
    ]
    said = "".join(f", {each}" for each in more if each)
    outcome = f"hit by {event.margin}" if event.margin else "miss"
    dice = f"{rolled(event.dice, ',')} vs {rolled(event.dodge_dice, ',')} dodge"
    yield f"  {event.attack} at {event.target}{said}: {dice}: {outcome}"


@narrate.tells(happened.Harmed)
def _harmed(event: happened.Harmed) -> Iterator[str]:
    yield f"    {event.damage} {event.cause} -> {event.after}{', defeated' if event.defeated else ''}"


@narrate.tells(happened.Devolved)
def _devolved(event: happened.Devolved) -> Iterator[str]:
    yield f"    {event.who} devolves to {event.stage} (heart {rolled(event.dice, ',')})"


@narrate.tells(happened.Transferred)
def _transferred(event: happened.Transferred) -> Iterator[str]:
    yield f"  power_transfer: {', '.join(event.to) or 'nobody'} boosted"


@narrate.tells(happened.Breathed)
def _breathed(event: happened.Breathed) -> Iterator[str]:
    yield f"All catch their breath — {'; '.join(event.standing)}"


@narrate.tells(happened.FightEnded)
def _end(event: happened.FightEnded) -> Iterator[str]:
    result = event.result
    rounds = count(result.rounds, "round")
    yield f"Fight {result.outcome} after {rounds} — {result.hp_left} HP left, critical gauge {result.gauge}"

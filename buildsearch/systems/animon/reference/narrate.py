"""A fight as plain lines of text. Whoever prints them may colour them."""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.engines.narration import Narration
from buildsearch.systems.animon.reference import events as happened

narrate = Narration()


@narrate.tells(happened.OrderSet)
def _order(event: happened.OrderSet) -> Iterator[str]:
    order = ", ".join(f"{name} ({number})" for name, number in event.order)
    yield f"Wave {event.wave}, order by initiative: {order}"


@narrate.tells(happened.SlotStarted)
def _slot(event: happened.SlotStarted) -> Iterator[str]:
    yield f"Round {event.round} — {event.who} — {'; '.join(event.standing)}"


@narrate.tells(happened.Missed)
def _missed(event: happened.Missed) -> Iterator[str]:
    yield f"  {event.why}, does nothing"


@narrate.tells(happened.Evolved)
def _evolved(event: happened.Evolved) -> Iterator[str]:
    cost = f" for {event.cost} bond point{'' if event.cost == 1 else 's'}" if event.cost else ""
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
    dice = f"{_dice(event.dice)} vs {_dice(event.dodge_dice)} dodge"
    yield f"  {event.attack} at {event.target}{said}: {dice}: {outcome}"


@narrate.tells(happened.Harmed)
def _harmed(event: happened.Harmed) -> Iterator[str]:
    yield f"    {event.damage} {event.cause} -> {event.after}{', defeated' if event.defeated else ''}"


@narrate.tells(happened.FoughtOn)
def _fought_on(event: happened.FoughtOn) -> Iterator[str]:
    yield f"    {event.who} fights on for {event.cost} bond points"


@narrate.tells(happened.Devolved)
def _devolved(event: happened.Devolved) -> Iterator[str]:
    yield f"    {event.who} devolves to {event.stage} (heart {_dice(event.dice)})"


@narrate.tells(happened.Caused)
def _caused(event: happened.Caused) -> Iterator[str]:
    yield f"    {event.who} is {event.condition}"


@narrate.tells(happened.Drained)
def _drained(event: happened.Drained) -> Iterator[str]:
    yield f"    {event.who} regains {event.hp} HP"


@narrate.tells(happened.Transferred)
def _transferred(event: happened.Transferred) -> Iterator[str]:
    yield f"  power_transfer: {', '.join(event.to) or 'nobody'} boosted"


@narrate.tells(happened.Defended)
def _defended(_: happened.Defended) -> Iterator[str]:
    yield "  defends"


@narrate.tells(happened.Breathed)
def _breathed(event: happened.Breathed) -> Iterator[str]:
    yield f"Everybody catches breath — {'; '.join(event.standing)}"


@narrate.tells(happened.FightEnded)
def _end(event: happened.FightEnded) -> Iterator[str]:
    result = event.result
    rounds = f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
    yield f"Fight {result.outcome} after {rounds} — {result.hp_left} HP left, critical gauge {result.gauge}"


def _dice(dice: tuple[int, ...]) -> str:
    return ",".join(map(str, dice)) or "no dice"

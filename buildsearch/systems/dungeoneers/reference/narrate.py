"""A fight as plain lines of text. Whoever prints them may colour them."""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.engines.narration import Narration
from buildsearch.systems.dungeoneers.reference import events as happened

narrate = Narration()


@narrate.tells(happened.OrderSet)
def _order(event: happened.OrderSet) -> Iterator[str]:
    yield "Order by prowess: " + ", ".join(f"{name} ({prowess})" for name, prowess in event.order)


@narrate.tells(happened.TurnStarted)
def _turn(event: happened.TurnStarted) -> Iterator[str]:
    yield f"Round {event.round} — {event.who} — {'; '.join(event.standing)}"


@narrate.tells(happened.Attacked)
def _attack(event: happened.Attacked) -> Iterator[str]:
    bought = f", {event.bought} stress bought" if event.bought else ""
    outcome = "hit" if event.hit else "miss"
    dice = f"{_plus(event.hit_dice)} vs {_plus(event.dodge_dice)} dodge"
    yield f"  attacks {event.target}{bought}: {dice}: {outcome}"
    if event.hit:
        pierced = f"{_plus(event.pierce_dice)} vs AV {event.av}"
        if not event.pierced:
            yield f"    {pierced}: deflected"
        else:
            wounds = f"{event.wounds} wound{'' if event.wounds == 1 else 's'}"
            yield f"    {pierced}: {wounds} -> {event.after}{', defeated' if event.defeated else ''}"


@narrate.tells(happened.Broke)
def _broke(event: happened.Broke) -> Iterator[str]:
    yield f"  buys {event.bought} stress and breaks: defeated"


@narrate.tells(happened.SpellCast)
def _spell(event: happened.SpellCast) -> Iterator[str]:
    extra = f" with {event.extra} extra magica" if event.extra else ""
    outcome = "hit" if event.hit else "miss"
    dice = f"{_plus(event.test_dice)} vs {_plus(event.against_dice)}"
    yield f"  casts {event.spell} at {event.target}{extra} ({event.magica} magica left): {dice}: {outcome}"
    if event.hit:
        pierced = f"{_plus(event.pierce_dice)} vs SR {event.sr}"
        if not event.through:
            yield f"    {pierced}: resisted"
        else:
            yield f"    {pierced}: takes effect -> {event.after}{', defeated' if event.defeated else ''}"


@narrate.tells(happened.SpellOnSelf)
def _own(event: happened.SpellOnSelf) -> Iterator[str]:
    yield f"  casts {event.spell} -> {event.after}"


@narrate.tells(happened.Defended)
def _defended(_: happened.Defended) -> Iterator[str]:
    yield "  defends"


@narrate.tells(happened.Rested)
def _rested(_: happened.Rested) -> Iterator[str]:
    yield "  does no more: nothing is worth its price"


@narrate.tells(happened.FightEnded)
def _end(event: happened.FightEnded) -> Iterator[str]:
    result = event.result
    rounds = f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
    yield f"Fight {result.outcome} after {rounds} — {result.life} life left"


def _plus(dice: tuple[int, ...]) -> str:
    return "+".join(map(str, dice)) or "no dice"

"""A fight as plain lines of text. Whoever prints them may colour them."""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.engines.narration import Narration, heading, rolled
from buildsearch.model.text import count
from buildsearch.systems.dungeoneers.reference import events as happened

narrate = Narration()
narrate.tells(happened.TurnStarted)(heading)
narrate.says(
    {
        happened.Broke: "  buys {event.bought} stress and breaks: defeated",
        happened.SpellOnSelf: "  casts {event.spell} -> {event.after}",
        happened.Defended: "  defends",
        happened.Rested: "  does no more: nothing is worth its price",
    }
)


@narrate.tells(happened.OrderSet)
def _order(event: happened.OrderSet) -> Iterator[str]:
    yield "Order by prowess: " + ", ".join(f"{name} ({prowess})" for name, prowess in event.order)


@narrate.tells(happened.Attacked)
def _attack(event: happened.Attacked) -> Iterator[str]:
    bought = f", {event.bought} stress bought" if event.bought else ""
    outcome = "hit" if event.hit else "miss"
    dice = f"{rolled(event.hit_dice, '+')} vs {rolled(event.dodge_dice, '+')} dodge"
    yield f"  attacks {event.target}{bought}: {dice}: {outcome}"
    if event.hit:
        effect = count(event.wounds, "wound") if event.pierced else "deflected"
        yield _second_test(event, f"AV {event.av}", effect, is_through=event.pierced)


@narrate.tells(happened.SpellCast)
def _spell(event: happened.SpellCast) -> Iterator[str]:
    extra = f" with {event.extra} extra magica" if event.extra else ""
    outcome = "hit" if event.hit else "miss"
    dice = f"{rolled(event.test_dice, '+')} vs {rolled(event.against_dice, '+')}"
    yield f"  casts {event.spell} at {event.target}{extra} ({event.magica} magica left): {dice}: {outcome}"
    if event.hit:
        effect = "takes effect" if event.through else "resisted"
        yield _second_test(event, f"SR {event.sr}", effect, is_through=event.through)


@narrate.tells(happened.FightEnded)
def _end(event: happened.FightEnded) -> Iterator[str]:
    result = event.result
    rounds = count(result.rounds, "round")
    yield f"Fight {result.outcome} after {rounds} — {result.life} life left"


def _second_test(
    event: happened.Attacked | happened.SpellCast, against: str, effect: str, *, is_through: bool
) -> str:
    """Whether a hit went through armour or resistance, and what is left of the target then."""
    after = f" -> {event.after}{', defeated' if event.defeated else ''}" if is_through else ""
    return f"    {rolled(event.pierce_dice, '+')} vs {against}: {effect}{after}"

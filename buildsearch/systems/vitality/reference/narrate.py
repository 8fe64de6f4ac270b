"""A fight as plain lines of text. Whoever prints them may colour them."""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.engines.narration import Narration
from buildsearch.systems.vitality.reference import events as happened

narrate = Narration()
narrate.says({happened.HpPaid: "  pays {event.amount} HP -> attacker {event.attacker_hp_after} HP"})


@narrate.tells(happened.TurnStarted)
def _turn(event: happened.TurnStarted) -> Iterator[str]:
    yield f"Turn {event.turn} — attacker {event.attacker_hp} HP — {_standing(event.enemies)}"


@narrate.tells(happened.WaveArrived)
def _wave(event: happened.WaveArrived) -> Iterator[str]:
    yield f"  wave {event.wave} arrives: {_standing(event.enemies)}"


@narrate.tells(happened.LimitChecked)
def _limit(event: happened.LimitChecked) -> Iterator[str]:
    yield f"  {event.enhancement} {'holds' if event.held else 'does not hold'}: {event.why}"


@narrate.tells(happened.ActionChosen)
def _action(event: happened.ActionChosen) -> Iterator[str]:
    does = {"attack": "attacks with ", "charge": "charges ", "wait": "waits", "basic": "basic attack "}
    yield f"  {does[event.kind]}{_plain(event.label)}: {event.reason}"


@narrate.tells(happened.ActivationRolled)
def _activation(event: happened.ActivationRolled) -> Iterator[str]:
    rolled = f"{event.roll} {event.bonus:+d}" if event.bonus else str(event.roll)
    outcome = "succeeds" if event.success else "fails"
    yield f"  {event.enhancement}: {rolled}, {event.needed} needed: {outcome}"


@narrate.tells(happened.StrikeLost)
def _lost(event: happened.StrikeLost) -> Iterator[str]:
    which = "a strike" if event.cause == "base" else f"a strike ({event.cause.replace('_', ' ')})"
    yield f"  {which} is lost: {event.why}"


@narrate.tells(happened.Strike)
def _strike(event: happened.Strike) -> Iterator[str]:
    cause = "" if event.cause == "base" else f" ({event.cause.replace('_', ' ')})"
    yield f"  {_plain(event.label)}{cause} at {event.target_name} #{event.target}: {_accuracy(event)}"
    if event.hit:
        yield f"    {_damage(event) if event.effect == 'damage' else _condition(event)}{_fate(event)}"
    if event.fired:
        yield f"    fired: {', '.join(event.fired)}"


@narrate.tells(happened.Healed)
def _healing(event: happened.Healed) -> Iterator[str]:
    yield f"    heals {event.amount} -> attacker {event.attacker_hp_after} HP"
    yield f"    fired: {', '.join(event.fired)}"


@narrate.tells(happened.BleedTick)
def _tick(event: happened.BleedTick) -> Iterator[str]:
    end = ", defeated" if event.defeated else ""
    hp = f"{event.hp_after}/{event.target_max_hp}"
    yield f"  bleed: {event.damage} -> {event.target_name} #{event.target} {hp}{end}"


@narrate.tells(happened.Retaliation)
def _retaliation(event: happened.Retaliation) -> Iterator[str]:
    who = f"  {event.enemy_name} #{event.enemy} strikes back: "
    aim = f"{event.natural} (natural), {event.total} vs avoidance {event.avoidance}: "
    if not event.hit:
        yield f"{who}{aim}miss"
        return
    dice = f" (dice {_plus(event.dice)})" if event.dice else ""
    hit = "critical" if event.critical else "hit"
    yield f"{who}{aim}{hit}, damage {event.damage}{dice} -> attacker {event.attacker_hp_after} HP"


@narrate.tells(happened.FightEnded)
def _end(event: happened.FightEnded) -> Iterator[str]:
    result = event.result
    how = "won" if result.won else "not over" if result.timeout else "lost"
    survival = "survived" if result.survived else "fell"
    yield f"Fight {how} after {result.turns} turns — attacker {survival}, {result.attacker_hp} HP"


def _accuracy(event: happened.Strike) -> str:
    if event.auto_hit:
        return "hits by itself"
    dice = "/".join(map(str, event.natural_dice))
    outcome = "critical hit" if event.critical else "hit" if event.hit else "miss"
    modifiers = _modifiers(event.accuracy_modifiers)
    return f"{dice} (natural){modifiers} = {event.accuracy_total} vs avoidance {event.avoidance}: {outcome}"


def _damage(event: happened.Strike) -> str:
    rolled = f"flat {event.flat}" if event.flat is not None else f"{_plus(event.effect_dice)}"
    brutal = f" +{event.brutal} brutal" if event.brutal else ""
    exposed = f" +{event.exposed} vulnerable" if event.exposed else ""
    modifiers = _modifiers(event.effect_modifiers)
    defence = f"durability {event.effect_defence}"
    return f"damage {rolled}{modifiers} - {defence}{brutal}{exposed} = {event.damage}"


def _condition(event: happened.Strike) -> str:
    rolled = f"{_plus(event.effect_dice)}{_modifiers(event.effect_modifiers)} = {event.effect_total}"
    outcome = "lands" if event.landed else "resisted"
    return f"condition {rolled} vs resistance {event.effect_defence}: {outcome}"


def _fate(event: happened.Strike) -> str:
    end = f", defeated by {event.defeated_by}" if event.defeated else ""
    return f" -> {event.target_name} #{event.target} {event.hp_after}/{event.target_max_hp}{end}"


def _standing(enemies: tuple[happened.Standing, ...]) -> str:
    return ", ".join(f"{name} #{index} {hp}/{max_hp}" for index, name, hp, max_hp in enemies)


def _modifiers(modifiers: tuple[happened.Named, ...]) -> str:
    return "".join(f" {amount:+d} {name}" for name, amount in modifiers)


def _plain(label: str) -> str:
    """Without square brackets, which some printers take for markup."""
    return label.replace("[", "(").replace("]", ")")


def _plus(dice: tuple[int, ...]) -> str:
    return "+".join(map(str, dice))

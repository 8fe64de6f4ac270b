"""What an option does, in words and numbers, from the same model that the engines read."""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.model.rules_file import Option
from buildsearch.systems.vitality.rules.model import EFFECTS, AttackType, Enhancement, VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import (
    Amount,
    Conditions,
    LastTurn,
    Mechanics,
    Modifiers,
    SinceLastTurn,
)

_SINCE = {
    SinceLastTurn.HIT: "the attacker was hit since their last turn",
    SinceLastTurn.DAMAGED: "the attacker was damaged since their last turn",
    SinceLastTurn.HIT_UNHARMED: "the attacker was hit since their last turn and took no damage",
    SinceLastTurn.ALL_MISSED: "the attacker was attacked since their last turn and every attack missed",
    SinceLastTurn.NOT_DAMAGED: "the attacker was not damaged since their last turn",
    SinceLastTurn.NOT_ATTACKED: "no enemy attacked the attacker since their last turn",
}
_LAST = {
    LastTurn.HIT_TARGET: "this turn's target was hit last turn",
    LastTurn.DEALT_DAMAGE: "damage was dealt last turn",
    LastTurn.DEFEATED_ENEMY: "an enemy was defeated last turn",
}


def describe_options(rules: VitalityRules) -> tuple[Option, ...]:
    """Everything the rules offer."""
    relations = _Relations(rules)
    return (
        *(_attack_type(name, entry, rules) for name, entry in rules.attack_types.items()),
        *(_enhancement("upgrade", name, entry, rules, relations) for name, entry in rules.upgrades.items()),
        *(_enhancement("limit", name, entry, rules, relations) for name, entry in rules.limits.items()),
    )


class _Relations:
    def __init__(self, rules: VitalityRules) -> None:
        self.not_with: dict[str, list[str]] = {name: [] for name in rules.enhancements}
        self.not_on: dict[str, list[str]] = {name: [] for name in rules.enhancements}
        for exclusion in rules.exclusions:
            for first, second in exclusion.pairs():
                self.not_with[first].append(second)
                self.not_with[second].append(first)
        for restriction in rules.restrictions:
            for name in restriction.ban:
                self.not_on[name].extend(restriction.types)


def say_amount(amount: Amount) -> str:
    """`+2 x tier`, `-3`, `12 - tier`."""
    tier = "" if not amount.tier else ("tier" if abs(amount.tier) == 1 else f"{abs(amount.tier)} x tier")
    if not tier:
        return f"{amount.flat:+d}"
    sign = "+" if amount.tier > 0 else "-"
    return f"{sign}{tier}" if not amount.flat else f"{amount.flat:+d} {sign} {tier}"


def say_modifiers(modifiers: Modifiers) -> str:
    """`+tier accuracy, -tier damage`, equal ones together."""
    rolls: dict[str, list[str]] = {}
    for roll in ("accuracy", "damage", "condition"):
        amount: Amount = getattr(modifiers, roll)
        if amount != Amount():
            rolls.setdefault(say_amount(amount), []).append(roll)
    return ", ".join(f"{amount} {_and(names)}" for amount, names in rolls.items())


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def say_mechanics(mechanics: Mechanics, rules: VitalityRules) -> Iterator[str]:
    yield from _say_rolls(mechanics, rules)
    yield from _say_triggers(mechanics, rules)


def _say_rolls(m: Mechanics, rules: VitalityRules) -> Iterator[str]:
    damage = rules.rolls.damage
    if m.accuracy_dice:
        yield f"roll {m.accuracy_dice} accuracy dice and keep the highest"
    if m.overhit:
        margin, per = m.overhit.margin, m.overhit.per
        yield f"a hit by {margin} or more adds 1 to the effect roll per {per} points of margin"
    if m.flat_damage:
        yield f"flat {say_amount(m.flat_damage).lstrip('+')} instead of {damage.count}d{damage.sides}"
    if m.explode_on:
        yield f"damage dice explode on {m.explode_on} or more"
    if m.ignore_endurance:
        yield "ignores the endurance part of durability"
    if m.brutal:
        base = "all that exceeds it" if rules.rulings.brutal == "margin" else "what exceeds that"
        threshold, per = m.brutal.threshold, m.brutal.per
        yield f"damage {threshold} or more above durability adds 1 per {per} points of {base}"
    if m.slayer:
        match = "exactly" if m.slayer.match == "exactly" else "at most"
        yield f"{say_modifiers(m.slayer)} against enemies of {match} {m.slayer.max_hp} maximum HP"
    if m.channel:
        step, cap = say_amount(Amount(tier=m.channel.step)), m.channel.cap
        yield f"{step} to every roll per consecutive turn of this attack, up to {cap} x tier"


def _say_triggers(m: Mechanics, rules: VitalityRules) -> Iterator[str]:
    if m.strikes:
        yield f"{m.strikes} base strikes on the same target"
    if m.chain:
        yield f"a base strike that does damage allows the next, up to {m.chain.strikes} in a row"
    if m.extra_attack:
        yield f"a base strike that does damage allows another, {_times(m.extra_attack.per_turn)} a turn"
    if m.critical_range:
        yield f"critical on a natural {m.critical_range} or more"
    if m.critical_bonus:
        yield f"another {say_modifiers(m.critical_bonus)} on a critical"
    if m.ricochet:
        others = "another enemy" if m.ricochet.targets == 1 else f"each of {m.ricochet.targets} other enemies"
        yield f"a critical allows a strike on {others}"
    if m.double_tap:
        yield "a critical allows another strike on the same target"
    if m.explosive_critical:
        yield "a critical also hits every other enemy in reach whom the same roll would hit"
    if m.bleed:
        yield f"the damage is dealt again, {_times(rules.rulings.bleed_ticks)}"
    if m.leech:
        yield f"each damaging strike heals the attacker by {_share(m.leech.per)} its damage, rounded down"
    if m.vulnerable:
        yield f"an enemy that was hit takes {m.vulnerable} more damage from the next strike that hits it"
    if m.finishing_blow:
        yield f"defeats an enemy left at {m.finishing_blow.hp_at_most} HP or less"
    if m.culling_strike:
        below = "at or below" if m.culling_strike.inclusive else "below"
        yield f"defeats an enemy left {below} 1/{m.culling_strike.one_in} of maximum HP"
    if m.splinter:
        tiers = ", ".join(f"{m.splinter.limit_at(tier)} at tier {tier}" for tier in rules.tiers)
        yield f"a defeat allows a strike on another enemy (a turn: {tiers})"


def say_conditions(conditions: Conditions, rules: VitalityRules) -> Iterator[str]:
    c = conditions
    if c.turn:
        if c.turn.first is None:
            yield f"up to turn {c.turn.last}"
        elif c.turn.last is None:
            yield f"from turn {c.turn.first}"
        else:
            yield f"from turn {c.turn.first} to turn {c.turn.last}"
    if c.uses:
        yield f"{_times(c.uses)} a fight"
    if c.cooldown:
        yield f"not again for {c.cooldown} turns after an attempt"
    if c.charge:
        yield f"after {c.charge} {'turn' if c.charge == 1 else 'turns'} spent charging"
    if c.activation_roll is not None:
        yield f"only if a d{rules.rolls.activation.sides} shows {c.activation_roll} or more"
    if c.hp_at_most is not None:
        yield f"at {c.hp_at_most} HP or less"
    if c.hp_full:
        yield "at full HP"
    if c.hp_cost:
        yield f"above {c.hp_cost} HP, which each attempt costs"
    if c.since_last_turn:
        yield f"when {_SINCE[c.since_last_turn]}"
    if c.no_attack_last_turn:
        yield "when the attacker made no attack last turn"
    if c.last_turn:
        yield f"when {_LAST[c.last_turn]}"


def _share(per: int) -> str:
    return {1: "all", 2: "half"}.get(per, f"1/{per} of")


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _attack_type(name: str, entry: AttackType, rules: VitalityRules) -> Option:
    parts = [say_modifiers(entry.modifiers)]
    adjacent = say_modifiers(entry.adjacent_modifiers)
    if adjacent:
        parts.append(f"{adjacent} when enemies are adjacent")
    if entry.area:
        parts.append("catches every enemy in the area with one damage roll")
    if entry.auto_hit:
        parts.append("always hits, never critically")
    if entry.flat_damage:
        flat = say_amount(entry.flat_damage).lstrip("+")
        parts.append(f"flat {flat} instead of {rules.rolls.damage.count}d{rules.rolls.damage.sides}")
    if entry.cost_factor != 1:
        parts.append(f"enhancements cost {entry.cost_factor} x as much")
    facts = [
        ("Reach", entry.reach),
        ("Shapes", ", ".join(entry.shapes)),
        ("Effects", ", ".join(entry.effects)),
    ]
    return Option(
        id=name,
        kind="attack type",
        name=entry.name,
        summary="; ".join(part for part in parts if part) or "no bonus and no penalty",
        facts=tuple((label, text) for label, text in [*facts, ("Section", entry.section)] if text),
    )


def _enhancement(
    kind: str, name: str, entry: Enhancement, rules: VitalityRules, relations: _Relations
) -> Option:
    modifiers = say_modifiers(entry.modifiers)
    conditions = "; ".join(say_conditions(entry.conditions, rules))
    parts = [modifiers, *say_mechanics(entry.mechanics, rules)]
    if conditions:
        parts.append(f"usable {conditions}")
    numbers = [
        f"tier {tier}: "
        + ", ".join(
            f"{getattr(entry.modifiers, roll).at(tier):+d} {roll}"
            for roll in ("accuracy", "damage", "condition")
            if getattr(entry.modifiers, roll) != Amount()
        )
        for tier in rules.tiers
    ]
    facts = [
        ("Modifiers", modifiers),
        ("In numbers", "; ".join(numbers) if modifiers else ""),
        ("Mechanics", "; ".join(say_mechanics(entry.mechanics, rules))),
        ("Usable", conditions),
        ("Effects", "" if entry.effects == EFFECTS else f"{', '.join(entry.effects)} only"),
        ("Not with", ", ".join(dict.fromkeys(relations.not_with[name]))),
        ("Not on", ", ".join(dict.fromkeys(relations.not_on[name]))),
        ("Section", entry.section),
    ]
    return Option(
        id=name,
        kind=kind,
        name=entry.name,
        cost=entry.cost,
        summary="; ".join(part for part in parts if part) or "does nothing",
        facts=tuple((label, text) for label, text in facts if text),
    )

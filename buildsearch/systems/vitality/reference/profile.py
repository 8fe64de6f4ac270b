"""One attack of a build in somebody's hands: its rules gathered, its numbers worked out for the tier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from buildsearch.systems.vitality.builds.build import Attack
from buildsearch.systems.vitality.encounter import Foe
from buildsearch.systems.vitality.reference.additions import Additions, ChannelGrowth, Named
from buildsearch.systems.vitality.reference.limits import Limit, clauses_of
from buildsearch.systems.vitality.rules.model import AttackType, Enhancement, Stats, VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import Mechanics, Modifiers

RollKind = Literal["accuracy", "damage", "condition"]


@dataclass(frozen=True, slots=True)
class Profile:
    """What a strike of this attack looks at. Without enhancements it is a basic attack."""

    rules: VitalityRules
    attack: Attack
    type: AttackType
    tier: int
    enhancements: tuple[tuple[str, Enhancement], ...]
    limits: tuple[Limit, ...]
    activation: tuple[tuple[str, int], ...]
    accuracy: Additions
    damage: Additions
    condition: Additions
    accuracy_dice: int
    explode_on: int
    flat_damage: int | None
    critical_range: int
    ignores_endurance: bool
    finishing: tuple[int, str] | None
    hp_cost: int
    # Mechanics of which a build has at most one, each with the enhancement that brings it.
    single: Mechanics
    owners: dict[str, str]
    _defences: tuple[int, int, int]

    def avoidance(self, foe: Foe) -> int:
        """Text, Derived stats: what an accuracy roll must reach."""
        return self._defences[0] + foe.stats.mobility

    def durability(self, foe: Foe) -> int:
        """Text, Derived stats: what is taken off a damage roll."""
        # Text, Armor Piercing: "Ignore target's Durability Endurance bonus".
        return self._defences[1] + (0 if self.ignores_endurance else foe.stats.endurance)

    def resistance(self, foe: Foe) -> int:
        """Text, Derived stats: what a condition check must reach."""
        return self._defences[2] + foe.stats.secondary

    @property
    def label(self) -> str:
        shape = f"[{self.attack.shape}]" if self.attack.shape else ""
        effect = "" if self.attack.effect == "damage" else f":{self.attack.effect}"
        return "+".join((f"{self.attack.type}{shape}{effect}", *self.attack.enhancements))


def make_profile(
    rules: VitalityRules, attack: Attack, tier: int, stats: Stats, *, adjacent: bool = False
) -> Profile:
    """Gather what the rules say about this attack in the hands of a character with these stats."""
    enhancements = tuple((name, rules.enhancements[name]) for name in attack.enhancements)
    kind = rules.attack_types[attack.type]
    mechanics = [(name, enhancement.mechanics) for name, enhancement in enhancements]
    owners = {part: name for name, each in mechanics for part in _parts(each)}
    single = Mechanics.model_construct(
        **{part: getattr(each, part) for _, each in mechanics for part in _parts(each)}
    )
    # Text, High Impact: "instead of 3d6 roll". A type with a flat number of its own has no dice to replace.
    flat = kind.flat_damage or single.flat_damage
    character = rules.character

    def additions(roll: RollKind) -> Additions:
        return _additions(rules, attack, tier, stats, adjacent, enhancements, roll)

    return Profile(
        rules=rules,
        attack=attack,
        type=kind,
        tier=tier,
        enhancements=enhancements,
        limits=_limits(enhancements),
        activation=tuple(
            (name, each.conditions.activation_roll)
            for name, each in enhancements
            if each.conditions.activation_roll is not None
        ),
        accuracy=additions("accuracy"),
        damage=additions("damage"),
        condition=additions("condition"),
        accuracy_dice=max([1, *(each.accuracy_dice for _, each in mechanics if each.accuracy_dice)]),
        explode_on=min(
            [rules.rolls.damage.explode_on, *(m.explode_on for _, m in mechanics if m.explode_on)]
        ),
        flat_damage=None if flat is None else flat.at(tier),
        critical_range=min(
            [rules.critical.range, *(m.critical_range for _, m in mechanics if m.critical_range)]
        ),
        ignores_endurance=any(each.ignore_endurance for _, each in mechanics),
        finishing=max(
            ((m.finishing_blow.hp_at_most, name) for name, m in mechanics if m.finishing_blow), default=None
        ),
        # Text v1, Attrition: "costs 20 HP per use".
        hp_cost=sum(each.conditions.hp_cost or 0 for _, each in enhancements),
        single=single,
        owners=owners,
        _defences=(
            character.avoidance.at(tier),
            character.durability.at(tier),
            character.resistance.at(tier),
        ),
    )


def _parts(mechanics: Mechanics) -> Iterator[str]:
    """The names of the mechanics that an enhancement has."""
    return (part for part in Mechanics.model_fields if getattr(mechanics, part))


def _limits(enhancements: tuple[tuple[str, Enhancement], ...]) -> tuple[Limit, ...]:
    limits = (Limit(name, tuple(clauses_of(each.conditions))) for name, each in enhancements)
    return tuple(limit for limit in limits if limit.clauses)


def _additions(
    rules: VitalityRules,
    attack: Attack,
    tier: int,
    stats: Stats,
    adjacent: bool,
    enhancements: tuple[tuple[str, Enhancement], ...],
    roll: RollKind,
) -> Additions:
    """Spec, An attack: die + tier + focus or power + type + upgrades + limits."""

    def amount(modifiers: Modifiers) -> int:
        value: int = getattr(modifiers, roll).at(tier)
        return value

    kind = rules.attack_types[attack.type]
    stat = "focus" if roll == "accuracy" else "power"
    always: list[Named] = [
        ("tier", getattr(rules.rolls, roll).bonus.at(tier)),
        (stat, getattr(stats, stat)),
        (attack.type, amount(kind.modifiers)),
        # Text, Ranged Attack: "-Tier to Accuracy if adjacent to hostile character".
        ("adjacent", amount(kind.adjacent_modifiers) if adjacent else 0),
        # Spec: bonuses and penalties apply to every strike that the build makes.
        *((name, amount(each.modifiers)) for name, each in enhancements),
    ]
    channel = None
    slayers = []
    critical = [("critical", amount(rules.critical.bonus))]
    for name, each in enhancements:
        if (slayer := each.mechanics.slayer) is not None:
            slayers.append((name, slayer, amount(slayer)))
        if (growth := each.mechanics.channel) is not None:
            step, cap = growth.step * tier, growth.cap * tier
            net = rules.rulings.channel_cap == "net"
            channel = ChannelGrowth(name, amount(each.modifiers), step, cap, caps_net=net)
        if (bonus := each.mechanics.critical_bonus) is not None:
            critical.append((name, amount(bonus)))
    return Additions(tuple(named for named in always if named[1]), tuple(slayers), channel, tuple(critical))

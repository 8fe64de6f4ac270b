"""What best play solves exactly, and why not the rest: what it does not know is refused, never guessed."""

from __future__ import annotations

from pydantic import BaseModel

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.kernel.compiling import lay_ground, strike_fields
from buildsearch.systems.vitality.kernel.profile import Parts
from buildsearch.systems.vitality.rules.model import AttackType, VitalityRules

_MECHANICS = frozenset(
    (
        *("accuracy_dice", "overhit", "flat_damage", "explode_on", "ignore_endurance", "brutal", "strikes"),
        *("extra_attack", "critical_range", "critical_bonus", "ricochet", "double_tap", "bleed"),
        *("explosive_critical", "finishing_blow", "culling_strike", "splinter", "slayer", "channel"),
    )
)
_CONDITIONS = frozenset(
    (
        *("turn", "uses", "cooldown", "charge", "activation_roll", "hp_at_most", "hp_full"),
        *("since_last_turn", "no_attack_last_turn", "last_turn"),
    )
)
_ENHANCEMENT = frozenset(("name", "section", "cost", "effects", "modifiers", "mechanics", "conditions"))
_TYPE = frozenset(
    (
        *("name", "section", "reach", "modifiers", "adjacent_modifiers", "area", "shapes", "auto_hit"),
        *("flat_damage", "effects", "cost_factor"),
    )
)
_RULINGS = frozenset(
    (
        *("target", "retaliation_cap", "attacker_defeat", "unmet_limit", "channel_cap", "natural_max_hits"),
        *("natural_min_misses", "flat_damage", "brutal", "bleed_tick", "bleed_overlap", "bleed_ticks"),
        *("area_strikes", "area_extra_attack", "triggered_defeats", "limit_scope", "failed_activation"),
        "barrage_triggers",
    )
)


def unknown_word(rules: VitalityRules, attack: Attack) -> str | None:
    """The first word about an attack, or ruling, that best play does not know; None: it knows all."""
    attack_type: AttackType = rules.attack_types[attack.type]
    found = _unknown(rules.rulings, _RULINGS) or _unknown(attack_type, _TYPE)
    for name in attack.enhancements:
        option = rules.enhancements[name]
        found = (
            found
            or _unknown(option, _ENHANCEMENT)
            or _unknown(option.mechanics, _MECHANICS)
            or _unknown(option.conditions, _CONDITIONS)
        )
    return found


def _unknown(model: BaseModel, known: frozenset[str]) -> str | None:
    for name, field in type(model).model_fields.items():
        if name not in known and getattr(model, name) != field.get_default(call_default_factory=True):
            return name
    return None


MOST_ATTACKS = 6
_RULED = {
    "strike_scope": "limit_scope=strike",
    "first_only": "barrage_triggers=first",
    "failed_attack": "failed_activation=attack",
}


def why_not_known(rules: VitalityRules, build: Build) -> str | None:
    """A word that neither way of best play knows."""
    for attack in build.attacks:
        word = unknown_word(rules, attack)
        if word is not None:
            return f"best play does not know {word}"
    if rules.rulings.attacker_defeat == "loss":
        return "best play does not know the ruling attacker_defeat=loss"
    return None


def why_not_exact(rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter) -> str | None:
    """The reason why best play cannot be worked out; None when it can (unless there are too many states)."""
    unknown = why_not_known(rules, build)
    if unknown is not None:
        return unknown
    if len(build.attacks) > MOST_ATTACKS:
        return f"best play is worked out for at most {MOST_ATTACKS} attacks"
    if max(map(len, encounter.waves)) > 1 and rules.rulings.target == "highest_hp":
        return "best play does not know the ruling target=highest_hp"
    for attack in build.attacks:
        fields = strike_fields(Parts.of(rules, attack), attacker, encounter)
        if fields["area"]:
            return "best play is worked out for attacks that go at one enemy"
        if fields["ricochet"] or fields["explosive"]:
            return "best play does not follow ricochet and explosive_critical among several enemies"
        if fields["bleed_ticks"] and fields["bleed_at_start"]:
            return "best play does not know the ruling bleed_tick=start"
        ground = lay_ground(rules, Build((attack,)), attacker, encounter, beside=len(build.attacks) > 1)
        for name, ruling in _RULED.items():
            if ground.setup[name][0]:
                return f"best play does not follow the ruling {ruling} for {'+'.join(attack.enhancements)}"
    return None

"""Which words of the rules best play knows. Anything else is refused, never guessed."""

from __future__ import annotations

from pydantic import BaseModel

from buildsearch.systems.vitality.builds.build import Attack
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

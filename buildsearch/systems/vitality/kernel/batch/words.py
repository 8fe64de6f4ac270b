"""Which words of the rules batches know. An option that uses any other is left to the caller, never guessed.

Most of a plan is worked out by the functions that compile single builds. What is written here twice is how
options *combine*, so a new word needs a look at `columns.py` and `structures.py` before it is listed.
"""

from __future__ import annotations

from pydantic import BaseModel

from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules

# How an attack strikes, with which dice, and what defeats: one small table for each combination.
STRUCTURAL = (
    *("accuracy_dice", "flat_damage", "explode_on", "strikes", "extra_attack", "ricochet", "double_tap"),
    *("explosive_critical", "bleed", "finishing_blow", "culling_strike", "splinter", "channel"),
    *("chain", "leech", "vulnerable"),
)
# Numbers of a strike record that add up, or of which the best counts.
NUMERIC = ("critical_range", "critical_bonus", "ignore_endurance", "slayer")
# The first of a build's options that has one counts, so batches take builds with one at most.
ONE_A_BUILD = ("overhit", "brutal")
_MECHANICS = frozenset((*STRUCTURAL, *NUMERIC, *ONE_A_BUILD))
_CONDITIONS = frozenset(
    (
        *("turn", "uses", "cooldown", "charge", "activation_roll", "hp_at_most", "hp_full"),
        *("hp_cost", "since_last_turn", "no_attack_last_turn", "last_turn"),
    )
)
_ENHANCEMENT = frozenset(("name", "section", "cost", "effects", "modifiers", "mechanics", "conditions"))
_RULINGS = frozenset(
    (
        *("target", "retaliation_cap", "attacker_defeat", "unmet_limit", "channel_cap", "natural_max_hits"),
        *("natural_min_misses", "flat_damage", "brutal", "bleed_tick", "bleed_overlap", "bleed_ticks"),
        *("area_strikes", "area_extra_attack", "triggered_defeats", "limit_scope", "failed_activation"),
        "barrage_triggers",
    )
)


def knows_rulings(rules: VitalityRules) -> bool:
    """Whether no ruling could make options combine in a way that is not known here."""
    return _RULINGS.issuperset(type(rules.rulings).model_fields)


def knows(option: Enhancement) -> bool:
    """Whether batches know all of an option."""
    return (
        _only(option, _ENHANCEMENT)
        and _only(option.mechanics, _MECHANICS)
        and _only(option.conditions, _CONDITIONS)
    )


def has_any(option: Enhancement, mechanics: tuple[str, ...]) -> bool:
    """Whether an option has one of these mechanics."""
    return any(getattr(option.mechanics, name) not in (None, False) for name in mechanics)


def _only(model: BaseModel, known: frozenset[str]) -> bool:
    """Whether all that is said lies within the words known."""
    return all(
        name in known or getattr(model, name) == field.default
        for name, field in type(model).model_fields.items()
    )

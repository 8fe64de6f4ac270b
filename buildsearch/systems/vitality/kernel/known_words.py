"""The words of the rules that the kernel knows, by how options with them combine. Others are refused.

Batches work most of a plan out by the functions that compile single builds. What they state once more is how
options *combine*, so a new word needs a look at `batch/columns.py` and `batch/structures.py` before it gets
a group here.
"""

from __future__ import annotations

from pydantic import BaseModel

from buildsearch.systems.vitality.builds.build import Attack
from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import words_of

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
CONDITIONS = (
    *("turn", "uses", "cooldown", "charge", "activation_roll", "hp_at_most", "hp_full"),
    *("hp_cost", "since_last_turn", "no_attack_last_turn", "last_turn"),
)
BATCHED_WORDS = frozenset((*STRUCTURAL, *NUMERIC, *ONE_A_BUILD, *CONDITIONS))
# Builds with one of these would be compiled one at a time.
KNOWN_WORDS = BATCHED_WORDS.union(())
# The words that batches of exact solvers and best play follow; those of one encounter may still be left.
SOLVED_WORDS = frozenset(
    {
        *("accuracy_dice", "overhit", "flat_damage", "explode_on", "ignore_endurance", "brutal", "strikes"),
        *("extra_attack", "critical_range", "critical_bonus", "ricochet", "double_tap", "explosive_critical"),
        *("bleed", "finishing_blow", "culling_strike", "splinter", "slayer", "channel"),
        *("turn", "uses", "cooldown", "charge", "activation_roll", "hp_at_most", "hp_full"),
        *("since_last_turn", "no_attack_last_turn", "last_turn"),
    }
)
ENHANCEMENT_FIELDS = frozenset(("name", "section", "cost", "effects", "modifiers", "mechanics", "conditions"))
RULINGS = frozenset(
    (
        *("target", "retaliation_cap", "attacker_defeat", "unmet_limit", "channel_cap", "natural_max_hits"),
        *("natural_min_misses", "flat_damage", "brutal", "bleed_tick", "bleed_overlap", "bleed_ticks"),
        *("area_strikes", "area_extra_attack", "triggered_defeats", "limit_scope", "failed_activation"),
        "barrage_triggers",
    )
)


def unknown_word(rules: VitalityRules, attack: Attack) -> str | None:
    """An enhancement with a word that the kernel does not know, and the word; None: it knows all."""
    for name in attack.enhancements:
        option = rules.enhancements[name]
        for word in sorted(words_of(option.mechanics, option.conditions) - KNOWN_WORDS):
            return f"{name} ({word})"
    return None


def batches_know(rules: VitalityRules, option: Enhancement) -> bool:
    """Whether neither the option nor a ruling could combine with others in a way that batches do not know."""
    others = type(option).model_fields.items()
    return (
        RULINGS.issuperset(type(rules.rulings).model_fields)
        and words_of(option.mechanics, option.conditions) <= BATCHED_WORDS
        and all(
            name in ENHANCEMENT_FIELDS or getattr(option, name) == field.default for name, field in others
        )
    )


def changed_field(model: BaseModel, known: frozenset[str]) -> str | None:
    """A field that is not among those known and says something; None: there is none."""
    for name, field in type(model).model_fields.items():
        if name not in known and getattr(model, name) != field.get_default(call_default_factory=True):
            return name
    return None


def has_any(option: Enhancement, mechanics: tuple[str, ...]) -> bool:
    """Whether an option has one of these mechanics."""
    return not words_of(option.mechanics, option.conditions).isdisjoint(mechanics)

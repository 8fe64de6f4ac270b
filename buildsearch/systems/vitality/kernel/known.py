"""The words of the vocabulary that the compiler reads. Others are refused, never passed over."""

from __future__ import annotations

from buildsearch.systems.vitality.builds.build import Attack
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import words_of

_MECHANICS = (
    "accuracy_dice",
    "overhit",
    "flat_damage",
    "explode_on",
    "ignore_endurance",
    "brutal",
    "strikes",
    "chain",
    "extra_attack",
    "critical_range",
    "critical_bonus",
    "ricochet",
    "double_tap",
    "explosive_critical",
    "bleed",
    "leech",
    "vulnerable",
    "finishing_blow",
    "culling_strike",
    "splinter",
    "slayer",
    "channel",
)
_CONDITIONS = (
    "turn",
    "uses",
    "cooldown",
    "charge",
    "activation_roll",
    "hp_at_most",
    "hp_full",
    "hp_cost",
    "since_last_turn",
    "no_attack_last_turn",
    "last_turn",
)
KNOWN_WORDS = frozenset((*_MECHANICS, *_CONDITIONS))


def unknown_word(rules: VitalityRules, attack: Attack) -> str | None:
    """An enhancement with a word that the compiler does not read, and the word; None: it reads all."""
    known = rules.enhancements
    for name in attack.enhancements:
        for word in sorted(words_of(known[name].mechanics, known[name].conditions) - KNOWN_WORDS):
            return f"{name} ({word})"
    return None

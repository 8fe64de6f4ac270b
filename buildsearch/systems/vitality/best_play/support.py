"""What best play solves exactly, and why not the rest: what it does not know is refused, never guessed."""

from __future__ import annotations

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.kernel.compiling import lay_ground, strike_fields
from buildsearch.systems.vitality.kernel.known_words import (
    ENHANCEMENT_FIELDS,
    RULINGS,
    SOLVED_WORDS,
    changed_field,
)
from buildsearch.systems.vitality.kernel.profile import Parts
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import words_of

_TYPE = frozenset(
    (
        *("name", "section", "reach", "modifiers", "adjacent_modifiers", "area", "shapes", "auto_hit"),
        *("flat_damage", "effects", "cost_factor"),
    )
)


def unknown_word(rules: VitalityRules, attack: Attack) -> str | None:
    """The first word about an attack, or ruling, that best play does not know; None: it knows all."""
    found = changed_field(rules.rulings, RULINGS) or changed_field(rules.attack_types[attack.type], _TYPE)
    for name in attack.enhancements:
        option = rules.enhancements[name]
        unknown = sorted(words_of(option.mechanics, option.conditions) - SOLVED_WORDS)
        found = found or changed_field(option, ENHANCEMENT_FIELDS) or next(iter(unknown), None)
    return found


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

"""The parameters of a Vitality space: tier, archetype, budget and effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.vitality.parameters import PARAMETERS
from buildsearch.systems.vitality.rules.model import EFFECTS, Effect, VitalityRules

HIGHEST_BUDGET = 1_000


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters, checked against the rules. `attacks` and `budget` bind legality."""

    tier: int
    archetype: str
    budget: int
    attacks: int
    effect: Effect


def read_settings(rules: VitalityRules, given: Mapping[str, str]) -> Settings:
    """Check the parameters; raises UsageError with a sentence that names the known ones."""
    known = [parameter.name for parameter in PARAMETERS]
    for word in given:
        if word not in known:
            raise UsageError(f"unknown parameter `{word}`. {suggest(word, known)}")
    tier = _tier(rules, given.get("tier"))
    name = given.get("archetype")
    if name is not None and name not in rules.archetypes:
        raise UsageError(f"unknown archetype `{name}`. {suggest(name, tuple(rules.archetypes))}")
    archetype = name or next(iter(rules.archetypes))
    budget = given.get("budget")
    effect = [known_effect for known_effect in EFFECTS if known_effect == given.get("effect", "damage")]
    if not effect:
        raise UsageError(f"unknown effect `{given['effect']}`. {suggest(given['effect'], EFFECTS)}")
    return Settings(
        tier=tier,
        archetype=archetype,
        budget=rules.archetypes[archetype].budgets[tier] if budget is None else _number("budget", budget),
        attacks=rules.archetypes[archetype].attacks,
        effect=effect[0],
    )


def _tier(rules: VitalityRules, given: str | None) -> int:
    if given is None:
        return min(rules.tiers)
    tier = _number("tier", given)
    if tier not in rules.tiers:
        known = ", ".join(map(str, rules.tiers))
        raise UsageError(
            f"the rules have no tier {tier}. Known: {known}. The rules file lists them under `tiers`."
        )
    return tier


def _number(name: str, text: str) -> int:
    # Plain digits only: to Python, `1_0` and Arabic digits are numbers too.
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if not 0 <= number <= HIGHEST_BUDGET:
        raise UsageError(f"{name} must be a whole number from 0 to {HIGHEST_BUDGET}, not `{text}`.")
    return number

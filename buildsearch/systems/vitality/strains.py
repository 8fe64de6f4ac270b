"""Fights that are made up to try rules: how many enemies of each kind, their HP and their stats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from buildsearch.model.system import Dial
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.scenarios import VitalityScenarios

# Beyond what the scenarios have: so many enemies of a kind more, and stats so far off the usual ones.
_MORE, _DOWN, _UP = 1, 1, 2
_NAME = "stress"


def dials(rules: VitalityRules, scenarios: VitalityScenarios) -> tuple[Dial, ...]:
    """Counts from none to one more than any scenario has, HP from half to one and a half, stats of all."""
    found = []
    first = next(iter(scenarios.scenarios.values()))
    for kind, enemy in scenarios.enemies.items():
        counts = [sum(wave.count(kind) for wave in each.all_waves) for each in scenarios.scenarios.values()]
        usual = sum(wave.count(kind) for wave in first.all_waves)
        found.append(Dial(f"{kind}.count", 0, max(counts) + _MORE, usual))
        found.append(Dial(f"{kind}.hp", max(1, enemy.hp // 2), enemy.hp * 3 // 2, enemy.hp))
    for stat, usual in rules.character.stats.model_dump().items():
        found.append(Dial(f"enemy.{stat}", max(0, usual - _DOWN), usual + _UP, usual))
    return tuple(found)


def strained(rules: VitalityRules, scenarios: VitalityScenarios, values: Mapping[str, int]) -> dict[str, Any]:
    """A set with one fight; where nobody would stand, one enemy of the first kind does."""
    usual = rules.character.stats.model_dump()
    stats = {stat: values[f"enemy.{stat}"] for stat in usual if values[f"enemy.{stat}"] != usual[stat]}
    present = [kind for kind in scenarios.enemies if values[f"{kind}.count"]] or list(scenarios.enemies)[:1]
    line = [kind for kind in present for _ in range(max(1, values[f"{kind}.count"]))]
    return {
        "kind": "scenarios",
        "system": scenarios.system,
        "id": _NAME,
        "name": "The fight that strains the rules most",
        "enemies": {kind: {"hp": values[f"{kind}.hp"], **stats} for kind in present},
        "scenarios": {_NAME: {"name": "Stress", "enemies": line}},
    }

"""What systems have in common."""

from __future__ import annotations

from typing import Any

from buildsearch.model.evaluation import Metric
from buildsearch.model.parameter import Parameter
from buildsearch.model.rules_file import Relation, Variation
from buildsearch.ruleset.schema import ruling_alternatives


class Game:
    """A system but for what only itself knows; see `model.system` for what each part means."""

    parameters: tuple[Parameter, ...]
    fight_options: tuple[Parameter, ...]
    metrics: tuple[Metric, ...]
    relations: tuple[Relation, ...] = ()

    def variations(self, rules: Any) -> tuple[Variation, ...]:
        """Every other ruling; where builds choose all stats, there is nothing else to vary."""
        return ruling_alternatives(rules.rulings)

"""Animon Story as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from buildsearch.engines.games import StatedSystem
from buildsearch.model.evaluation import Fight
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import BuildSpace
from buildsearch.systems.animon.bouts.choice import make_bouts, match_against
from buildsearch.systems.animon.builds import levers
from buildsearch.systems.animon.parameters import FIGHT_OPTIONS, PARAMETERS, TITLE
from buildsearch.systems.animon.rules import checks
from buildsearch.systems.animon.rules.describe import describe_options
from buildsearch.systems.animon.rules.metrics import METRICS
from buildsearch.systems.animon.rules.model import AnimonRules
from buildsearch.systems.animon.rules.scenarios import AnimonScenarios
from buildsearch.systems.animon.rules.settings import read_settings


class AnimonSystem(StatedSystem):
    """One animon, and allies, against waves of foes."""

    id = "animon"
    title = TITLE
    rules_model = AnimonRules
    scenarios_model = AnimonScenarios
    parameters = PARAMETERS
    fight_options = FIGHT_OPTIONS
    metrics = METRICS
    leaderboard_columns = (
        "element",
        "stats",
        "quality",
        "attack_1",
        "attack_2",
        "attack_3",
        "attack_4",
        "improvements",
    )

    check_rules = staticmethod(checks.check_rules)
    check_scenarios = staticmethod(checks.check_scenarios)
    options = staticmethod(describe_options)
    bouts = staticmethod(make_bouts)
    accounts = staticmethod(levers.accounts)
    levers = staticmethod(levers.levers)

    def space(self, rules: Any, parameters: Mapping[str, str]) -> BuildSpace:
        """Stat lines and one choice on each axis."""
        # Here and not above: the enumeration kernels are slow to import.
        from buildsearch.systems.animon.builds.space import AnimonSpace

        return AnimonSpace(rules, read_settings(rules, parameters))

    def match(
        self, rules: Any, build: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Fight:
        """One against one."""
        return match_against(rules, build, options)

    def game(self, rules: Any) -> Any:
        """The statement, and what is said of it."""
        from buildsearch.systems.animon.game import AnimonGame

        return AnimonGame(rules)

    def bulk(self, rules: Any, space: Any) -> BulkScorer:
        """Builds that a scenario cannot tell apart fight once."""
        from buildsearch.systems.animon.game import AnimonBulk

        return AnimonBulk(self.game(rules), space, tuple(metric.name for metric in self.metrics))

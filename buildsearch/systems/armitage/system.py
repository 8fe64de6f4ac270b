"""Armitage as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from buildsearch.engines.games import StatedSystem
from buildsearch.model.evaluation import Fight, Replayer
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import BuildSpace
from buildsearch.systems.armitage.bouts import duel_against, make_bouts
from buildsearch.systems.armitage.builds import levers
from buildsearch.systems.armitage.parameters import FIGHT_OPTIONS, PARAMETERS, TITLE
from buildsearch.systems.armitage.rules import checks
from buildsearch.systems.armitage.rules.describe import describe_options
from buildsearch.systems.armitage.rules.metrics import METRICS
from buildsearch.systems.armitage.rules.model import ArmitageRules
from buildsearch.systems.armitage.rules.scenarios import ArmitageScenarios
from buildsearch.systems.armitage.rules.settings import read_settings


class ArmitageSystem(StatedSystem):
    """Parties of combatants with decks of cards; the build is one of them."""

    id = "armitage"
    title = TITLE
    rules_model = ArmitageRules
    scenarios_model = ArmitageScenarios
    parameters = PARAMETERS
    fight_options = FIGHT_OPTIONS
    metrics = METRICS
    leaderboard_columns = ("stats", "deck")

    check_rules = staticmethod(checks.check_rules)
    check_scenarios = staticmethod(checks.check_scenarios)
    options = staticmethod(describe_options)
    accounts = staticmethod(levers.accounts)
    levers = staticmethod(levers.levers)

    def space(self, rules: Any, parameters: Mapping[str, str]) -> BuildSpace:
        """Stat lines and decks."""
        # Here and not above: the enumeration kernels are slow to import.
        from buildsearch.systems.armitage.builds.space import ArmitageSpace

        return ArmitageSpace(rules, read_settings(rules, parameters))

    def fights(
        self, rules: Any, scenarios: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Mapping[str, Fight]:
        """The bouts of a scenario set."""
        return make_bouts(rules, scenarios, read_settings(rules, parameters), options)

    def match(
        self, rules: Any, build: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Fight:
        """One against one."""
        return duel_against(rules, build, options)

    def game(self, rules: Any) -> Any:
        """The statement, and what is said of it."""
        from buildsearch.systems.armitage.game import ArmitageGame

        return ArmitageGame(rules)

    def bulk(self, rules: Any, space: Any) -> BulkScorer:
        """Batches."""
        from buildsearch.systems.armitage.bulk import ArmitageBulk

        return ArmitageBulk(rules, space)

    def replayer(self, rules: Any) -> Replayer:
        """It knows how often cards are in hand, too."""
        from buildsearch.systems.armitage.game import ArmitageReplayer

        return ArmitageReplayer(self.game(rules))

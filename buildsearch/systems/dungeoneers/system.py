"""Dungeoneers as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from buildsearch.engines.games import StatedSystem
from buildsearch.engines.wins import win_metrics
from buildsearch.model.evaluation import Metric, Scale
from buildsearch.model.rules_file import RULING, Variation
from buildsearch.model.space import BuildSpace
from buildsearch.systems.dungeoneers.bouts import make_bouts
from buildsearch.systems.dungeoneers.builds import levers
from buildsearch.systems.dungeoneers.parameters import FIGHT_OPTIONS, PARAMETERS, TITLE
from buildsearch.systems.dungeoneers.rules import checks
from buildsearch.systems.dungeoneers.rules.describe import describe_options
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules, DungeoneersScenarios
from buildsearch.systems.dungeoneers.rules.settings import read_settings


class DungeoneersSystem(StatedSystem):
    """One hero of attributes and gear against a list of foes."""

    id = "dungeoneers"
    title = TITLE
    rules_model = DungeoneersRules
    scenarios_model = DungeoneersScenarios
    parameters = PARAMETERS
    fight_options = FIGHT_OPTIONS
    metrics = (
        *win_metrics("win", ("life", "life left"), "draw"),
        Metric("loss", "losses", higher_is_better=False, low=0, high=1, scale=Scale.PROBABILITY),
    )
    leaderboard_columns = ("attributes", "weapon", "armour", "spells")

    check_rules = staticmethod(checks.check_rules)
    check_scenarios = staticmethod(checks.check_scenarios)
    options = staticmethod(describe_options)
    bouts = staticmethod(make_bouts)
    accounts = staticmethod(levers.accounts)
    levers = staticmethod(levers.levers)

    def space(self, rules: Any, parameters: Mapping[str, str]) -> BuildSpace:
        """Attribute lines and gear."""
        # Here and not above: the enumeration kernels are slow to import.
        from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace

        return DungeoneersSpace(rules, read_settings(rules, parameters))

    def game(self, rules: Any) -> Any:
        """The statement, and what is said of it."""
        from buildsearch.systems.dungeoneers.game import DungeoneersGame

        return DungeoneersGame(rules)

    def variations(self, rules: Any) -> tuple[Variation, ...]:
        """Every other ruling; attributes are what builds choose."""
        draws = "draw_value=0.5" if rules.rulings.draw_value == 0 else "draw_value=0"
        return (*super().variations(rules), Variation(RULING, draws, (draws,)))

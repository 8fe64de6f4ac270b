"""What systems have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from buildsearch.model.evaluation import Evaluator, Fight, Metric, Replayer
from buildsearch.model.parameter import Parameter
from buildsearch.model.rules_file import Relation, Variation
from buildsearch.model.scorer import BulkScorer
from buildsearch.ruleset.schema import ruling_alternatives

if TYPE_CHECKING:
    from buildsearch.engines.stated_game import StatedGame


class Game:
    """A system but for what only itself knows; see `model.system` for what each part means."""

    parameters: tuple[Parameter, ...]
    fight_options: tuple[Parameter, ...]
    metrics: tuple[Metric, ...]
    relations: tuple[Relation, ...] = ()
    bouts: Callable[[Any, Any, Mapping[str, str]], Mapping[str, Fight]]

    def fights(
        self, rules: Any, scenarios: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Mapping[str, Fight]:
        """The bouts of a scenario set, or one that the command line makes up; no parameter changes them."""
        return self.bouts(rules, scenarios, options)

    def variations(self, rules: Any) -> tuple[Variation, ...]:
        """Every other ruling; where builds choose all stats, there is nothing else to vary."""
        return ruling_alternatives(rules.rulings)


class StatedSystem(Game):
    """A system whose fight is a statement. Engines are slow to import, so methods do."""

    @abstractmethod
    def game(self, rules: Any) -> StatedGame:
        """What the game says besides its statement."""

    def evaluators(self, rules: Any) -> tuple[Evaluator, ...]:
        """All of them run the statement: solved, best played, sampled, in plain Python."""
        from buildsearch.engines.stated_game import stated_evaluators

        return stated_evaluators(self.game(rules))

    def bulk(self, rules: Any, space: Any) -> BulkScorer:
        """Builds that a scenario cannot tell apart are solved once."""
        from buildsearch.engines.stated_game import StatedBulk

        return StatedBulk(self.game(rules), space, tuple(metric.name for metric in self.metrics))

    def replayer(self, rules: Any) -> Replayer:
        """The statement in plain Python."""
        from buildsearch.engines.stated_game import StatedReplayer

        return StatedReplayer(self.game(rules))

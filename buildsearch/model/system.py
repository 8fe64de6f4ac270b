"""The protocol of a game's system, and the capabilities that it may have besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from buildsearch.model.errors import ProblemSink
from buildsearch.model.evaluation import Evaluator, Fight, Metric, Replayer
from buildsearch.model.parameter import Parameter
from buildsearch.model.rules_file import Option, Relation, RulesEnvelope, ScenariosEnvelope, Variation
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import BuildSpace


class System(Protocol):
    """A family of games that share mechanics. Rules files say which system reads them."""

    @property
    def id(self) -> str:
        """The word in a file's `system:`."""

    @property
    def title(self) -> str:
        """The name that people read."""

    @property
    def rules_model(self) -> type[RulesEnvelope]:
        """The checked shape of its rules files."""

    @property
    def scenarios_model(self) -> type[ScenariosEnvelope]:
        """The checked shape of its scenario files."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a space needs to be told besides the rules."""

    @property
    def fight_options(self) -> tuple[Parameter, ...]:
        """What may be changed about fights on the command line."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What its evaluators measure, the primary metric first."""

    @property
    def leaderboard_columns(self) -> tuple[str, ...]:
        """The columns of a ranked table that only this system knows."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The parts of its rules files whose meaning is pairs, however they are spelt."""

    def check_rules(self, rules: Any, problems: ProblemSink) -> None:
        """Report what a shape cannot say: unknown ids, contradictions, holes."""

    def check_scenarios(self, scenarios: Any, problems: ProblemSink) -> None:
        """The same for a scenario file."""

    def options(self, rules: Any) -> tuple[Option, ...]:
        """Everything the rules offer, in words and numbers."""

    def space(self, rules: Any, parameters: Mapping[str, str]) -> BuildSpace:
        """The builds that are legal under these rules and parameters; raises UsageError."""

    def fights(
        self, rules: Any, scenarios: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Mapping[str, Fight]:
        """The fights of a scenario set by name, with changes; raises UsageError."""

    def evaluators(self, rules: Any) -> tuple[Evaluator, ...]:
        """Ways to score, the best first."""

    def bulk(self, rules: Any, space: Any) -> BulkScorer:
        """Scores of many builds of its space at once."""

    def variations(self, rules: Any) -> tuple[Variation, ...]:
        """Other rulings and stats that an answer should hold under."""

    def replayer(self, rules: Any) -> Replayer:
        """Who plays single fights to look at."""


@runtime_checkable
class Meets(Protocol):
    """A system whose builds can fight one another, and whose first metric is then the chance to win.

    A draw counts as one half. Whoever is scored in the match against B stands alone against B, who is played
    by the same rules and as well: what A wins against B, B loses against A.
    """

    def match(
        self, rules: Any, build: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Fight:
        """The fight of whatever build against this one; raises UsageError where the two are not alike."""


@runtime_checkable
class NeedsTargets(Protocol):
    """A system with options that only do something against certain enemies."""

    def absent_targets(self, rules: Any, fights: Mapping[str, Any]) -> Mapping[str, str]:
        """By option, the enemy that it needs and that none of these fights has: `an enemy of 250 HP`."""


@dataclass(frozen=True, slots=True)
class Unscored:
    """A metric that players care about and that scores leave out, and the sentence that says so."""

    metric: str
    sentence: str


@runtime_checkable
class LeavesOut(Protocol):
    """A system whose scores may leave something out: leaderboards show it beside the score."""

    def unscored(self, rules: Any) -> Unscored | None:
        """What is left out under these rules; None where nothing is."""


@dataclass(frozen=True, slots=True)
class Dial:
    """A whole number of a fight that may be turned from `low` to `high`; `usual` is where it stands."""

    name: str
    low: int
    high: int
    usual: int


@runtime_checkable
class Strainable(Protocol):
    """A system whose fights can be made up."""

    def dials(self, rules: Any, scenarios: Any) -> tuple[Dial, ...]:
        """What may be turned in fights like those of a scenario set, within the game's own scale."""

    def strained(self, rules: Any, scenarios: Any, values: Mapping[str, int]) -> dict[str, Any]:
        """The scenario file of one such fight, as plain data."""

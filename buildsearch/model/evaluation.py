"""What a fight measures, what an evaluator says about a build, and a fight told event by event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from buildsearch.model.arrays import Floats
from buildsearch.model.text import three_digits

# Scores are rounded to six decimals: ranks use the numbers that files hold. Exact means are proved to half of
# the last one.
DECIMALS = 6
# Exact scores that differ by no more are tied: each is off by half a decimal, and rounded by half of one.
TIE = 2e-6


class Scale(StrEnum):
    """How two values of a metric are compared: by ratio, by odds, or by difference."""

    POSITIVE = "positive"
    PROBABILITY = "probability"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that an evaluator reports for a build in a scenario.

    Whoever reads a leaderboard is told where it is above `remarkable_above`. Differences of a metric that is
    neither positive nor a probability are parts of its `span`; without one, of what the builds of a run
    spread over. One that `counts_steps` grows by whole steps, so that its mean says how most fights end. In
    sentences a build `verb` so much `unit`: "wins in" 3 "turns".
    """

    name: str
    label: str
    higher_is_better: bool
    low: float | None = None
    high: float | None = None
    remarkable_above: float | None = None
    scale: Scale = Scale.POSITIVE
    span: float | None = None
    counts_steps: bool = False
    unit: str = ""
    verb: str = "scores"


@dataclass(frozen=True, slots=True)
class ScoreWords:
    """How people say a score: `2.52 turns`, `98.4%`."""

    metric: Metric | None

    def say(self, score: float) -> str:
        """With its unit."""
        unit = f" {self.metric.unit}" if self.metric is not None and self.metric.unit else ""
        return f"{self.number(score)}{unit}"

    @property
    def unit(self) -> str:
        """What it counts."""
        return "" if self.metric is None else self.metric.unit

    @property
    def is_share(self) -> bool:
        """Whether scores are said in percent."""
        return self.metric is not None and self.metric.scale is Scale.PROBABILITY

    def exactly(self, score: float) -> str:
        """Its number for a list or a column, with all of its three digits: `7.20`."""
        return self.number(score) if self.is_share else three_digits(score)

    def number(self, score: float) -> str:
        """Three digits; a share is never rounded to nothing or to all."""
        if not self.is_share:
            return f"{score:.3g}" if abs(score) < 1000 else f"{score:,.0f}"
        if 0 < score < 0.001 or 0.999 < score < 1:
            return "<0.1%" if score < 0.5 else ">99.9%"
        return f"{score:.1%}"

    def does(self, score: float) -> str:
        """What a build with that score does: `wins in 2.52 turns`."""
        return f"{self._verb} {self.say(score)}"

    def instead(self, left: float, best: float) -> str:
        """What a build does that is left: `needs 6.26 turns, not 2.52`."""
        verb = "needs" if self._verb.endswith(" in") else self._verb
        return f"{verb} {self.say(left)}, not {self.number(best)}"

    @property
    def _verb(self) -> str:
        return "scores" if self.metric is None else self.metric.verb


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error and its 95 % interval; an exact number has neither."""

    value: float
    se: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Sampling:
    """How much to sample: so many fights, or until the primary metric's interval is narrow enough."""

    fights: int
    seed: int = 0
    jobs: int = 1
    target_error: float | None = None  # relative half-width of the 95 % interval


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The metrics of one build in one fight. The primary metric comes with its distribution.

    `distribution[i]` is the number of fights (or the probability, when exact) with the outcome `i * step`.
    """

    method: str
    primary: str
    estimates: Mapping[str, Estimate]
    stdev: float
    quantiles: Mapping[str, float]
    distribution: Floats
    fights: int | None
    seed: int | None
    step: float = 1.0
    why_sampled: str | None = None  # where an exact engine was asked first: why it could not


class Fight(Protocol):
    """A scenario that is ready to be fought; everything else about it is the system's."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def weight(self) -> float:
        """Its share in a combined score."""


class Evaluator(Protocol):
    """One way to score. `auto` takes the first that supports what is asked."""

    @property
    def method(self) -> str:
        """exact, sampled or reference."""

    @property
    def default_fights(self) -> int:
        """How many fights to sample when nobody says; whatever takes a moment, not a coffee."""

    def why_not(self, build: Any, fight: Any) -> str | None:
        """The reason why it cannot score this build in this fight; None when it can."""

    def evaluate(self, build: Any, fight: Any, sampling: Sampling) -> Evaluation:
        """The metrics."""


@runtime_checkable
class Explains(Protocol):
    """An evaluator that worked out how to play, and can say it."""

    def explain(self, build: Any, fight: Any) -> tuple[str, ...]:
        """What is done when, as lines for people."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One fight, told twice: as lines for people, and as events for programs.

    Lines at the margin begin a turn; what happens in it is indented. Printers may colour lines by the words
    `defeated`, `miss` and `critical`.
    """

    seed: int
    value: float
    lines: tuple[str, ...]
    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class TriggerRate:
    """`usable`: share of the time that an option's condition held, None where it has none.

    `fired`: share of fights in which it changed a roll, damage or a death at least once.
    """

    usable: float | None
    fired: float


class Replayer(Protocol):
    """Plays single fights by the readable reference."""

    @property
    def brief(self) -> int:
        """So many fights as nobody has to wait for: what a report takes trigger rates from unless told."""

    def value(self, build: Any, fight: Any, seed: int) -> float:
        """The primary outcome of the fight with this seed."""

    def replay(self, build: Any, fight: Any, seed: int) -> Replay:
        """That fight in full."""

    def triggers(self, build: Any, fight: Any, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """How often each option with a condition or a trigger mattered."""

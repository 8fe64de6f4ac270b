"""What scoring a build in a fight gives, and who can do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


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
    distribution: NDArray[np.float64]
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
        """exact, mc or reference."""

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

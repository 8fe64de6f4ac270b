"""What a score measures, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
    spread over. One that `counts_steps` grows by whole steps, so that its mean says how most fights end.
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

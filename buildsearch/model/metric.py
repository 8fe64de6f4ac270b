"""What a score measures, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that an evaluator reports for a build in a scenario.

    Whoever reads a leaderboard is told where it is above `remarkable_above`.
    """

    name: str
    label: str
    higher_is_better: bool
    low: float | None = None
    high: float | None = None
    remarkable_above: float | None = None

"""How long each stage of a run took. Stages follow one another without a gap, so they add up to the whole."""

from __future__ import annotations

import time
from collections.abc import Mapping


class Stages:
    """A stopwatch: whatever has passed since the last mark belongs to the stage that is named now."""

    def __init__(self, begun: float | None = None) -> None:
        self._last = time.perf_counter() if begun is None else begun
        self._seconds: dict[str, float] = {}

    def mark(self, stage: str) -> None:
        """A stage ends."""
        now = time.perf_counter()
        self._add(stage, now - self._last)
        self._last = now

    def take(self, seconds: Mapping[str, float], rest: str) -> None:
        """Stages that somebody else has timed since the last mark end; what is left over goes to `rest`."""
        now = time.perf_counter()
        for stage, took in seconds.items():
            self._add(stage, took)
        self._add(rest, max(0.0, now - self._last - sum(seconds.values())))
        self._last = now

    def _add(self, stage: str, took: float) -> None:
        self._seconds[stage] = self._seconds.get(stage, 0.0) + took

    def rounded(self) -> dict[str, float]:
        """All stages in order, and `total`, which is their sum."""
        stages = {stage: round(took, 3) for stage, took in self._seconds.items()}
        return stages | {"total": round(sum(stages.values()), 3)}

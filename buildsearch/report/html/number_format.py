"""Numbers for a page: short, and never what JSON cannot say."""

from __future__ import annotations

import math
from collections.abc import Iterable

_DIGITS = 6


def short(value: float | None) -> float | None:
    """Six digits are more than anybody reads; unknown and infinite become nothing."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{float(value):.{_DIGITS}g}")


def shorts(values: Iterable[float | None]) -> list[float | None]:
    """The same for many."""
    return [short(value) for value in values]

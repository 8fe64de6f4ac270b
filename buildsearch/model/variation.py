"""Other ways to play the same game: what an answer should be robust against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

RULING, STATS = "ruling", "stats"


@dataclass(frozen=True, slots=True)
class Variation:
    """One change, as a request would say it: texts of rulings, and fight options by name."""

    kind: str
    label: str
    rulings: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

"""Fights that may be made up to try rules: what is turned, how far, and the scenario file that it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


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

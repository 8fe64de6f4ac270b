"""One thing a rules file offers, as `list` and `show` present it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Option:
    """An entry of the rules in words and numbers; `facts` are (label, text) pairs."""

    id: str
    kind: str
    name: str
    summary: str
    cost: int | None = None
    facts: tuple[tuple[str, str], ...] = field(default=())

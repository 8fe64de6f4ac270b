"""Parts of a rules file that mean pairs of options, however they are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Pair = tuple[str, str]
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A key of the rules whose list says which pairs there are.

    `pairs` gives every pair of checked rules once, with the path where it is written; pairs without a
    direction are in alphabetical order. `entry` writes one pair as an entry of that list.
    """

    field: str
    label: str
    pairs: Callable[[Any], Mapping[Pair, KeyPath]]
    entry: Callable[[Pair], Mapping[str, Any]]
    is_symmetric: bool

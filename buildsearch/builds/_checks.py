"""Whole numbers from outside, checked: the refusals that every problem here shares."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import SupportsIndex


def whole_number(value: SupportsIndex, name: str, least: int = 0) -> int:
    """Give the value as a plain integer, or say why it is none or too small."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {value!r}.") from None
    if number < least:
        raise ValueError(f"{name} must be {least} or more, not {number}.")
    return number


def whole_numbers(values: Iterable[SupportsIndex], name: str) -> tuple[int, ...]:
    """Give the values as plain integers of zero or more, or say which one is not."""
    return tuple(whole_number(value, f"{name} {place}") for place, value in enumerate(values))

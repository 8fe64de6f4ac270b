"""Numbers with their noun."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """`1 build`, `1,234 builds`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

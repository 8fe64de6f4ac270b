"""Builds as arguments; `-` stands for the lines of standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from buildsearch.files.safe_reading import MAX_TEXT
from buildsearch.model.errors import UsageError
from buildsearch.workflow.fight_setup import builds_in_lines

STANDARD_INPUT = "-"


def builds_of_arguments(texts: Sequence[str]) -> list[str]:
    """Build texts as they are, with standard input in the place of `-`; raises UsageError."""
    found: list[str] = []
    for text in texts:
        if text == STANDARD_INPUT:
            given = sys.stdin.read(MAX_TEXT + 1)
            if len(given) > MAX_TEXT:
                raise UsageError(
                    f"standard input has more than {MAX_TEXT:,} characters, and that is the limit."
                )
            found += builds_in_lines(given.splitlines(), "standard input")
        else:
            found.append(text)
    return found

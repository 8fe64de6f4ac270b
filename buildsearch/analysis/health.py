"""The one word about a game."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from buildsearch.analysis.findings import Finding, FindingSeverity

if TYPE_CHECKING:  # it brings kernels, and nothing is computed here
    from buildsearch.analysis.assessment import Assessment

# How viable an option must be to be called so.
VIABLE = 0.8


class Status(StrEnum):
    """Broken, healthy, or why neither is said."""

    BROKEN = "broken"
    HEALTHY = "healthy"
    TOO_SMALL = "too small"
    INCONCLUSIVE = "inconclusive"
    INCOMPLETE = "incomplete"

    @property
    def word(self) -> str:
        return self.value.capitalize()


def status(findings: Sequence[Finding], verdict: Assessment) -> Status:
    """Broken where an error is certain; healthy only where nothing stands against it."""
    if any(finding.is_error for finding in findings):
        return Status.BROKEN
    if verdict.flat is not None or any(finding.severity is FindingSeverity.ERROR for finding in findings):
        return Status.INCONCLUSIVE
    if verdict.too_small is not None:
        return Status.TOO_SMALL
    return Status.HEALTHY

"""What a designer should look at, in the order in which to read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

OVERPOWERED = "overpowered combination"
MUST_HAVE = "must-have"
DECIDED = "fight decided at once"
DOMINANT = "dominant group"
TOO_CHEAP = "option too cheap"
TOO_DEAR = "option too dear"
HOPELESS = "option nobody should take"
ERROR = "error in rules or scenarios"
FLAT = "fights that tell nothing"
OUTCLASSING = "outclassing option"
DOMINATED = "dominated option"
DEAD = "dead rule"

# The order in which a designer should read.
ORDER = (
    ERROR,
    FLAT,
    OVERPOWERED,
    MUST_HAVE,
    DECIDED,
    DOMINANT,
    TOO_CHEAP,
    TOO_DEAR,
    HOPELESS,
    OUTCLASSING,
    DOMINATED,
    DEAD,
)


class Severity(StrEnum):
    """How much a finding counts: the game is broken, or it could be better."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause: who, in a sentence, with the numbers behind it, builds as evidence, and what cures it.

    `culprits` are options by the names of the rules. `is_open`: sampled scores leave it undecided. `holds`
    says under which other readings of the rules it was looked at, and held.
    """

    kind: str
    severity: Severity
    culprits: tuple[str, ...]
    text: str
    cures: tuple[str, ...] = ()
    builds: tuple[int, ...] = ()
    is_open: bool = False
    is_exact: bool = True
    holds: str = ""
    numbers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def certainty(self) -> str:
        """How sure it is, in words."""
        if self.is_open:
            return "open: sampled scores leave it undecided"
        return "exact" if self.is_exact else "sampled, beyond its sampling error"


def in_order(findings: list[Finding]) -> list[Finding]:
    """The worst first."""
    return sorted(
        findings, key=lambda finding: (finding.severity is not Severity.ERROR, ORDER.index(finding.kind))
    )

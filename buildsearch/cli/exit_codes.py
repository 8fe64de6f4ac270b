"""How a run ended, for scripts; the README lists them."""

from __future__ import annotations

FINE = 0
FINDINGS = 1
BAD_INPUT = 2
INTERNAL = 3
INCONCLUSIVE = 4
INTERRUPTED = 130

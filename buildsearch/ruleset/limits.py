"""How large a document may be. Far above any real ruleset, far below what hurts the machine."""

from __future__ import annotations

MAX_BYTES = 2_000_000
MAX_DEPTH = 64
MAX_NODES = 200_000  # counted after aliases are expanded, so that a small file cannot unfold into a huge one
MAX_ANCESTORS = 8  # of a file that extends another
MAX_INT_DIGITS = 18  # fits a signed 64-bit integer, which is what the kernels compute with

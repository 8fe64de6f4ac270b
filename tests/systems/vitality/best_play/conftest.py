"""Tiny rules and the brute force come from the tests of the exact engine."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "exact"))

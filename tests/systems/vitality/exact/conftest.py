"""Without the JIT only a part of these tests is run: enough for coverage, not for patience."""

from __future__ import annotations

from pathlib import Path

import pytest
from numba import config

HERE = Path(__file__).parent
# On the full-size rules a test takes minutes without compiled code; on tiny rules one in eight is run.
FULL_SIZE = ("exact_kernel", "exact_goldens", "exact_batch", "exact_evaluator")
ONE_IN = 8


def pytest_collection_modifyitems(items):
    if not config.DISABLE_JIT:
        return
    skip = pytest.mark.skip(reason="too slow without compiled code; `make test` runs it")
    tiny = [item for item in items if HERE in item.path.parents and "tiny_batch" not in item.path.name]
    for i, item in enumerate(tiny):
        is_slow = "random_builds" in item.name or any(name in item.path.name for name in FULL_SIZE)
        if i % ONE_IN or is_slow:
            item.add_marker(skip)

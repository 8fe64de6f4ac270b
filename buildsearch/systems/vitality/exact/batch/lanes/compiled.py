"""How the kernels in here are compiled: only `solving.solve_pairs` is called from Python.

Without a wrapper for calls from Python, which takes numba long for arguments of many arrays.
"""

from __future__ import annotations

from typing import Any

from numba import njit

# numba's own types do not know the last of these.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cpython_wrapper": True}
inner = njit(**_OPTIONS)

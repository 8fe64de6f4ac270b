"""How kernels are compiled that only other kernels call.

Without a wrapper for calls from Python, which takes numba long for arguments of many arrays.
"""

from __future__ import annotations

from typing import Any

from numba import njit

# numba's own types do not know the last two of these.
_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
inner = njit(**_OPTIONS)

"""How the kernels in here are compiled: only `solving.solve_pairs` is called from Python.

Without a wrapper for calls from Python, which takes numba long for arguments of many arrays.
"""

from __future__ import annotations

from numba import njit

inner = njit(cache=True, nogil=True, no_cpython_wrapper=True)  # type: ignore[call-overload]

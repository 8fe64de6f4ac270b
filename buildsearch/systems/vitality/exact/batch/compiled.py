"""What is in many kernels that only other kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import config, njit
from numpy.typing import NDArray

from buildsearch.engines.inner_kernels import inner

__all__ = ["glue", "inner", "set_all", "set_part", "uncounted"]

# For functions that are handed arrays and allocate none: without counts of references to them, which took
# half of the time where enemies have few HP (`engines.uncounted` says when that is safe). numba's own types
# do not know all of these.
_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
uncounted = njit(**_OPTIONS)
# Functions that only call others are put into their caller as they stand: numba optimises what a function
# calls once more together with it, so that a level in between costs about as much as all that is below it.
# Measured with solve_pairs: 26.4 instead of 32.5 s of CPU to compile.
glue = njit(inline="always")


def _set_part(array: NDArray[Any], start: int, stop: int, value: Any) -> None:
    array[start:stop] = value


@inner
def _set_part_in_a_loop(array: NDArray[Any], start: int, stop: int, value: Any) -> None:
    for i in range(start, stop):
        array[i] = value


@inner
def set_all(array: NDArray[Any], value: Any) -> None:
    """Make every number of a row the same."""
    set_part(array, 0, len(array), value)


# Make numbers of a row the same, from the start up to the stop. Slices take numba long to compile.
set_part: Callable[..., None] = _set_part if getattr(config, "DISABLE_JIT", False) else _set_part_in_a_loop

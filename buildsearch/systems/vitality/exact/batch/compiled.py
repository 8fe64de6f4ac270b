"""What is in many kernels that only other kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import config
from numpy.typing import NDArray

from buildsearch.engines.jit import step_without_refcounts


def _set_part(array: NDArray[Any], start: int, stop: int, value: Any) -> None:
    array[start:stop] = value


@step_without_refcounts
def _set_part_in_a_loop(array: NDArray[Any], start: int, stop: int, value: Any) -> None:
    for i in range(start, stop):
        array[i] = value


@step_without_refcounts
def set_all(array: NDArray[Any], value: Any) -> None:
    """Make every number of a row the same."""
    set_part(array, 0, len(array), value)


# Make numbers of a row the same, from the start up to the stop. Slices take numba long to compile.
set_part: Callable[..., None] = _set_part if getattr(config, "DISABLE_JIT", False) else _set_part_in_a_loop

"""How steps of kernels are compiled that are handed arrays and allocate none.

numba counts a reference to every array that a function is handed or takes out of a record. In steps of a few
instructions that was half of the time, and needless: whoever calls the kernel holds its arrays. An option
that is not said is taken over from the caller, so a step that does allocate has to say that it is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from numba import njit

from buildsearch.engines.inner_kernels import inner, inner_uncounted, take_constants_as_numbers

_Function = TypeVar("_Function", bound=Callable[..., Any])
_compiled: Any = njit  # its types do not know the option


def _kept(function: _Function, *, counts: bool) -> _Function:
    compiled: Any = _compiled(cache=True, nogil=True, _nrt=counts)(function)
    take_constants_as_numbers(compiled)
    return compiled  # type: ignore[no-any-return]


# Steps that only kernels call; kernels, and steps that Python calls too.
uncounted = inner_uncounted
counted = partial(inner, _nrt=True)
uncounted_kept = partial(_kept, counts=False)
counted_kept = partial(_kept, counts=True)

"""The one machine instruction that the kernels lean on, with its plain Python statement.

Numba 0.68 has no public count-trailing-zeros. An overload keeps one name for both worlds: compiled code gets
the instruction, code run with NUMBA_DISABLE_JIT=1 gets the Python below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload


def lowest_index(word: np.uint64) -> int:
    """Give the index of the lowest set bit of a word that is not zero."""
    bits = int(word)
    return (bits & -bits).bit_length() - 1


# Only the compiler runs what follows, and coverage is measured without it.


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:  # pragma: no cover
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # True: a zero word is undefined, which saves its test on machines that have no tzcnt.
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    # Signed, because an index that is uint64 turns to float64 as soon as it meets an int64.
    return types.int64(types.uint64), codegen


@overload(lowest_index, strict=False)
def _compiled_lowest_index(word: Any) -> Callable[[Any], Any]:  # pragma: no cover
    def compiled(word: Any) -> Any:
        # Numba hands the typing context in; the stub that mypy reads does not know that.
        return _cttz(word)  # type: ignore[call-arg]

    return compiled

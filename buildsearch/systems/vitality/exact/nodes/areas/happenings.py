"""What one area attack did, as far as the rest of the turn and the next turn's choice ask for it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Nobody was hit; somebody was, unharmed; somebody was harmed and nobody fell; somebody fell, and one who
# lives was hit; somebody fell, and nobody who lives was hit; the last of a wave fell. As a chain's ends.
MISSED, TOUCHED, HARMED, FELL, FELL_ALONE, CLEARED = range(6)
HAPPENINGS = 5  # of parts of a field; that a wave is over is seen from the field


def _together(one: int, other: int) -> int:
    if max(one, other) < FELL:
        return max(one, other)
    one_hit = {one, other} & {TOUCHED, HARMED, FELL}
    return FELL if one_hit else FELL_ALONE


# What happened to two parts of a field is this to both together.
TOGETHER: NDArray[np.int64] = np.array(
    [[_together(one, other) for other in range(HAPPENINGS)] for one in range(HAPPENINGS)]
)


def told_apart(*, harm: bool, defeats: bool, hits: bool) -> tuple[int, ...]:
    """By happening the one that stands for it, where nobody asks for more; with hits all count.

    Fewer happenings make smaller kernels. Parts can still be put together: `TOGETHER` of two that stand for
    others is what stands for both.
    """
    if hits:
        return (MISSED, TOUCHED, HARMED, FELL, FELL_ALONE)
    harmed = HARMED if harm else MISSED
    fell = FELL if defeats else harmed
    return (MISSED, MISSED, harmed, fell, fell)

"""Many compiled plans at once: what each has of its own, and tables whose rows they share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Pack(NamedTuple):
    """Plans by number. The rows of a plan's tables are gathered from the shared ones when it is played."""

    setups: NDArray[np.void]
    contents: NDArray[np.uint64]
    foes: NDArray[np.void]  # a row of foes for each way to be defeated
    foes_of: NDArray[np.int64]
    first_row: NDArray[np.int64]  # of a plan in `rows`; one more than there are plans
    rows: NDArray[np.int64]  # rows of the shared tables
    strikes: NDArray[np.int64]
    grids: NDArray[np.uint16]  # one after another
    grid_at: NDArray[np.int64]  # where the grid of a row begins
    naturals: NDArray[np.int64]  # basic and special, by kind of dice
    totals: NDArray[np.int64]
    dice_of: NDArray[np.int64]
    retaliation: NDArray[np.int64]
    retaliation_in_full: NDArray[np.int64]  # on those who leech

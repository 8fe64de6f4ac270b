"""The enemies of an encounter in the order in which they fall, and tables of damage by row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Damage rarer than this in all is left out of values; it stays among what defeats.
NEGLIGIBLE = 1e-14


class Places(NamedTuple):
    """Enemies in the order in which they are attacked."""

    strike_class: NDArray[np.int64]
    max_hp: NDArray[np.int64]
    ends_wave: NDArray[np.int64]


class Damages(NamedTuple):
    """Turns' damage, each distinct one a row, and where those of basic attacks and of profiles are.

    What is said of a damage below a row's last does not depend on how long the row is.
    """

    chances: NDArray[np.float64]  # by damage; the last of a row is "so much or more"
    at_least: NDArray[np.float64]  # their sums from the end
    touched: NDArray[np.float64]  # a hit without damage
    # Between these all damage lies but for a chance of `NEGLIGIBLE`.
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    # The same where the first damaging strike counts twice; empty where nothing bleeds.
    echoes: NDArray[np.float64]
    echo_at_least: NDArray[np.float64]
    echo_highest: NDArray[np.int64]
    # By class of enemy the basic attack's row; level after level the rows of attacks (`Profiles.starts`).
    basic: NDArray[np.int64]
    rungs: NDArray[np.int64]

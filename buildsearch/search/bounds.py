"""Bounds on a mean that hold at every moment at once, however long one goes on sampling.

Bet on "the mean is above m": after each outcome x the capital is multiplied by 1 + l (x - m). If the mean is
m or less, the capital is a supermartingale, and the chance that it ever reaches 1/alpha is at most alpha
(Ville). So every m whose gambler got that rich is ruled out, at any time, and it does not matter why one
stopped. For outcomes of at least `low` and l (m - low) <= b < 1,

    log(1 + y) >= y - c y^2   for y >= -b,  c = (-log(1 - b) - b) / b^2

so the logarithm of the capital is at least l (S1 - n m) - c l^2 (S2 - 2 m S1 + n m^2): counts, sums and
squares are all that is needed. The capital falls as m grows, so the largest m that is ruled out this way
rules out everything below. Several stakes l share alpha between them; several b may look at the same capital.
Stakes of nearly all (b near 1) count where outcomes hardly vary: there they need half the fights of stakes
of a half. (Howard, Ramdas, McAuliffe, Sekhon 2021; Waudby-Smith and Ramdas 2024.)
"""

from __future__ import annotations

import math

import numpy as np

from buildsearch.model.arrays import Floats, Ints

# How much of the capital a stake may lose at most, and the c for it.
_PARTS = tuple((b, (-math.log(1 - b) - b) / (b * b)) for b in (0.5, 0.8, 0.95, 0.99))
# Stakes as multiples of 1 / (2 range): small ones for many fights, large ones for means near the low end, and
# those of nearly all for means near the high end.
_STAKES = np.append(2.0 ** np.arange(-10, 13), (1.6, 1.9, 1.98))


def lower_bounds(
    fights: Ints | int, sums: Floats, squares: Floats, low: float, high: float, alpha: float
) -> Floats:
    """What each mean is at least, all the time, but with chance alpha each."""
    n = np.asarray(fights, dtype=np.float64)
    if not high > low:
        return np.full(np.shape(sums), low)
    # Measured from the low end: the outcomes are not negative then.
    s1 = np.maximum(sums - n * low, 0.0)
    s2 = np.maximum(squares - 2 * low * sums + n * low * low, 0.0)
    needed = math.log(len(_STAKES) / alpha)
    best = np.zeros(np.broadcast_shapes(np.shape(sums), np.shape(n)))
    for stake in _STAKES / (2 * (high - low)):
        for part, factor in _PARTS:
            # c l^2 n m^2 + (l n - 2 c l^2 s1) m + (needed - l s1 + c l^2 s2) <= 0, the larger root.
            a = factor * stake * stake * n
            b = stake * n - 2 * factor * stake * stake * s1
            c = needed - stake * s1 + factor * stake * stake * s2
            inside = b * b - 4 * a * c
            with np.errstate(invalid="ignore", divide="ignore"):
                root = (-b + np.sqrt(inside)) / (2 * a)
                largest = part / stake
                # Beyond the largest m of this stake the bound says nothing: stay below, if it holds there.
                smaller = (-b - np.sqrt(inside)) / (2 * a)
                found = np.where(root <= largest, root, np.where(smaller <= largest, largest, 0.0))
            found = np.where((inside >= 0) & (found > 0), found, 0.0)
            best = np.maximum(best, found)
    return np.minimum(low + best, high)


def upper_bounds(
    fights: Ints | int, sums: Floats, squares: Floats, low: float, high: float, alpha: float
) -> Floats:
    """What each mean is at most: the lower bound of the outcomes seen from the other end."""
    n = np.asarray(fights, dtype=np.float64)
    turned = n * (low + high) - sums
    turned_squares = n * (low + high) ** 2 - 2 * (low + high) * sums + squares
    return low + high - lower_bounds(fights, turned, turned_squares, low, high, alpha)

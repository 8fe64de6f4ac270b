"""Honest numbers from integer counts: means, shares, quantiles, comparisons."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.evaluation import Estimate

Z95 = NormalDist().inv_cdf(0.975)
# What was not seen in n fights may still have a chance of up to about 3 / n (the rule of three).
_UNSEEN = 3.0


def least_error(fights: int) -> float:
    """No sample has an error of 0: what n fights did not show may still happen and move the mean."""
    return _UNSEEN / (Z95 * fights)


def mean_estimate(histogram: Ints) -> Estimate:
    """The mean outcome. Sums are integers, so no order of addition shows in the result.

    The interval is Student's, plus what fights that never happened could add: n fights that all took 15
    turns do not prove that none ever takes 16.
    """
    return mean_of_sums(*_moments(histogram))[0]


def mean_of_sums(fights: int, total: float, squares: float) -> tuple[Estimate, float]:
    """The mean outcome and its standard deviation, from the sums of outcomes and of their squares."""
    mean = total / fights
    variance = max(0.0, (squares * fights - total * total) / (fights * max(1, fights - 1)))
    plain = math.sqrt(variance / fights)
    half = math.hypot(_t95(fights - 1) * plain, _UNSEEN / fights)
    se = max(plain, least_error(fights))
    return Estimate(mean, se, mean - half, mean + half), math.sqrt(variance)


def estimate_of_error(mean: float, error: float, fights: int) -> Estimate:
    """A mean whose standard error is known, as `mean_of_sums` gives it; an error of 0 is exact.

    The least error that a sample is said to have stands for fights that were all the same.
    """
    if error == 0.0 or fights < 1:
        half = Z95 * error
    else:
        plain = error if error > least_error(fights) * (1 + 1e-12) else 0.0
        half = math.hypot(_t95(fights - 1) * plain, _UNSEEN / fights)
    return Estimate(mean, error, mean - half, mean + half)


def within(estimate: Estimate, least: float | None, most: float | None) -> Estimate:
    """An estimate whose interval ends where what it measures does: no fight takes less than a turn."""
    low = estimate.low if least is None else max(estimate.low, min(least, estimate.value))
    high = estimate.high if most is None else min(estimate.high, max(most, estimate.value))
    return Estimate(estimate.value, estimate.se, low, high)


def stdev(histogram: Ints) -> float:
    return mean_of_sums(*_moments(histogram))[1]


def share_estimate(successes: int, fights: int) -> Estimate:
    """A share with Wilson's interval, which holds near 0 and 1 too."""
    share = successes / fights
    spread = Z95 * Z95 / fights
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / fights + spread / (4 * fights))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == fights else min(1.0, centre + half)
    return Estimate(share, max(math.sqrt(share * (1 - share) / fights), least_error(fights)), low, high)


def ratio_estimate(numerator: float, denominator: Estimate) -> Estimate:
    """A constant divided by an estimate, its interval turned round."""
    value = numerator / denominator.value
    low, high = numerator / denominator.high, numerator / max(denominator.low, 1e-12)
    return Estimate(value, value * denominator.se / denominator.value, low, high)


def weighted_mean(estimates: list[Estimate], weights: list[float]) -> Estimate:
    total = math.fsum(weights)
    value = math.fsum(w * e.value for w, e in zip(weights, estimates, strict=True)) / total
    se = math.sqrt(math.fsum((w * e.se) ** 2 for w, e in zip(weights, estimates, strict=True))) / total
    below = math.sqrt(
        math.fsum((w * (e.value - e.low)) ** 2 for w, e in zip(weights, estimates, strict=True))
    )
    above = math.sqrt(
        math.fsum((w * (e.high - e.value)) ** 2 for w, e in zip(weights, estimates, strict=True))
    )
    return Estimate(value, se, value - below / total, value + above / total)


def quantile(distribution: Ints | Floats, share: float) -> int:
    """The smallest outcome that at least this share of fights does not exceed."""
    cumulative = np.cumsum(distribution)
    return int(np.searchsorted(cumulative, share * cumulative[-1] * (1 - 1e-12)))


def chance_of_less(first: Floats, second: Floats) -> float:
    """The chance that the first outcome is smaller than the second, independent of it, ties half."""
    size = max(len(first), len(second))
    a, b = np.zeros(size), np.zeros(size)
    a[: len(first)] = first / first.sum()
    b[: len(second)] = second / second.sum()
    above = 1 - np.cumsum(b)
    return float(a @ (above + b / 2))


def _moments(histogram: Ints) -> tuple[int, int, int]:
    outcomes = range(len(histogram))
    counts = histogram.tolist()
    return (
        sum(counts),
        sum(count * outcome for count, outcome in zip(counts, outcomes, strict=True)),
        sum(count * outcome * outcome for count, outcome in zip(counts, outcomes, strict=True)),
    )


def _t95(freedom: int) -> float:
    """Student's 97.5 % quantile, by its expansion around the normal one (Abramowitz and Stegun 26.7.5).

    scipy.stats has it too, and takes a second to import.
    """
    z, v = Z95, float(max(freedom, 1))
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )

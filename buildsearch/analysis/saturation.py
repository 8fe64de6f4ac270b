"""How often each option is among the best builds, next to its share in the whole space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from buildsearch.analysis.choices import Part, parts_of
from buildsearch.analysis.population import Population
from buildsearch.analysis.thresholds import SaturationThresholds
from buildsearch.evaluate.statistics import Z95
from buildsearch.files.large_arrays import stretches
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.evaluation import TIE

TOO_FEW = "too few builds"
# What the class of a curve says, in words: shown wherever classes are.
CLASSES = {
    "ubiquitous": "nearly every one of the very best builds has it",
    "staple": "most of the best builds have it",
    "top-heavy": "the very best builds have it, the merely good ones hardly",
    "inverted": "the good builds have it, the very best hardly",
    "volatile": "it comes and goes from one top to the next",
    "absent": "hardly any of the best builds has it",
    "balanced": "about as common at the very top as below it",
    TOO_FEW: "the space is too small for tops",
}
# Builds further than this many standard errors from the boundary are on their side of it.
_FAR = 6.0


@dataclass(frozen=True, slots=True)
class Cut:
    """The best `size` builds; `label` is how people say it."""

    label: str
    size: int
    is_top: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """One option over all cuts: shares T_N, lifts with their intervals, and the class of the curve."""

    part: Part
    base: float
    shares: tuple[float, ...]
    lifts: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Saturation:
    """Every option's curve, and whether a flat target can be met at all."""

    cuts: tuple[Cut, ...]
    curves: tuple[Curve, ...]
    mean_base: float
    target: tuple[float, float]

    @property
    def infeasible(self) -> str | None:
        """Why not every option can have a share within the target; None when it is possible."""
        low, high = self.target
        if low <= self.mean_base <= high:
            return None
        side = "above" if self.mean_base > high else "below"
        return (
            f"A flat target of {low:.0%} to {high:.0%} cannot be met: the mean share of an option over all "
            f"legal builds is {self.mean_base:.1%}, so some option is always {side} it. Compare lifts."
        )


def saturation(population: Population, limits: SaturationThresholds) -> Saturation:
    order = population.best_first
    loss = population.loss[order]
    cuts = make_cuts(len(order), limits)
    edges = [boundary(loss, cut.size) for cut in cuts]
    errors = population.scores.error[order]
    noise = [_noise(loss, errors, edge) for edge in edges]
    furthest = max((edge.end for edge in edges), default=0)
    chosen = [part for part in parts_of(population) if part.is_chosen or population.most[part.feature] == 1]
    curves = []
    for part in chosen:
        has = part.of(population)
        base = float(has.mean())
        if base == 0:
            continue
        found = running_count(has[order[:furthest]])
        shares = [edge.share(found) for edge in edges]
        spread = [_spread(each, has[order[each[0]]], cut.size) for each, cut in zip(noise, cuts, strict=True)]
        ends = [
            share_interval(share, cut.size, sd) for share, cut, sd in zip(shares, cuts, spread, strict=True)
        ]
        tops = [share for share, cut in zip(shares, cuts, strict=True) if cut.is_top]
        lifts = tuple(share / base for share in shares)
        kind = classify(tops, base, limits) if part.is_chosen else ""
        low, high = tuple(end[0] / base for end in ends), tuple(end[1] / base for end in ends)
        curves.append(Curve(part, base, tuple(shares), lifts, low, high, kind))
    flat = [curve for curve in curves if curve.part.is_chosen and curve.part.at_least == 1]
    return Saturation(
        cuts=tuple(cuts),
        curves=tuple(curves),
        mean_base=float(np.mean([curve.base for curve in flat])) if flat else 0.0,
        target=limits.target,
    )


def make_cuts(builds: int, limits: SaturationThresholds) -> list[Cut]:
    """The cuts that a space of so many builds has: a top as large as the space says nothing."""
    tops = [Cut(f"top {size:,}", size, True) for size in limits.tops if size < builds]
    shares = [Cut(f"top {share * 100:g} %", share_size(share, builds), False) for share in limits.shares]
    return [*tops, *(cut for cut in shares if cut.size < builds)]


def classify(tops: Sequence[float], base: float, limits: SaturationThresholds) -> str:
    """The class of a curve, the first that fits: the shares of the best N, and that of all builds."""
    if not tops:
        return TOO_FEW
    first, last = tops[0], tops[-1]
    mean = float(np.mean(tops))
    if max(tops) == 0 or last == 0 or mean < limits.dead_mean:
        return "absent"
    # What nearly all builds have anyway says nothing.
    if mean >= limits.common_lift * base:
        if min(tops[:2]) >= limits.must_have and min(tops) >= limits.staple:
            return "ubiquitous"
        if mean >= limits.staple:
            return "staple"
    if first > 0 and (first - last) / first > limits.top_heavy:
        return "top-heavy"
    if last > limits.inverted * first:
        return "inverted"
    if max(tops[1:-1], default=0.0) > limits.volatile * max(first, last):
        return "volatile"
    return "balanced"


def _noise(loss: Floats, error: Floats, edge: Boundary) -> tuple[Ints, Floats]:
    """The builds whose side of a boundary is not sure, and the variance of each one's being inside."""
    unsure = np.concatenate(
        [
            rows.start
            + np.flatnonzero((error[rows] > 0) & (np.abs(loss[rows] - edge.value) < _FAR * error[rows]))
            for rows in stretches(len(loss))
        ]
    )
    z = (edge.value - loss[unsure]) / error[unsure]
    inside = _normal(z)
    return unsure, inside * (1 - inside)


def _spread(noise: tuple[Ints, Floats], has: Bools, size: int) -> float:
    """The standard deviation of a share that is due to builds whose side is not sure.

    As many come in as go out, so only what a build has more than the other unsure ones makes a difference.
    """
    variance = noise[1]
    total = float(variance.sum())
    if total == 0:
        return 0.0
    mine = float(variance @ has)
    return math.sqrt(max(0.0, mine - mine * mine / total)) / size


@njit(cache=True, nogil=True)
def _normal(z: Floats) -> Floats:
    found = np.empty(len(z))
    for i in range(len(z)):
        found[i] = 0.5 * math.erfc(-z[i] / math.sqrt(2.0))
    return found


def share_interval(share: float, size: int, spread: float) -> tuple[float, float]:
    """Wilson's interval of a share of `size` builds, widened by what sampled scores leave open."""
    centre = (share + Z95**2 / (2 * size)) / (1 + Z95**2 / size)
    half = (
        Z95 * math.sqrt(max(0.0, share * (1 - share)) / size + Z95**2 / (4 * size**2)) / (1 + Z95**2 / size)
    )
    extra = Z95 * spread
    low = share - math.hypot(share - (centre - half), extra)
    high = share + math.hypot(centre + half - share, extra)
    return max(0.0, low), min(1.0, high)


@dataclass(frozen=True, slots=True)
class Boundary:
    """Of builds, the best first, `begin` are inside for sure; those up to `end` share what is left of `size`.

    `value` is the loss of the last one inside.
    """

    size: int
    begin: int
    end: int
    value: float

    def share(self, found: Ints) -> float:
        """The share of the top that has something, from how many of the first i builds have it."""
        inside = found[self.begin]
        tied = found[self.end] - inside
        return float(inside + tied * (self.size - self.begin) / (self.end - self.begin)) / self.size


def boundary(loss: Floats, size: int) -> Boundary:
    """Where the best `size` end; `loss` is sorted, the best first."""
    value = float(loss[size - 1])
    begin = int(np.searchsorted(loss, value - TIE, side="left"))
    end = int(np.searchsorted(loss, value + TIE, side="right"))
    return Boundary(size, begin, end, value)


def share_size(share: float, builds: int) -> int:
    """How many builds a share of all is, at least one."""
    return max(1, round(share * builds))


def running_count(has: Bools) -> Ints:
    """How many of the first i builds have something, from none on."""
    return np.concatenate([[0], np.cumsum(has)])

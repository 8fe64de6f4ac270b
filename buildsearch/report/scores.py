"""Scores as data and as pictures for a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.statistics import weighted_mean
from buildsearch.model.evaluation import Estimate, Evaluation

_BARS = " ▁▂▃▄▅▆▇█"


def combined(evaluations: Mapping[str, Evaluation], weights: Mapping[str, float]) -> Estimate:
    """The primary metric over all scenarios, weighted."""
    names = list(evaluations)
    primaries = [evaluations[name].estimates[evaluations[name].primary] for name in names]
    return weighted_mean(primaries, [weights[name] for name in names])


def evaluation_to_dict(evaluation: Evaluation) -> dict[str, Any]:
    """The numbers of one scenario; the primary metric comes with error and interval."""
    primary = evaluation.estimates[evaluation.primary]
    others = {name: estimate for name, estimate in evaluation.estimates.items() if name != evaluation.primary}
    return {
        evaluation.primary: primary.value,
        "se": primary.se,
        "ci95": [primary.low, primary.high],
        "stdev": evaluation.stdev,
        "quantiles": dict(evaluation.quantiles),
        **{name: estimate.value for name, estimate in others.items()},
        **{f"{name}_ci95": [estimate.low, estimate.high] for name, estimate in others.items()},
        "method": evaluation.method,
        "fights": evaluation.fights,
        "seed": evaluation.seed,
        **({} if evaluation.why_sampled is None else {"why_sampled": evaluation.why_sampled}),
    }


def say_sampled(reasons: Mapping[str, str | None]) -> list[str]:
    """A sentence for each reason why scenarios are sampled: `mixed and guard are sampled: ...`."""
    by_reason: dict[str, list[str]] = {}
    for scenario, reason in reasons.items():
        if reason is not None:
            by_reason.setdefault(reason, []).append(scenario)
    return [
        f"{' and '.join([', '.join(names[:-1]), names[-1]] if names[1:] else names)} "
        f"{'are' if names[1:] else 'is'} sampled: {reason}."
        for reason, names in by_reason.items()
    ]


def histogram_line(distribution: NDArray[np.float64], most_bars: int = 40, step: float = 1.0) -> str:
    """A distribution in one line: `3 ▁▃▇█▅▂▁ 17`, from the first outcome to the last one seen.

    Place i of the distribution is the outcome `i * step`.
    """
    # An exact distribution has no end: what one fight in a million shows is no part of a picture.
    seen = np.flatnonzero(distribution > distribution.sum() * 1e-6)
    first, last = int(seen[0]), int(seen[-1])
    width = math.ceil((last - first + 1) / most_bars)
    padded = np.zeros(math.ceil((last - first + 1) / width) * width)
    padded[: last - first + 1] = distribution[first : last + 1]
    bins = padded.reshape(-1, width).sum(axis=1)
    # A bar that stands for something is never blank.
    heights = np.ceil(bins / bins.max() * (len(_BARS) - 1)).astype(int)
    return f"{first * step:g} {''.join(_BARS[height] for height in heights)} {last * step:g}"

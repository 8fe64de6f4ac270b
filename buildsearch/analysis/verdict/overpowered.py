"""Builds far better than the reference level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.verdict.contest import Contest
from buildsearch.analysis.verdict.reach import Reference
from buildsearch.model.arrays import Ints

# A sampled score was picked for looking good: so many standard errors must lie between it and the limit.
SURE = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Overpowered:
    """The rows of builds that are overpowered for sure, and of those that may be; the best first."""

    limit: float
    sure: Ints
    open: Ints

    @property
    def rows(self) -> Ints:
        """All of them."""
        return np.concatenate([self.sure, self.open])


def overpowered(contest: Contest, reference: Reference | None) -> Overpowered:
    """Who beats the reference level by more than the margin, sampling errors minded."""
    if reference is None:
        return Overpowered(-np.inf, np.zeros(0, np.int64), np.zeros(0, np.int64))
    limit = reference.loss - contest.yardstick.margin
    rows = contest.better_than(limit)
    doubt = SURE * np.hypot(contest.errors[rows], reference.error)
    is_sure = contest.losses[rows] + doubt < limit
    return Overpowered(limit, rows[is_sure], rows[~is_sure])

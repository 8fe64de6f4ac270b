"""Whether one group, an attack type say, takes most of the top."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.thresholds import VerdictThresholds
from buildsearch.analysis.verdict.contest import Contest


@dataclass(frozen=True, slots=True)
class Dominant:
    """The group with most of the best `top` builds: how many, its share of all builds, the best of others."""

    group: str
    top: int
    builds: int
    share: float
    best_other: int | None
    accuses: bool


def dominant_group(contest: Contest, limits: VerdictThresholds) -> Dominant | None:
    """None where there is one group only, where groups are made of parts, or where the top is too small."""
    scores = contest.population.scores
    top = min(limits.dominant_top, len(contest.order) // 10)
    is_kind = set(scores.groups) <= set(contest.population.names)
    if len(scores.groups) < 2 or not is_kind or top < limits.dominant_fewest:
        return None
    counts = np.bincount(scores.group[contest.order[:top]], minlength=len(scores.groups))
    first = int(counts.argmax())
    share = float((scores.group[contest.order] == first).mean())
    builds = int(counts[first])
    return Dominant(
        group=scores.groups[first],
        top=top,
        builds=builds,
        share=share,
        best_other=contest.best(lambda rows: scores.group[rows] != first),
        # A group that is most of the space is most of its top too.
        accuses=builds >= limits.dominant_share * top and share <= limits.dominant_share / 2,
    )

"""Everything that the verdict accuses, and the builds that it names."""

from __future__ import annotations

from buildsearch.analysis.accused.bench import SHOWN, Bench
from buildsearch.analysis.accused.combinations import overpowered
from buildsearch.analysis.accused.mispriced import mispriced
from buildsearch.analysis.accused.needed import must_haves
from buildsearch.analysis.accused.tops import decided, dominant
from buildsearch.analysis.findings import FLAT, Finding, Severity
from buildsearch.analysis.verdict.verdict import Verdict


def accusations(bench: Bench) -> list[Finding]:
    """Everything that the verdict accuses; nothing where the space is too small to."""
    verdict = bench.verdict
    if verdict.flat is not None:
        return [Finding(FLAT, Severity.WARNING, (), verdict.flat, ("Use other scenarios.",))]
    if verdict.too_small is not None:
        return []
    return [
        *overpowered(bench),
        *must_haves(bench),
        *decided(bench),
        *dominant(bench),
        *mispriced(bench),
    ]


def shown_rows(verdict: Verdict) -> list[int]:
    """The rows of builds that accusations name."""
    rows = [verdict.contest.winner]
    for culprit in verdict.culprits.family:
        rows += culprit.rows[:SHOWN].tolist()
    losses = (*verdict.losses, *verdict.must_haves, *verdict.revealed, *verdict.pair_losses)
    rows += [loss.row for loss in losses if loss.row is not None]
    rows += [each.row for each in verdict.decided]
    rows += [reach.row for reach in verdict.reaches]
    rows += [rung.row for rung in verdict.ladder if rung.row is not None]
    rows += [level.best for level in verdict.levels]
    if verdict.dominant is not None and verdict.dominant.best_other is not None:
        rows.append(verdict.dominant.best_other)
    return list(dict.fromkeys(int(row) for row in rows))

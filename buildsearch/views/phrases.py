"""What several pages say alike: lists in words, columns of scores, findings and metrics for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from buildsearch.analysis.findings import Finding
from buildsearch.document.blocks import Column, Kind
from buildsearch.model.evaluation import Metric, ScoreWords

_MOST_LISTED = 8


def some_of(names: Sequence[str], most: int = _MOST_LISTED) -> str:
    """`a, b and 3 more`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def fixes(fixed: int, errors: int) -> str:
    """`fixes all 5 errors`, `fixes 2 of 5 errors`."""
    if fixed < errors:
        return f"fixes {fixed} of {errors} errors"
    return "fixes the error" if errors == 1 else f"fixes all {errors} errors"


def below_rules(below: Mapping[str, tuple[int, int]]) -> str:
    """`at budget 4 (the rules give 6)`: parameters with fewer points than the rules give."""
    mine = ", ".join(f"{name} {value}" for name, (value, _) in below.items())
    return f"at {mine} (the rules give {', '.join(str(usual) for _, usual in below.values())})"


def score_kind(words: ScoreWords) -> Kind:
    """How a column shows such scores."""
    return Kind.RATE if words.is_share else Kind.NUMBER


def score_column(name: str, head: str, words: ScoreWords | None) -> Column:
    """A column of scores, with their unit in its head."""
    if words is None:
        return Column(name, Kind.NUMBER, head)
    return Column(name, score_kind(words), f"{head}, {words.unit}" if words.unit else head)


def metric_data(metric: Metric | None) -> dict[str, Any] | None:
    if metric is None:
        return None
    return {"name": metric.name, "unit": metric.unit, "is_lower_better": not metric.higher_is_better}


def finding_data(finding: Finding) -> dict[str, object]:
    """A finding in short, under the names of `analyze --json`."""
    return {
        "code": finding.code.value,
        "severity": finding.severity.value,
        "subjects": list(finding.subjects),
        "text": finding.text,
    }

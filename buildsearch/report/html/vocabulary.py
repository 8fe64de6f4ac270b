"""The words that every page refers to by number: parts, groups, scenarios, metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from buildsearch.model.evaluation import Metric
from buildsearch.model.rules_file import Option


def vocabulary(
    options: Sequence[Option],
    names: Iterable[str],
    groups: Iterable[str],
    fights: Mapping[str, float],
    metrics: Sequence[Metric],
) -> dict[str, Any]:
    """Parts by `names` and groups, both in their order; `fights` are weights by name."""
    known = {option.id: option for option in options}
    return {
        "parts": [_part(name, known.get(name)) for name in names],
        "groups": [known[group].name if group in known else group for group in groups],
        "fights": list(fights),
        "weights": list(fights.values()),
        "primary": {"label": metrics[0].label, "up": metrics[0].higher_is_better},
        "metrics": {metric.name: metric.label for metric in metrics},
    }


def _part(name: str, option: Option | None) -> dict[str, Any]:
    if option is None:
        return {"id": name, "name": name, "cost": None, "summary": ""}
    return {"id": name, "name": option.name, "cost": option.cost, "summary": option.summary}

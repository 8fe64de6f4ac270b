"""What may be moved in Animon Story, which has no prices: how high a stat may go, and numbers of fights."""

from __future__ import annotations

from typing import Any

from buildsearch.model.levers import Account, Lever, limit_lever
from buildsearch.systems.animon.builds.number_levers import number_levers
from buildsearch.systems.animon.rules.model import STATS, AnimonRules


def accounts(rules: AnimonRules, space: Any) -> tuple[Account, ...]:
    """Nobody pays: the points of a stage are all spent, and each is as dear as another."""
    return ()


def levers(rules: AnimonRules, space: Any) -> tuple[Lever, ...]:
    """The highest stat of the highest stage, where builds count points above its least; numbers."""
    stage = space.settings.stage
    row = rules.stages[stage]
    words = f"Let no stat of {row.name} go above"
    # Lower, and not all points could be spent.
    fewest = -(-row.points // len(STATS))
    path = ("stages", stage, "most")
    most = row.most - row.least
    highest = limit_lever(f"{stage}.most", STATS, most, path, words=words, base=row.least, least=fewest)
    return (highest, *number_levers(rules, stage))

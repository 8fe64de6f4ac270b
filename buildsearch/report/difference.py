"""A difference of rules for programs."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from buildsearch.diffs.blame import Blames, Shift
from buildsearch.diffs.difference import DiffResult
from buildsearch.diffs.edits import RuleEdit
from buildsearch.diffs.moves import Legality, Placement
from buildsearch.ruleset.node import Position


def difference_to_dict(difference: DiffResult) -> dict[str, Any]:
    return {
        "higher_is_better": difference.higher_is_better,
        "edits": [_edit(edit) for edit in difference.comparison.edits],
        "builds": {
            "a": difference.builds[0],
            "b": difference.builds[1],
            "became_legal": _legality(difference.legal),
            "became_illegal": _legality(difference.illegal),
        },
        "moves": [
            {"build": move.build, "before": _standing(move.before), "after": _standing(move.after)}
            for move in difference.moves
        ],
        "front": None if difference.front is None else asdict(difference.front),
        "lift": [asdict(change) for change in difference.lifts],
        "edit_effects": None if difference.blames is None else _blames(difference.blames),
    }


def say_position(position: Position | None) -> str | None:
    """`file:line`; None where a side has no such thing."""
    if position is None:
        return None
    return position.source if position.line is None else f"{position.source}:{position.line}"


def _edit(edit: RuleEdit) -> dict[str, Any]:
    return {
        "kind": edit.kind.value,
        "subject": edit.subject,
        "label": edit.label,
        "before": edit.before,
        "after": edit.after,
        "a": say_position(edit.at_first),
        "b": say_position(edit.at_second),
    }


def _legality(legality: Legality) -> dict[str, Any]:
    return {
        "total": legality.total,
        "by_group": legality.by_group,
        "with_parts_of_one_side": legality.new_parts,
        "best": list(legality.examples),
        "best_standing": _standing(legality.standing),
    }


def _standing(standing: Placement | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    ranks = standing.ranks
    return {
        "rank": ranks.rank,
        "rank_low": ranks.best,
        "rank_high": ranks.worst,
        "score": _number(standing.score),
        "score_low": _number(ranks.low),
        "score_high": _number(ranks.high),
        "error": _number(standing.error),
    }


def _blames(blames: Blames) -> dict[str, Any]:
    return {
        "total": _shift(blames.total),
        "together": _shift(blames.together),
        "builds": blames.builds,
        "edits": [
            asdict(each) | {"alone": _shift(each.alone), "left_out": _shift(each.left_out)}
            for each in blames.each
        ],
    }


def _shift(shift: Shift | None) -> dict[str, Any] | None:
    return None if shift is None else {"best": _number(shift.best), "mean_of_top": _number(shift.mean)}


def _number(value: float) -> float | None:
    """JSON has no word for what is not a number."""
    return value if math.isfinite(value) else None

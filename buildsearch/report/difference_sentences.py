"""How a difference of rules is put in words, the same on a terminal and in Markdown."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from buildsearch.changes.blame import Blame, Shift
from buildsearch.changes.difference import Difference
from buildsearch.changes.edits import Edit, Kind
from buildsearch.changes.legality import Legality
from buildsearch.changes.lifts import LiftChange
from buildsearch.changes.moves import Move, Standing
from buildsearch.model.evaluation import TIE
from buildsearch.model.text import count
from buildsearch.report.difference import say_position
from buildsearch.ruleset.extends import from_here
from buildsearch.ruleset.messages import show
from buildsearch.ruleset.node import Position
from buildsearch.search.rank_ranges import say_score

_MOST_GROUPS = 6
_NOTHING = "-"
_IDS = re.compile(r"[^\s:]+")


def say_edit(edit: Edit, titles: Mapping[str, str] | None = None) -> str:
    """`power_attack: cost 1 -> 2`; `titles` are names for people, by the names of the files."""
    if edit.kind in (Kind.RENAMED, Kind.REORDERED):
        return edit.label
    label = titled(edit.label, titles or {})
    if edit.kind is Kind.CHANGED:
        return f"{label} {_value(edit.before)} -> {_value(edit.after)}"
    value = edit.after if edit.kind is Kind.ADDED else edit.before
    if edit.label.endswith(f" {edit.kind.value}"):  # a whole option
        return f"{label}: {_option(value)}"
    shown = "" if isinstance(value, list) else f" ({_value(value)})"
    return f"{label} {edit.kind.value}{shown}"


def titled(label: str, titles: Mapping[str, str]) -> str:
    """The label of an edit with the names of options in place of their ids; fields keep theirs."""
    options, colon, field = label.partition(":")
    return _IDS.sub(lambda word: titles.get(word[0], word[0]), options) + colon + field


def say_rules(word: str) -> str:
    """Rules as they were named on the command line; a file of this folder or repository as one of it."""
    return from_here(word) if Path(word).is_absolute() else word


def say_line(position: Position | None) -> str | None:
    """`file:line` for people; None where a side has no such thing."""
    said = say_position(position)
    return None if said is None else say_rules(said)


def _option(value: Any) -> str:
    """A whole option but for its name, which the label says; the price before the long fields."""
    if not isinstance(value, Mapping):
        return _value(value)
    return _value({key: value[key] for key in sorted(value) if key != "name"})


def _value(value: Any) -> str:
    return show(_without_nulls(value)) if value is not None else "nothing"


def _without_nulls(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nulls(below) for key, below in value.items() if below is not None}
    return value


def say_lines(edit: Edit) -> str:
    """Where it stands in either file; once, where that is the same."""
    both = (say_line(edit.at_first), say_line(edit.at_second))
    return " -> ".join(dict.fromkeys(place for place in both if place is not None))


def say_legality(legality: Legality, what: str) -> str:
    """`1,234 builds are new (melee_dg 617, ranged 617)`: what one side has and the other has not."""
    groups = sorted(legality.by_group.items(), key=lambda item: -item[1])
    shown = ", ".join(f"{name} {number:,}" for name, number in groups[:_MOST_GROUPS])
    more = f", {len(groups) - _MOST_GROUPS} more" if len(groups) > _MOST_GROUPS else ""
    by_group = f" ({shown}{more})" if shown else ""
    parts = f", {legality.new_parts:,} of them by options of one side only" if legality.new_parts else ""
    verb = "is" if legality.total == 1 else "are"
    return f"{count(legality.total, 'build')} {verb} {what}{by_group}{parts}"


def say_best_of(legality: Legality) -> tuple[str, str] | None:
    """The best of these builds, and where it stands; None where there is none."""
    if not legality.examples:
        return None
    if legality.standing is None:
        return legality.examples[0], ""
    rank, score = say_standing(legality.standing)
    return legality.examples[0], f"rank {rank}, score {score}"


def say_standing(standing: Standing | None) -> tuple[str, str]:
    """Rank and score."""
    if standing is None:
        return _NOTHING, _NOTHING
    ranks = standing.ranks
    return ranks.rank_text, say_score(standing.score, ranks.low, ranks.high)


def say_move(move: Move) -> str:
    """How far a build's score went, with ~ where bounds overlap; `new` and `gone` for one side's."""
    if move.before is None:
        return "new" if move.after is not None else _NOTHING
    if move.after is None:
        return "gone"
    by = move.after.score - move.before.score
    before, after = move.before.ranks, move.after.ranks
    is_certain = after.low > before.high or after.high < before.low
    return f"{'~' if by and not is_certain else ''}{by:+.3f}"


def say_lift(change: LiftChange) -> tuple[str, str]:
    """Before and after."""
    before, after = ("" if value is None else f"{value:.2f}" for value in (change.before, change.after))
    return before or _NOTHING, after or _NOTHING


def say_shift(shift: Shift | None, why_not: str | None = None) -> tuple[str, str]:
    """The best score and the mean of the best hundred; the reason in the first one's place."""
    if shift is not None and math.isnan(shift.best):
        return "unknown", ""  # one side has no builds
    if shift is None:
        return f"invalid: {why_not}" if why_not else "unknown", ""
    return f"{shift.best:+.4f}", f"{shift.mean:+.4f}"


def say_blame(blame: Blame) -> tuple[str, str, str, str]:
    """Alone and left out."""
    return (
        *say_shift(blame.alone, blame.why_not_alone),
        *say_shift(blame.left_out, blame.why_not_left_out),
    )


def headline(difference: Difference) -> str:
    """What edits do, in one line: to the best builds, and to those with what was edited."""
    before = difference.best[0].before if difference.best[0] else None
    after = difference.best[1].after if difference.best[1] else None
    if before is None or after is None:
        said = ["One side has no build that was scored"]
    elif abs(before.score - after.score) <= TIE:
        said = [f"The best score stays {_score(after)}"]
    else:
        was, now = _score(before), _score(after)
        said = [f"The best score goes from {was} to {now} ({_way(difference)})"]
    for each in difference.subjects:
        if each.before is None or each.after is None:
            said.append(f"no build with {each.subject} is left" if each.before else f"{each.subject} is new")
        elif abs(each.before[1].score - each.after[1].score) <= TIE:
            said.append(f"with {each.subject} it stays {_score(each.after[1])}")
        else:
            said.append(f"with {each.subject} from {_score(each.before[1])} to {_score(each.after[1])}")
    there, here = difference.builds
    return f"{', '.join(said)}; {count(there, 'build')} before, {here:,} after."


def _way(difference: Difference) -> str:
    """Whether the best build is stronger now, as far as that is certain."""
    if difference.is_stronger:
        return "stronger"
    return "weaker" if difference.is_weaker else "no certain difference"


def _score(standing: Standing) -> str:
    return say_standing(standing)[1]

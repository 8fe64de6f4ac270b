"""A difference of rules as Markdown, for the discussion of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from buildsearch.changes.difference import Difference
from buildsearch.model.text import as_text, count, table_lines
from buildsearch.report import difference_sentences as words

_MOST_EDITS = 100
_MOST_LIFTS = 10
_MOST_MEMBERS = 10


def difference_markdown(difference: Difference, title: str, objective: str) -> str:
    """The whole page. Whatever comes from a rules file is text there, never markup."""
    lines = [f"## {as_text(title)}", ""]
    if difference.is_empty:
        return "\n".join([*lines, "The two rulesets say the same."]) + "\n"
    lines += [as_text(words.headline(difference)), ""]
    lines += _section("Edits", _edits(difference))
    lines += _section("Builds", _builds(difference))
    lines += _section(f"The best builds, by {as_text(objective)}", _moves(difference))
    lines += _section("Blame", _blames(difference))
    lines += _section("Pareto front", _front(difference))
    lines += _section("Lift in the top 1 %", _lifts(difference))
    lines += _section("Findings of check", _findings(difference))
    return "\n".join(lines) + "\n"


def _section(title: str, lines: Iterable[str]) -> list[str]:
    body = list(lines)
    return [f"### {title}", "", *body, ""] if body else []


def _edits(difference: Difference) -> Iterator[str]:
    edits = difference.comparison.edits
    for edit in edits[:_MOST_EDITS]:
        yield f"- {as_text(words.say_edit(edit))} ({as_text(words.say_lines(edit))})"
    if len(edits) > _MOST_EDITS:
        yield f"- and {len(edits) - _MOST_EDITS} more"


def _builds(difference: Difference) -> Iterator[str]:
    yield f"{count(difference.builds[0], 'build')} before, {difference.builds[1]:,} after."
    for legality, what in ((difference.legal, "new"), (difference.illegal, "gone")):
        if legality.total:
            found = words.say_best_of(legality)
            best = f" The best: {', '.join(filter(None, (as_text(found[0]), found[1])))}." if found else ""
            yield ""
            yield f"{as_text(words.say_legality(legality, what))}.{best}"


def _moves(difference: Difference) -> Iterable[str]:
    heads = ("rank", "was", "score", "was", "move", "build")
    rows = []
    for move in difference.moves:
        rank, score = words.say_standing(move.after)
        old_rank, old_score = words.say_standing(move.before)
        rows.append((rank, old_rank, score, old_score, words.say_move(move), move.build))
    return table_lines(heads, rows) if rows else []


def _blames(difference: Difference) -> Iterator[str]:
    blames = difference.blames
    if blames is None:
        return
    heads = ("edit", "alone: best", "top 100", "left out: best", "top 100")
    rows = [(each.label, *words.say_blame(each)) for each in blames.each]
    yield from table_lines(heads, [*rows, ("all edits", *words.say_shift(blames.total), "", "")])
    if len(blames.each) > 1:
        best, mean = words.say_shift(blames.together)
        yield ""
        yield f"Only together: {best} {mean}".rstrip() + "."


def _front(difference: Difference) -> Iterator[str]:
    front = difference.front
    if front is None or not (front.new or front.lost):
        return
    yield f"{count(front.before, 'build')} before, {front.after:,} after."
    yield f"{len(front.new)} new, {len(front.lost)} lost."
    for what, names in (("new", front.new), ("lost", front.lost)):
        yield from ("", *(f"- {what}: {as_text(name)}" for name in names[:_MOST_MEMBERS]))


def _lifts(difference: Difference) -> Iterable[str]:
    rows = [(each.feature, *words.say_lift(each)) for each in difference.lifts[:_MOST_LIFTS]]
    return table_lines(("option", "before", "after"), rows) if rows else []


def _findings(difference: Difference) -> Iterator[str]:
    if difference.findings is None:
        return
    yield from (f"- new: {as_text(each)}" for each in difference.findings.new)
    yield from (f"- fixed: {as_text(each)}" for each in difference.findings.fixed)

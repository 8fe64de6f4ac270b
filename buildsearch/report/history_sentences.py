"""A history of rules as a table and in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.proposals.history import VIABLE, Culprit, History, Point, Trend
from buildsearch.report.sheets import Cell, Sheet

STRICT = 0.9
_COLUMNS = (
    "revision", "date", "subject", "builds", "best", "best_build", "reference", "ahead", "free_at_90",
    "free_at_80", "options", "must_haves", "overpowered_builds", "decided", "method", "not_measured",
)  # fmt: skip
_SHOWN = (
    "revision", "date", "best", "reference", "ahead", "free_at_90", "free_at_80", "options", "must_haves",
    "overpowered_builds", "decided", "subject",
)  # fmt: skip


def history_sheet(history: History) -> Sheet:
    """One row a revision, the oldest first."""
    rows = [_row(point) for point in history.points]
    return Sheet("history", f"{history.rules} over its revisions", _COLUMNS, rows, shown=_SHOWN)


def _row(point: Point) -> tuple[Cell, ...]:
    state, measure = point.state, point.measure
    head = (state.short, state.date[:10], state.subject)
    if measure is None:
        return (*head, *[None] * (len(_COLUMNS) - len(head) - 1), point.why_not)
    return (
        *head,
        measure.builds,
        measure.best,
        measure.best_build,
        measure.reference,
        point.ahead,
        measure.free(STRICT).options,
        measure.free(VIABLE).options,
        measure.free(VIABLE).of,
        len(measure.must_haves),
        measure.overpowered,
        measure.decided,
        "sampled" if point.is_sampled else "exact",
        "",
    )


def history_data(history: History) -> dict[str, object]:
    """For programs."""
    return {
        "rules": history.rules,
        "revisions": history_sheet(history).as_data(),
        "trend": history.trend.name.lower(),
        "broken": [
            {"kind": each.kind, "since": each.since.state.short, "from_the_start": each.from_the_start}
            for each in history.broken
        ],
        "incomplete": history.is_partial,
    }


def remarks(history: History) -> Iterator[str]:
    """What is to be known beside the table, a sentence each."""
    for point in history.points:
        if point.why_not:
            yield f"{_named(point)} was not measured: {point.why_not.rstrip('.')}."
    unjudged = [point for point in history.measured if point.unjudged]
    if unjudged:
        many = "every revision" if len(unjudged) == len(history.measured) else f"{len(unjudged)} of them"
        yield f"Nobody can be accused in {many}. Of {unjudged[-1].state.short}: {unjudged[-1].unjudged}"
    if history.is_partial:
        yield "Stopped before the end: later revisions are missing."
    for culprit in history.broken:
        yield _since(culprit)


def conclusion(history: History) -> str:
    """Did the game get better? And what to do next."""
    measured = history.measured
    if not measured:
        return "No revision could be measured, so nothing can be said. The reasons stand above."
    first, last = measured[0], measured[-1]
    if len(measured) == 1:
        return f"Only {_named(first)} could be measured: there is nothing to compare it with."
    changed = [sign for sign in history.signs if sign.trend is not Trend.SAME]
    said = "; ".join(f"{sign.name} {sign.before} to {sign.after}" for sign in changed)
    verdict = f"From {first.state.short} to {last.state.short} the game became {history.trend.value}"
    return f"{verdict}{f': {said}' if said else ''}. {_next(history)}"


def _next(history: History) -> str:
    if history.measured[-1].unjudged:
        return "Nobody can be accused in so small or so even a game."
    broken = [culprit for culprit in history.broken if not culprit.from_the_start]
    if broken:
        which = dict.fromkeys(culprit.since.state.short for culprit in broken)
        return f"Look at {' and '.join(which)} first: what is broken now was not before."
    if history.broken:
        return "What is broken was so from the start: `buildsearch balance` proposes what mends it."
    return "Nothing is overpowered, a must-have or decided at once now."


def _since(culprit: Culprit) -> str:
    if culprit.from_the_start:
        return f"{culprit.kind}: in every revision that was measured."
    return f"{culprit.kind}: since {_named(culprit.since)}."


def _named(point: Point) -> str:
    state = point.state
    day = f", {state.date[:10]}" if state.date else ""
    return f'{state.short} ("{state.subject}"{day})'

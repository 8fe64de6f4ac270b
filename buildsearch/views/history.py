"""A game over the revisions of its rules: did it get better, and since which commit is it broken?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from buildsearch.analysis.findings import VIABLE
from buildsearch.balancing.history import BrokenSince, History, Point, Trend
from buildsearch.balancing.measure import Measure
from buildsearch.document.blocks import (
    BLANK,
    Block,
    Cell,
    Column,
    Document,
    Kind,
    Show,
    Step,
    Table,
    Text,
    Tone,
    table_of,
)
from buildsearch.document.data import table_rows


def history_document(history: History, notes: Sequence[str]) -> Document:
    said, step = history_headline(history), _next(history)
    blocks: list[Block] = [Text(said, Tone.STRONG), *(Text(note) for note in notes), BLANK]
    blocks += [history_table(history), BLANK, *([step] if step else [])]
    return Document(f"Balance of {history.rules} over its revisions", tuple(blocks), _data(history, notes))


def history_table(history: History) -> Table:

    def of(take: Callable[[Measure], Cell]) -> Callable[[Point], Cell]:
        return lambda point: None if point.measure is None else take(point.measure)

    method = {True: "sampled", False: "exact"}
    return table_of(
        "revisions",
        "",
        history.points,
        (Column("revision", Kind.TEXT), lambda point: point.state.short),
        (Column("date", Kind.TEXT), lambda point: point.state.date[:10]),
        (Column("best"), of(lambda measure: measure.best)),
        (Column("benchmark"), of(lambda measure: measure.reference)),
        (Column("viable_options", Kind.COUNT, "viable"), of(lambda measure: measure.free(VIABLE).options)),
        (Column("options", Kind.COUNT), of(lambda measure: measure.free(VIABLE).of)),
        (Column("must_haves", Kind.COUNT), of(lambda measure: len(measure.must_haves))),
        (Column("overpowered_builds", Kind.COUNT, "overpowered"), of(lambda measure: measure.overpowered)),
        (Column("instant_wins", Kind.COUNT, show=Show.WIDE), of(lambda measure: measure.decided)),
        (Column("subject", Kind.TEXT, show=Show.OWN_LINE), lambda point: point.state.subject),
        (Column("ahead", show=Show.FILE), lambda point: point.ahead if point.measure else None),
        (Column("builds", Kind.COUNT, show=Show.FILE), of(lambda measure: measure.builds)),
        (Column("best_build", Kind.BUILD, show=Show.FILE), of(lambda measure: measure.best_build)),
        (
            Column("method", Kind.TEXT, show=Show.FILE),
            lambda point: method[point.is_sampled] if point.measure else None,
        ),
        (
            Column("not_measured", Kind.TEXT, show=Show.FILE),
            lambda point: "" if point.measure else point.why_not,
        ),
        shown=len(history.points),
    )


def _data(history: History, notes: Sequence[str]) -> dict[str, object]:
    return {
        "rules": history.rules,
        "headline": history_headline(history),
        "revisions": table_rows(history_table(history)),
        "trend": history.trend.name.lower(),
        "broken": [
            {"code": each.kind, "since": each.since.state.short, "from_the_start": each.from_the_start}
            for each in history.broken
        ],
        "is_incomplete": history.is_partial,
        "notes": list(notes),
    }


def remarks(history: History) -> Iterator[str]:
    """What is to be known beside the table, a sentence each."""
    for point in history.points:
        if point.why_not:
            yield f"{_named(point)} was not measured: {point.why_not.rstrip('.')}."
    unjudged = [point for point in history.measured if point.unjudged]
    if unjudged:
        many = "every revision" if len(unjudged) == len(history.measured) else f"{len(unjudged)} revisions"
        yield f"Too small to judge in {many}: {unjudged[-1].unjudged}."
    if history.is_partial:
        yield "Stopped before the end: later revisions are missing."
    for culprit in history.broken:
        yield _since(culprit)


def history_headline(history: History) -> str:
    measured = history.measured
    if not measured:
        return "No revision could be measured."
    first, last = measured[0], measured[-1]
    if len(measured) == 1:
        return f"Only {_named(first)} could be measured: there is nothing to compare it with."
    changed = [sign for sign in history.signs if sign.trend is not Trend.SAME]
    said = "; ".join(f"{sign.name} {sign.before} -> {sign.after}" for sign in changed)
    verdict = f"From {first.state.short} to {last.state.short} the game became {history.trend.value}"
    return f"{verdict}{f': {said}' if said else ''}."


def _next(history: History) -> Step | None:
    broken = [culprit for culprit in history.broken if not culprit.from_the_start]
    if broken:
        return Step(f"git show {broken[0].since.state.short}", "what is broken now was not before it")
    if history.broken:
        return Step("buildsearch balance", "broken from the start: the smallest fix")
    return None


def _since(culprit: BrokenSince) -> str:
    if culprit.from_the_start:
        return f"{culprit.kind}: in every measured revision."
    return f"{culprit.kind}: since {_named(culprit.since)}."


def _named(point: Point) -> str:
    state = point.state
    day = f", {state.date[:10]}" if state.date else ""
    return f'{state.short} ("{state.subject}"{day})'

"""A change of rules as a page: edits, builds before and after, blame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from buildsearch.changes.blame import Blames, Shift
from buildsearch.changes.difference import Difference
from buildsearch.changes.moves import Move, Standing
from buildsearch.model.evaluation import TIE
from buildsearch.report.difference_sentences import (
    say_best_of,
    say_edit,
    say_legality,
    say_line,
    say_move,
    say_rules,
    titled,
)
from buildsearch.report.html.number_format import short
from buildsearch.report.html.summary import Sentence, say_parameters, say_scenarios

_MOST_EDITS = 500
_MOST_MEMBERS = 300
_SHOWN_EDITS = 6


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceSource:
    """A difference with what was asked.

    `titles` are the names of options that people read, by those of the files; `names` are those of builds.
    """

    difference: Difference
    rules: tuple[str, str]
    system: str
    objective: str
    parameters: tuple[Mapping[str, Any], Mapping[str, Any]]
    weights: Mapping[str, float]
    seed: int
    version: str
    titles: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)


def difference_content(source: DifferenceSource) -> dict[str, Any]:
    """All of it."""
    return {
        "kicker": "What a change of rules does",
        "title": " \u2192 ".join(say_rules(word) for word in source.rules),
        "facts": _facts(source),
        "summary": list(_summary(source)),
        "findings": [],
        "has_board": False,
        "is_partial": False,
        "data": _data(source),
    }


def _data(source: DifferenceSource) -> dict[str, Any]:
    difference = source.difference
    findings = difference.findings
    return {
        "kind": "diff",
        "score": {"label": source.objective, "up": difference.higher_is_better},
        "edits": [
            {
                "what": say_edit(edit, source.titles),
                "a": say_line(edit.at_first),
                "b": say_line(edit.at_second),
            }
            for edit in difference.comparison.edits[:_MOST_EDITS]
        ],
        "moves": [
            {
                "build": move.build,
                "name": source.names.get(move.build, move.build),
                "before": _standing(move.before),
                "after": _standing(move.after),
                "by": say_move(move),
            }
            for move in difference.moves
        ],
        "blame": None if difference.blames is None else _blame(difference.blames, source.titles),
        "lifts": [
            {
                "part": source.titles.get(each.feature, each.feature),
                "before": short(each.before),
                "after": short(each.after),
            }
            for each in difference.lifts
        ],
        "front": _front(difference),
        "findings": []
        if findings is None
        else [
            *({"is": "new", "text": text} for text in findings.new),
            *({"is": "fixed", "text": text} for text in findings.fixed),
        ],
    }


def _standing(standing: Standing | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    ranks = standing.ranks
    return {
        "rank": ranks.rank,
        "rankText": ranks.rank_text,
        "score": short(standing.score),
        "bounds": None if ranks.is_exact else [short(ranks.low), short(ranks.high)],
    }


def _blame(blames: Blames, titles: Mapping[str, str]) -> dict[str, Any]:
    return {
        "total": _shift(blames.total),
        "together": _shift(blames.together),
        "each": [
            {
                "label": titled(each.label, titles),
                "alone": _shift(each.alone),
                "leftOut": _shift(each.left_out),
                "why": "; ".join(
                    f"{how} it is no valid ruleset: {why}"
                    for how, why in (("alone", each.why_not_alone), ("left out", each.why_not_left_out))
                    if why
                ),
            }
            for each in blames.each
        ],
    }


def _shift(shift: Shift | None) -> list[float | None] | None:
    return None if shift is None else [short(shift.best), short(shift.mean)]


def _front(difference: Difference) -> dict[str, Any] | None:
    front = difference.front
    if front is None:
        return None
    members = [
        {"build": build, "is": what}
        for what, builds in (("new", front.new), ("lost", front.lost))
        for build in builds[:_MOST_MEMBERS]
    ]
    hidden = len(front.new) + len(front.lost) - len(members)
    return {"before": front.before, "after": front.after, "members": members, "hidden": hidden}


def _facts(source: DifferenceSource) -> list[tuple[str, str]]:
    first, second = (dict(say_parameters(each)) for each in source.parameters)
    builds = source.difference.builds
    return [
        ("Before", say_rules(source.rules[0])),
        ("After", say_rules(source.rules[1])),
        ("Game", source.system),
        *((name, _both(first.get(name, ""), value)) for name, value in second.items()),
        ("Scenarios", say_scenarios(source.weights)),
        ("Builds", _both(f"{builds[0]:,}", f"{builds[1]:,}")),
        ("Seed", str(source.seed)),
        ("buildsearch", source.version),
    ]


def _both(before: str, after: str) -> str:
    return after if before == after else f"{before or 'none'} \u2192 {after}"


def _summary(source: DifferenceSource) -> Iterable[Sentence]:
    difference = source.difference
    edits = difference.comparison.edits
    if not edits:
        yield Sentence("Nothing changed", "The two rulesets say the same.", is_bad=False)
        return
    said = "; ".join(say_edit(edit, source.titles) for edit in edits[:_SHOWN_EDITS])
    more = f"; and {len(edits) - _SHOWN_EDITS} more" if len(edits) > _SHOWN_EDITS else ""
    yield Sentence("One edit" if len(edits) == 1 else f"{len(edits)} edits", f"{said}{more}.", is_bad=False)
    yield _best(source)
    for legality, what in ((difference.legal, "new"), (difference.illegal, "gone")):
        if legality.total:
            found = say_best_of(legality)
            best = f". The best of them: {', '.join(filter(None, found))}" if found else ""
            head = "New builds" if what == "new" else "Builds that are gone"
            yield Sentence(head, f"{say_legality(legality, what)}{best}.", is_bad=False)
    if difference.findings is not None:
        new, fixed = len(difference.findings.new), len(difference.findings.fixed)
        yield Sentence("Findings of check", f"{new} new, {fixed} fixed.", is_bad=new > 0)


def _best(source: DifferenceSource) -> Sentence:
    """The best build of either side, and which edit alone moves it most."""
    difference = source.difference
    before, after = difference.best
    old = before.before if before else None
    new = after.after if after else None
    if before is None or after is None or old is None or new is None:
        return Sentence("The best build", "One side has no build that was scored.", is_bad=True)
    label = source.objective
    if before.build == after.build:
        said = (
            f"{_named(source, after)} is the best before and after: "
            f"{old.score:.4g}, now {new.score:.4g} ({label})."
        )
    else:
        said = (
            f"{_named(source, before)} was the best with {old.score:.4g}, "
            f"now {_named(source, after)} is with {new.score:.4g} ({label})."
        )
    blames = difference.blames
    known = [each for each in blames.each if each.alone] if blames and len(blames.each) > 1 else []
    heaviest = max(known, key=lambda each: abs(each.alone.best) if each.alone else 0.0, default=None)
    if heaviest is not None and heaviest.alone and abs(heaviest.alone.best) > 0:
        edit = titled(heaviest.label, source.titles)
        said += f" The edit that moves it most by itself: {edit} ({heaviest.alone.best:+.3g})."
    if difference.is_stronger:
        return Sentence("The best build became stronger", said, is_bad=True)
    if difference.is_weaker:
        return Sentence("The best build became weaker", said, is_bad=False)
    is_same = abs(old.score - new.score) <= TIE
    head = "The best score stays" if is_same else "The best build is not stronger for certain"
    return Sentence(head, said, is_bad=False)


def _named(source: DifferenceSource, move: Move) -> str:
    return source.names.get(move.build, move.build)

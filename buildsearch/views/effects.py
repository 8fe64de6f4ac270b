"""What edits do, as blocks: the options that were edited, then the game. For `diff`, `check --against` and
`balance --try`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from buildsearch.analysis.findings import OPTION_CLASSES, Finding
from buildsearch.balancing.what_if import Effect, GameStanding, OptionEffect, OptionStanding
from buildsearch.diffs.edits import EditKind, RuleEdit
from buildsearch.document.blocks import Block, Cell, Column, Kind, Labelled, Sampled, Show, Table, Text, Tone
from buildsearch.model.evaluation import TIE, Scale, ScoreWords
from buildsearch.model.text import count

_MOST_LISTED = 8
_LONGEST_VALUE = 24


def edit_text(edit: RuleEdit, titles: Mapping[str, str]) -> str:
    """`Barrage cost 3 -> 1`, `Bleed added`."""
    if edit.kind is EditKind.RENAMED or edit.kind is EditKind.REORDERED:
        return edit.label
    if edit.subject is None:
        verb = {EditKind.ADDED: " added", EditKind.REMOVED: " removed"}.get(edit.kind, "")
        return edit.label + (verb or f" {_value(edit.before)} -> {_value(edit.after)}")
    title = titles.get(edit.subject, edit.subject)
    what = edit.label.partition(": ")[2]
    if what == "name":
        return f"{_value(edit.before)} called {_value(edit.after)}"
    if not what:  # the option itself
        return f"{title} {edit.kind.value}"
    return f"{title} {what} {_value(edit.before)} -> {_value(edit.after)}"


def below_rules_note(below: Mapping[str, tuple[int, int]]) -> list[Block]:
    """That builds have fewer points than the rules give: by parameter, both numbers."""
    if not below:
        return []
    mine = ", ".join(f"{name} {value}" for name, (value, _) in below.items())
    usual = ", ".join(str(value) for _, value in below.values())
    note = f"At {mine} (the rules give {usual}) expensive options look weaker than they are."
    return [Text(note, Tone.WARNING)]


def undone(edit: RuleEdit, titles: Mapping[str, str]) -> str:
    """What to do instead of an edit: `Leave Barrage at 3`."""
    title = titles.get(edit.subject or "", edit.subject or "")
    what = edit.label.partition(": ")[2]
    if edit.kind is EditKind.CHANGED and edit.subject is not None:
        name = title if what == "cost" else f"{title} {what}"
        return f"Leave {name} at {_value(edit.before)}"
    if edit.kind is EditKind.ADDED and edit.subject is not None and not what:
        return f"Leave {title} out"
    if edit.kind is EditKind.REMOVED and edit.subject is not None and not what:
        return f"Keep {title}"
    return f"Undo: {edit_text(edit, titles)}"


def line_of(edit: RuleEdit) -> int | None:
    """The line that was edited, in the new file where it is there."""
    at = edit.at_second or edit.at_first
    return None if at is None else at.line


def _value(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else f"{value}"
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def option_table(effect: Effect, option: OptionEffect) -> Table:
    """One option now and after."""
    words = effect.words
    columns = [
        Column("option", Kind.TEXT, head=option.title),
        Column("cost", Kind.COUNT),
        Column("best", score_kind(words), head=_unit("its best build", words)),
        Column("rank", Kind.TEXT, head="rank of that build"),
        Column("viability", Kind.PERCENT),
        Column("fair_cost", Kind.COUNT, head="fair cost"),
        Column("saves_turns", Kind.NUMBER, head="saves turns")
        if words.unit == "turns"
        else Column("saves", score_kind(words)),
        Column("in_best", Kind.COUNT, head=f"in the best {effect.top}"),
        Column("builds", Kind.COUNT, head="builds with it"),
        Column("class", Kind.TEXT),
        Column("best_build", Kind.BUILD, head="its best build", show=Show.FILE),
    ]
    rows = [
        (name, *_standing(standing)) for name, standing in (("now", option.before), ("after", option.after))
    ]
    shown = [i for i, column in enumerate(columns) if i == 0 or column.name in _ALWAYS or _differs(rows, i)]
    return Table(
        f"edit_of_{option.option}",
        "",
        tuple(columns[i] for i in shown),
        [tuple(row[i] for i in shown) for row in rows],
        is_transposed=True,
    )


_ALWAYS = ("best", "rank", "viability", "in_best", "builds", "best_build")


def _differs(rows: Sequence[Sequence[Cell]], i: int) -> bool:
    return rows[0][i] != rows[1][i]


def _standing(standing: OptionStanding | None) -> tuple[Cell, ...]:
    if standing is None:
        return (None, None, "no build", None, None, None, 0, 0, "-", None)
    return (
        standing.cost,
        score_cell(standing),
        standing.ranks.rank_text,
        standing.viability,
        standing.fair_cost,
        standing.saves,
        standing.in_best,
        standing.builds,
        standing.kind,
        standing.best_build,
    )


def score_cell(standing: OptionStanding) -> Cell:
    """The score of its best build, with its range where it is sampled."""
    ranks = standing.ranks
    return standing.score if ranks.is_exact else Sampled(standing.score, ranks.low, ranks.high)


def score_kind(words: ScoreWords) -> Kind:
    """How a column shows such scores."""
    is_share = words.metric is not None and words.metric.scale is Scale.PROBABILITY
    return Kind.RATE if is_share else Kind.NUMBER


def _unit(text: str, words: ScoreWords) -> str:
    return f"{text}, {words.unit}" if words.unit else text


def option_sentence(effect: Effect, option: OptionEffect) -> str:
    """What becomes of an option, in a sentence without its beginning."""
    before, after, words = option.before, option.after, effect.words
    if before is None or after is None:
        if after is not None:
            return f"its best build {words.does(after.score)}{_viable(None, after)}"
        return "no legal build has it any more" if before is not None else "no legal build has it"
    if abs(before.score - after.score) <= TIE:
        return f"its best build stays at {words.say(after.score)}{_viable(before, after)}"
    return (
        f"its best build goes from {words.number(before.score)} to {words.say(after.score)}"
        f"{_viable(before, after)}"
    )


def _viable(before: OptionStanding | None, after: OptionStanding) -> str:
    if before is None or before.is_viable != after.is_viable:
        return (
            f"; {'viable' if before is None else 'now viable' if after.is_viable else 'no longer viable'}"
            if (before is not None or after.is_viable)
            else "; not viable"
        )
    return "; still viable" if after.is_viable else "; still not viable"


def game_sentences(effect: Effect) -> list[str]:
    """What becomes of the game, shortest first: what stays in one sentence, what changes in the next."""
    before, after, words = effect.before, effect.after, effect.words
    best = (
        f"best build {words.say(before.best)}",
        f"best build {words.number(before.best)} -> {words.say(after.best)}",
    )
    viable = (
        f"{before.viable} of {before.options} options viable",
        f"viable options {before.viable} -> {after.viable} of {after.options}",
    )
    errors = (count(before.errors, "error"), f"errors {before.errors} -> {after.errors}")
    same = [
        text[0]
        for text, is_same in (
            (best, abs(before.best - after.best) <= TIE),
            (viable, (before.viable, before.options) == (after.viable, after.options)),
            (errors, before.errors == after.errors),
        )
        if is_same
    ]
    changed = [each[1] for each in (viable, best, errors) if each[0] not in same]
    said = []
    if changed:
        said.append(f"The game: {', '.join(changed)}.")
    if same:
        said.append(
            f"{'Unchanged' if changed else 'The game'}: {', '.join(same)}{'' if changed else ': unchanged'}."
        )
    more = [*_benchmark(before, after, words), *_builds(before, after)]
    return [*said, *more]


def _benchmark(before: GameStanding, after: GameStanding, words: ScoreWords) -> list[str]:
    if before.benchmark is None or after.benchmark is None or abs(before.benchmark - after.benchmark) <= TIE:
        return []
    return [f"Benchmark {words.number(before.benchmark)} -> {words.say(after.benchmark)}."]


def _builds(before: GameStanding, after: GameStanding) -> list[str]:
    if before.builds == after.builds:
        return []
    return [f"Legal builds {before.builds:,} -> {after.builds:,}."]


def finding_blocks(effect: Effect) -> list[Block]:
    """Findings that the edits fix and bring, each kind in one line."""
    blocks: list[Block] = []
    for label, findings, tone in (("Fixed", effect.fixed, Tone.GOOD), ("New", effect.new, Tone.BAD)):
        by_code: dict[str, list[Finding]] = {}
        for finding in findings:
            by_code.setdefault(finding.code.value, []).append(finding)
        for code, mine in by_code.items():
            blocks.append(Labelled(label, _listed(mine, effect.titles), tone, code=code))
    return blocks


def _listed(findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    subjects = list(
        dict.fromkeys(" + ".join(titles.get(name, name) for name in each.subjects) for each in findings)
    )
    named = ", ".join(subjects[:_MOST_LISTED])
    more = f" and {len(subjects) - _MOST_LISTED} more" if len(subjects) > _MOST_LISTED else ""
    known = OPTION_CLASSES.get(findings[0].code)
    return f"{known.name if known else findings[0].code.value.replace('-', ' ')}: {named}{more}"


def effect_data(effect: Effect) -> dict[str, object]:
    return {
        "options": [
            {
                "option": each.option,
                "now": _standing_data(each.before),
                "after": _standing_data(each.after),
            }
            for each in effect.options
        ],
        "game": {"now": game_data(effect.before), "after": game_data(effect.after)},
        "findings": {
            "fixed": [_finding(each) for each in effect.fixed],
            "new": [_finding(each) for each in effect.new],
        },
        "remaining_builds": effect.kept,
        "inconclusive": effect.open_why,
    }


def _standing_data(standing: OptionStanding | None) -> dict[str, object] | None:
    if standing is None:
        return None
    return {
        "cost": standing.cost,
        "best_build": standing.best_build,
        "score": standing.score,
        "score_low": standing.ranks.low,
        "score_high": standing.ranks.high,
        "rank": standing.ranks.rank,
        "rank_low": standing.ranks.best,
        "rank_high": standing.ranks.worst,
        "viability": standing.viability,
        "saves": standing.saves,
        "fair_cost": standing.fair_cost,
        "in_best": standing.in_best,
        "builds": standing.builds,
        "class": standing.kind,
    }


def game_data(game: GameStanding) -> dict[str, object]:
    """A game in numbers, under the names of `analyze --json`."""
    return {
        "builds": game.builds,
        "viable_options": game.viable,
        "options": game.options,
        "best": game.best,
        "best_build": game.best_build,
        "benchmark": game.benchmark,
        "errors": game.errors,
        "warnings": game.warnings,
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code.value,
        "severity": finding.severity.value,
        "subjects": list(finding.subjects),
        "text": finding.text,
    }

"""What edits do, as blocks: the options that were edited, then the game. For `diff`, `check --against` and
`balance --try`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from buildsearch.analysis.findings import OPTION_CLASSES, Finding, FindingCode
from buildsearch.balancing.what_if import Effect, GameStanding, OptionEffect, OptionStanding
from buildsearch.diffs.edits import EditKind, RuleEdit
from buildsearch.diffs.moves import Placement
from buildsearch.document.blocks import (
    Block,
    Cell,
    Change,
    Column,
    Kind,
    Labelled,
    Show,
    Table,
    Text,
    Tone,
    in_range,
)
from buildsearch.model.evaluation import TIE
from buildsearch.model.text import count
from buildsearch.views.phrases import below_rules, finding_data, score_column, score_kind, some_of

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
    said = f"A{below_rules(below)[1:]} expensive options look weaker than they are."
    return [Text(said, Tone.WARNING)] if below else []


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


def edit_cells(effect: Effect | None, edit: RuleEdit, *, is_text: bool) -> tuple[Cell, str]:
    """The best build of an edited option before and after, and its rank."""
    if is_text:
        return "changes no fight", ""
    options = () if effect is None else effect.options
    option = next((each for each in options if each.option == edit.subject), None)
    if option is None:
        return None, ""
    sides = (option.before, option.after)
    best = Change(*(None if each is None else each.score for each in sides))
    return best, " -> ".join("-" if each is None else each.ranks.rank_text for each in sides)


def option_table(effect: Effect, option: OptionEffect) -> Table:
    """One option now and after: what differs, and what is always said."""
    words = effect.words
    is_turns = words.unit == "turns"
    columns = (
        Column("option", Kind.TEXT, option.title),
        Column("cost", Kind.COUNT),
        score_column("best", "its best build", words),
        Column("rank", Kind.TEXT, "rank of that build"),
        Column("viability", Kind.PERCENT),
        Column("fair_cost", Kind.COUNT),
        Column("saves_turns") if is_turns else Column("saves", score_kind(words)),
        Column("in_best", Kind.COUNT, f"in the best {effect.top}"),
        Column("builds", Kind.COUNT, "builds with it"),
        Column("class", Kind.TEXT),
        Column("best_build", Kind.BUILD, "its best build", Show.FILE),
    )
    now, after = ("now", *_standing(option.before)), ("after", *_standing(option.after))
    shown = [i for i, column in enumerate(columns) if column.name in _ALWAYS or now[i] != after[i]]
    rows = [tuple(row[i] for i in shown) for row in (now, after)]
    return Table(f"edit_of_{option.option}", "", tuple(columns[i] for i in shown), rows, is_transposed=True)


_ALWAYS = ("option", "best", "rank", "viability", "in_best", "builds", "best_build")


def _standing(standing: OptionStanding | None) -> tuple[Cell, ...]:
    if standing is None:
        return (None, None, "no build", None, None, None, 0, 0, "-", None)
    said = standing
    first = (said.cost, score_cell(said), said.ranks.rank_text, said.viability, said.fair_cost, said.saves)
    return (*first, said.in_best, said.builds, said.kind, said.best_build)


def score_cell(standing: OptionStanding | Placement | None) -> Cell:
    """A score, with its range where it is sampled."""
    if standing is None:
        return None
    return in_range(standing.score, standing.ranks.low, standing.ranks.high)


def option_sentence(effect: Effect, option: OptionEffect) -> str:
    """What becomes of an option, in a sentence without its beginning."""
    before, after, words = option.before, option.after, effect.words
    if after is None:
        return "no legal build has it any more" if before is not None else "no legal build has it"
    if before is None:
        return f"its best build {words.does(after.score)}; {'viable' if after.is_viable else 'not viable'}"
    if abs(before.score - after.score) <= TIE:
        best = f"stays at {words.say(after.score)}"
    else:
        best = f"goes from {words.number(before.score)} to {words.say(after.score)}"
    if before.is_viable == after.is_viable:
        viable = "still viable" if after.is_viable else "still not viable"
    else:
        viable = "now viable" if after.is_viable else "no longer viable"
    return f"its best build {best}; {viable}"


def game_sentences(effect: Effect) -> list[str]:
    """What becomes of the game, shortest first: what stays in one sentence, what changes in the next."""
    before, after, words = effect.before, effect.after, effect.words
    best = (
        abs(before.best - after.best) <= TIE,
        f"best build {words.say(before.best)}",
        f"best build {words.number(before.best)} -> {words.say(after.best)}",
    )
    viable = (
        (before.viable, before.options) == (after.viable, after.options),
        f"{before.viable} of {before.options} options viable",
        f"viable options {before.viable} -> {after.viable} of {after.options}",
    )
    errors = (
        before.errors == after.errors,
        count(before.errors, "error"),
        f"errors {before.errors} -> {after.errors}",
    )
    same = [stays for is_same, stays, _ in (best, viable, errors) if is_same]
    changed = [changes for is_same, _, changes in (viable, best, errors) if not is_same]
    said = [f"The game: {', '.join(changed)}."] if changed else []
    if same:
        said.append(
            f"Unchanged: {', '.join(same)}." if changed else f"The game: {', '.join(same)}: unchanged."
        )
    old, new = before.benchmark, after.benchmark
    if old is not None and new is not None and abs(old - new) > TIE:
        said.append(f"Benchmark {words.number(old)} -> {words.say(new)}.")
    if before.builds != after.builds:
        said.append(f"Legal builds {before.builds:,} -> {after.builds:,}.")
    return said


def finding_blocks(effect: Effect) -> list[Block]:
    """Findings that the edits fix and bring, each kind in one line."""
    return [
        Labelled(label, _listed(code, mine, effect.titles), tone, code=code)
        for label, findings, tone in (("Fixed", effect.fixed, Tone.GOOD), ("New", effect.new, Tone.BAD))
        for code, mine in _by_code(findings).items()
    ]


def _by_code(findings: Sequence[Finding]) -> dict[FindingCode, list[Finding]]:
    found: dict[FindingCode, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.code, []).append(finding)
    return found


def _listed(code: FindingCode, findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    named = dict.fromkeys(" + ".join(titles.get(name, name) for name in each.subjects) for each in findings)
    known = OPTION_CLASSES.get(code)
    return f"{known.name if known else code.value.replace('-', ' ')}: {some_of([*named])}"


def effect_data(effect: Effect) -> dict[str, object]:
    return {
        "options": [
            {"option": each.option, "now": _standing_data(each.before), "after": _standing_data(each.after)}
            for each in effect.options
        ],
        "game": {"now": game_data(effect.before), "after": game_data(effect.after)},
        "findings": {
            "fixed": [finding_data(each) for each in effect.fixed],
            "new": [finding_data(each) for each in effect.new],
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

"""`diff` as a page: the options that were edited, then the game; builds that moved where that is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from buildsearch.balancing.what_if import Effect, OptionEffect
from buildsearch.diffs.blame import Blame, Shift
from buildsearch.diffs.difference import DiffResult
from buildsearch.diffs.edits import RuleEdit
from buildsearch.diffs.moves import Legality, Placement
from buildsearch.document.blocks import (
    BLANK,
    Block,
    Column,
    Document,
    Heading,
    Kind,
    Labelled,
    Show,
    Table,
    Text,
    Tone,
    table_of,
)
from buildsearch.model.evaluation import TIE
from buildsearch.model.text import count
from buildsearch.views.effects import (
    below_rules_note,
    edit_cells,
    edit_text,
    finding_blocks,
    game_sentences,
    line_of,
    option_sentence,
    option_table,
    score_cell,
)
from buildsearch.views.phrases import score_column, score_kind

_MOST_TABLES = 3
_MOST_EDITS = 40
_MOST_GROUPS = 6


@dataclass(frozen=True)
class Diffed:
    """What a change of rules does. No `effect`: nothing that is scored was edited, or a side has no builds.

    `difference` has builds that moved and the effect of each edit, where that was asked; `new` and `fixed`
    are findings of `check`.
    """

    edits: tuple[RuleEdit, ...]
    is_text: tuple[bool, ...]
    titles: Mapping[str, str]
    objective: str
    effect: Effect | None = None
    builds: tuple[int, int] | None = None
    difference: DiffResult | None = None
    new: tuple[str, ...] | None = None
    fixed: tuple[str, ...] = ()
    is_full: bool = False
    below_rules: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)


def diff_document(answer: Diffed) -> Document:
    if not answer.edits:
        return Document(
            "buildsearch diff", (Text("The two rulesets say the same.", Tone.STRONG),), answer.data
        )
    effect = answer.effect
    blocks: list[Block] = [Text(_headline(answer), Tone.STRONG), BLANK]
    several = len(answer.edits) > 1
    if several or effect is None or not effect.options:
        blocks += [edits_table(answer), BLANK]
    if effect is not None:
        for option in effect.options[:_MOST_TABLES] if len(effect.options) <= _MOST_TABLES else ():
            blocks += [option_table(effect, option), *_best_build(option), BLANK]
        blocks += [Text(each) for each in game_sentences(effect)]
        blocks += finding_blocks(effect)
        blocks += below_rules_note(answer.below_rules)
    elif answer.builds is not None and answer.builds[0] != answer.builds[1]:
        blocks.append(Text(f"Legal builds {answer.builds[0]:,} -> {answer.builds[1]:,}."))
    blocks += _edit_effects(answer)
    if answer.new is not None:
        blocks += _check_findings(answer)
    if answer.is_full and answer.difference is not None:
        blocks += _full(answer, answer.difference)
    elif effect is not None:
        blocks.append(Labelled("More", "--full lists builds that moved.", Tone.DIM))
    return Document("buildsearch diff", tuple(blocks), answer.data)


def _headline(answer: Diffed) -> str:
    effect, changing = answer.effect, [i for i, is_text in enumerate(answer.is_text) if not is_text]
    if effect is None:
        if not changing:
            one = len(answer.edits) == 1
            what = "It changes no fight and no cost." if one else "None of them changes a fight or a cost."
            return f"{count(len(answer.edits), 'edit')}. {what}"
        return f"{count(len(answer.edits), 'edit')}. One side has no legal build, so nothing is compared."
    if len(effect.options) == 1 and len(changing) == 1:
        edit, option = answer.edits[changing[0]], effect.options[0]
        return f"{_subject(edit, option, answer.titles)}: {option_sentence(effect, option)}."
    words = effect.words
    before, after = effect.before, effect.after
    if abs(before.best - after.best) <= TIE:
        best = f"the best build stays at {words.say(after.best)}"
    else:
        best = f"the best build goes from {words.number(before.best)} to {words.say(after.best)}"
    return f"{count(len(changing), 'edit')}: {best}; {after.viable} of {after.options} options viable."


def _subject(edit: RuleEdit, option: OptionEffect, titles: Mapping[str, str]) -> str:
    """`Bleed at 2`, `Barrage strikes 3 -> 2`."""
    if edit.label.endswith(": cost") and edit.after is not None:
        return f"{option.title} at {edit.after}"
    return edit_text(edit, titles)


def edits_table(answer: Diffed) -> Table:
    effect = answer.effect
    cells = [
        (edit, *edit_cells(effect, edit, is_text=is_text))
        for edit, is_text in zip(answer.edits, answer.is_text, strict=True)
    ]
    return table_of(
        "option_edits",
        "",
        cells,
        (Column("line", Kind.COUNT), lambda each: line_of(each[0])),
        (Column("edit", Kind.TEXT), lambda each: edit_text(each[0], answer.titles)),
        (
            score_column("best", "its best build", None if effect is None else effect.words),
            lambda each: each[1],
        ),
        (Column("rank", Kind.TEXT), lambda each: each[2]),
        shown=_MOST_EDITS,
    )


def _best_build(option: OptionEffect) -> list[Block]:
    if option.after is None or (option.before and option.before.best_build == option.after.best_build):
        return []
    return [Text(f"New best with {option.title}: {option.after.best_build}", indent=2)]


def _edit_effects(answer: Diffed) -> list[Block]:
    """By how much each edit moves the best build, alone and on top of all others."""
    blames = None if answer.difference is None else answer.difference.blames
    if blames is None or len(blames.each) < 2:
        return []
    assert answer.difference is not None  # noqa: S101 - it has them
    way = "higher" if answer.difference.higher_is_better else "lower"
    columns = (
        Column("edit", Kind.TEXT),
        Column("alone", Kind.TEXT, head="only this edit"),
        Column("alone_top", Kind.TEXT, head="best 100", show=Show.WIDE),
        Column("left_out", Kind.TEXT, head="after the others"),
        Column("left_out_top", Kind.TEXT, head="best 100", show=Show.WIDE),
    )
    rows = [
        (
            _label(each, answer.titles),
            *_shift(each.alone, each.why_not_alone),
            *_shift(each.left_out, each.why_not_left_out),
        )
        for each in blames.each
    ]
    rows.append(("all edits", *_shift(blames.total), "", ""))
    rows.append(("only together", *_shift(blames.together), "", ""))
    title = f"Effect of each edit on the best build, {answer.objective} ({way} is stronger)"
    return [BLANK, Table("edit_effects", title, columns, rows, shown=_MOST_EDITS)]


def _label(blame: Blame, titles: Mapping[str, str]) -> str:
    option, colon, rest = blame.label.partition(":")
    return f"{titles.get(option, option)}{colon}{rest}"


def _shift(shift: Shift | None, why_not: str | None = None) -> tuple[str, str]:
    if shift is None:
        return (f"invalid: {why_not}" if why_not else "unknown"), ""
    if shift.best != shift.best:  # one side has no builds
        return "unknown", ""
    return f"{shift.best:+.3g}", f"{shift.mean:+.3g}"


def _check_findings(answer: Diffed) -> list[Block]:
    found: list[Block] = [Labelled("new", text, Tone.BAD) for text in answer.new or ()]
    found += [Labelled("fixed", text, Tone.GOOD) for text in answer.fixed]
    return [BLANK, Heading("Findings of check"), *(found or [Text("No new and no fixed findings.")])]


# What --full adds.
def _full(answer: Diffed, difference: DiffResult) -> list[Block]:
    blocks: list[Block] = [BLANK]
    for legality, what in ((difference.legal, "new"), (difference.illegal, "gone")):
        if legality.total:
            blocks.append(Text(f"{_legality(legality, what)}."))
    blocks += [BLANK, _moves(answer, difference)]
    front = difference.front
    if front is not None and (front.new or front.lost):
        rows = [("new", name) for name in front.new] + [("lost", name) for name in front.lost]
        title = f"Pareto front of scenarios and cost: {front.before:,} -> {front.after:,} builds"
        columns = (Column("is", Kind.TEXT, head=""), Column("build", Kind.BUILD))
        blocks += [BLANK, Table("front", title, columns, rows, shown=10)]
    if difference.lifts:
        heads = (Column("option", Kind.TEXT), Column("before"), Column("after"))
        rows_of_lift = [(each.feature, each.before, each.after) for each in difference.lifts]
        blocks += [BLANK, Table("lift", "Lift in the top 1%", heads, rows_of_lift, shown=10)]
    return blocks


def _legality(legality: Legality, what: str) -> str:
    """`1,234 builds are new (melee_dg 617, ranged 617); the best has rank 3: melee_dg+bleed`."""
    groups = sorted(legality.by_group.items(), key=lambda item: -item[1])
    shown = [f"{name} {number:,}" for name, number in groups]
    named = ", ".join(shown[:_MOST_GROUPS])
    more = f", {len(groups) - _MOST_GROUPS} more" if len(groups) > _MOST_GROUPS else ""
    verb = "is" if legality.total == 1 else "are"
    said = f"{count(legality.total, 'build')} {verb} {what}" + (f" ({named}{more})" if named else "")
    if legality.examples and legality.standing is not None:
        said += f"; the best has rank {legality.standing.ranks.rank_text}: {legality.examples[0]}"
    return said


def _moves(answer: Diffed, difference: DiffResult) -> Table:
    kind = Kind.NUMBER if answer.effect is None else score_kind(answer.effect.words)
    moved = [move for move in difference.moves if not move.is_still]
    still, both = len(difference.moves) - len(moved), len(difference.moves)
    return table_of(
        "best_builds",
        f"The best builds of either side, by {answer.objective}",
        moved,
        (Column("rank", Kind.TEXT), lambda move: _rank(move.after)),
        (Column("was", Kind.TEXT), lambda move: _rank(move.before)),
        (Column("score", kind), lambda move: score_cell(move.after)),
        (Column("score_before", kind, "was"), lambda move: score_cell(move.before)),
        (Column("build", Kind.BUILD, show=Show.OWN_LINE), lambda move: move.build),
        note=f"{still} of the {both} best builds did not change." if still else "",
        shown=40,
    )


def _rank(standing: Placement | None) -> str:
    return "-" if standing is None else standing.ranks.rank_text

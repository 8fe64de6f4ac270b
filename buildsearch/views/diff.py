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
    Cell,
    Change,
    Column,
    Document,
    Heading,
    Kind,
    Labelled,
    Sampled,
    Show,
    Table,
    Text,
    Tone,
)
from buildsearch.model.evaluation import TIE
from buildsearch.model.text import count
from buildsearch.views.effects import (
    below_rules_note,
    edit_text,
    finding_blocks,
    game_sentences,
    line_of,
    option_sentence,
    option_table,
    score_kind,
)

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
    """Each edit, with the best build of its option before and after."""
    effect = answer.effect
    rows: list[tuple[Cell, ...]] = []
    for edit, is_text in zip(answer.edits, answer.is_text, strict=True):
        option = None if effect is None else _option_of(effect, edit)
        best: Cell = "changes no fight" if is_text else None
        rank: Cell = ""
        if option is not None and not is_text:
            before, after = option.before, option.after
            best = Change(None if before is None else before.score, None if after is None else after.score)
            sides = (each.ranks.rank_text if each else "-" for each in (before, after))
            rank = " -> ".join(sides)
        rows.append((line_of(edit), edit_text(edit, answer.titles), best, rank))
    unit = "" if effect is None or not effect.words.unit else f", {effect.words.unit}"
    kind = Kind.NUMBER if effect is None else score_kind(effect.words)
    columns = (
        Column("line", Kind.COUNT),
        Column("edit", Kind.TEXT),
        Column("best", kind, head=f"its best build{unit}"),
        Column("rank", Kind.TEXT),
    )
    return Table("option_edits", "", columns, rows, shown=_MOST_EDITS)


def _option_of(effect: Effect, edit: RuleEdit) -> OptionEffect | None:
    return next((each for each in effect.options if each.option == edit.subject), None)


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
    rows = [(_label(each, answer.titles), *_shifts(each)) for each in blames.each]
    rows.append(("all edits", *_shift(blames.total), "", ""))
    rows.append(("only together", *_shift(blames.together), "", ""))
    title = f"Effect of each edit on the best build, {answer.objective} ({way} is stronger)"
    return [BLANK, Table("edit_effects", title, columns, rows, shown=_MOST_EDITS)]


def _label(blame: Blame, titles: Mapping[str, str]) -> str:
    option, colon, rest = blame.label.partition(":")
    return f"{titles.get(option, option)}{colon}{rest}"


def _shifts(blame: Blame) -> tuple[str, str, str, str]:
    return (
        *_shift(blame.alone, blame.why_not_alone),
        *_shift(blame.left_out, blame.why_not_left_out),
    )


def _shift(shift: Shift | None, why_not: str | None = None) -> tuple[str, str]:
    if shift is None:
        return (f"invalid: {why_not}" if why_not else "unknown"), ""
    if shift.best != shift.best:  # one side has no builds
        return "unknown", ""
    return f"{shift.best:+.3g}", f"{shift.mean:+.3g}"


def _check_findings(answer: Diffed) -> list[Block]:
    blocks: list[Block] = [BLANK, Heading("Findings of check")]
    blocks += [Labelled("new", text, Tone.BAD) for text in answer.new or ()]
    blocks += [Labelled("fixed", text, Tone.GOOD) for text in answer.fixed]
    return blocks if len(blocks) > 2 else [*blocks, Text("No new and no fixed findings.")]


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
    shown = ", ".join(f"{name} {number:,}" for name, number in groups[:_MOST_GROUPS])
    more = f", {len(groups) - _MOST_GROUPS} more" if len(groups) > _MOST_GROUPS else ""
    verb = "is" if legality.total == 1 else "are"
    said = f"{count(legality.total, 'build')} {verb} {what}" + (f" ({shown}{more})" if shown else "")
    if legality.examples and legality.standing is not None:
        said += f"; the best has rank {legality.standing.ranks.rank_text}: {legality.examples[0]}"
    return said


def _moves(answer: Diffed, difference: DiffResult) -> Table:
    kind = Kind.NUMBER if answer.effect is None else score_kind(answer.effect.words)
    rows = [
        (_rank(move.after), _rank(move.before), _score(move.after), _score(move.before), move.build)
        for move in difference.moves
        if not move.is_still
    ]
    still = sum(move.is_still for move in difference.moves)
    columns = (
        Column("rank", Kind.TEXT),
        Column("was", Kind.TEXT),
        Column("score", kind),
        Column("score_before", kind, head="was"),
        Column("build", Kind.BUILD, show=Show.OWN_LINE),
    )
    note = "" if not still else f"{still} of the {len(difference.moves)} best builds did not change."
    return Table(
        "best_builds", f"The best builds of either side, by {answer.objective}", columns, rows, note, 40
    )


def _rank(standing: Placement | None) -> str:
    return "-" if standing is None else standing.ranks.rank_text


def _score(standing: Placement | None) -> Cell:
    if standing is None:
        return None
    ranks = standing.ranks
    return standing.score if ranks.is_exact else Sampled(standing.score, ranks.low, ranks.high)

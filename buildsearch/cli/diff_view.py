"""What `diff` shows on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.changes.difference import Difference
from buildsearch.cli.problems import visible
from buildsearch.model.text import count
from buildsearch.report import difference_sentences as words

_MOST_EDITS = 40
_MOST_LIFTS = 10
_MOST_MEMBERS = 5


def print_difference(difference: Difference, title: str, objective: str) -> None:
    """Edits, builds, moves, blame, front and lift."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    _say(console, title, "bold")
    if difference.is_empty:
        console.print("The two rulesets say the same.")
        return
    _say(console, words.headline(difference), "bold")
    _print_edits(console, difference)
    _print_builds(console, difference)
    _print_moves(console, difference, objective)
    _print_blame(console, difference, objective)
    _print_front(console, difference)
    _print_lifts(console, difference)
    _print_findings(console, difference)


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(Text(visible(text), style=style))


def _print_edits(console: Console, difference: Difference) -> None:
    edits = difference.comparison.edits
    console.print()
    _say(console, count(len(edits), "edit"), "bold")
    for edit in edits[:_MOST_EDITS]:
        line = Text(f"  {visible(words.say_edit(edit))}")
        line.append(f"  {visible(words.say_lines(edit))}", style="dim")
        console.print(line)
    if len(edits) > _MOST_EDITS:
        _say(console, f"  and {len(edits) - _MOST_EDITS} more; --json has them all")


def _print_builds(console: Console, difference: Difference) -> None:
    console.print()
    _say(console, f"{count(difference.builds[0], 'build')} before, {difference.builds[1]:,} after", "bold")
    for legality, what in ((difference.legal, "new"), (difference.illegal, "gone")):
        if legality.total:
            _say(console, f"  {words.say_legality(legality, what)}")
            best = words.say_best_of(legality)
            if best is not None:
                _say(console, f"    the best: {', '.join(filter(None, best))}", "dim")


def _print_moves(console: Console, difference: Difference, objective: str) -> None:
    console.print()
    _say(console, f"The best builds of either side, by {objective}", "bold")
    _say(console, f"{'rank':>7} {'was':>7}  {'score':>13} {'was':>13}  {'move':>8}  build", "dim")
    # Against itself edited, only what moves is news.
    still = [move for move in difference.moves if move.is_still] if difference.subjects else []
    for move in difference.moves:
        if move in still:
            continue
        rank, score = words.say_standing(move.after)
        old_rank, old_score = words.say_standing(move.before)
        line = (
            f"{rank:>7} {old_rank:>7}  {score:>13} {old_score:>13}  {words.say_move(move):>8}  {move.build}"
        )
        _say(console, line, "dim" if move.is_still else "")
    if still:
        _say(console, f"  {len(still)} of the {len(difference.moves)} best builds did not move", "dim")
    if difference.moves:
        _say(console, "  Bounds hold for all builds of a side at once; ~ marks a move within them", "dim")


def _print_blame(console: Console, difference: Difference, objective: str) -> None:
    blames = difference.blames
    if blames is None:
        return
    console.print()
    heads = ("edit", "alone: best", "top 100", "left out: best", "top 100")
    rows = [(each.label, *words.say_blame(each)) for each in blames.each]
    rows.append(("all edits", *words.say_shift(blames.total), "", ""))
    if len(blames.each) > 1:
        rows.append(("only together", *words.say_shift(blames.together), "", ""))
    way = "higher" if difference.higher_is_better else "lower"
    _print_table(console, f"Blame: change of {objective} ({way} is stronger)", heads, rows)


def _print_table(console: Console, title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(title=Text(visible(title), style="bold"), title_justify="left", show_edge=False)
    for i, head in enumerate(heads):
        table.add_column(head, justify="right" if i else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    console.print(table)


def _print_front(console: Console, difference: Difference) -> None:
    front = difference.front
    if front is None or not (front.new or front.lost):
        return
    console.print()
    _say(
        console,
        f"Pareto front of scenarios and cost: {count(front.before, 'build')} before, {front.after:,} after",
        "bold",
    )
    for what, names in (("new", front.new), ("lost", front.lost)):
        for name in names[:_MOST_MEMBERS]:
            _say(console, f"  {what:>4}: {name}")
        if len(names) > _MOST_MEMBERS:
            _say(console, f"        and {len(names) - _MOST_MEMBERS} more {what}", "dim")


def _print_lifts(console: Console, difference: Difference) -> None:
    rows = [(each.feature, *words.say_lift(each)) for each in difference.lifts[:_MOST_LIFTS]]
    if rows:
        console.print()
        _print_table(console, "Lift in the top 1 %", ("option", "before", "after"), rows)


def _print_findings(console: Console, difference: Difference) -> None:
    if difference.findings is None:
        return
    console.print()
    _say(console, "Findings of check", "bold")
    for what, each in (("new", difference.findings.new), ("fixed", difference.findings.fixed)):
        for sentence in each:
            _say(console, f"  {what}: {sentence}")

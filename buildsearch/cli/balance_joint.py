"""What `balance` does and says for several games at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import typer
from rich.text import Text

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.cli.balance_output import Output, file_of
from buildsearch.cli.balance_view import print_rows
from buildsearch.cli.problems import said, visible
from buildsearch.cli.score_view import make_console
from buildsearch.gate.config import GateConfig
from buildsearch.model.errors import UsageError
from buildsearch.proposals.edited_rules import patch
from buildsearch.proposals.joint import JointAnswer
from buildsearch.proposals.joint_words import (
    as_data,
    conclusion,
    markdown,
    remarks,
    rows,
    title,
    today_line,
)
from buildsearch.proposals.words import HEADS
from buildsearch.whole_files import write_whole
from buildsearch.workflow.balance import texts
from buildsearch.workflow.balance_search import BalanceRequest
from buildsearch.workflow.games import JointDesk, check_joint, open_games
from buildsearch.workflow.runs import Run
from buildsearch.workflow.watch import Watch


def balance_games(
    run: Run,
    parameters: Sequence[dict[str, str]],
    request: BalanceRequest,
    limits: Thresholds,
    config: GateConfig,
    output: Output,
    *,
    cache: Path | None,
    jobs: int,
    trust: bool,
    watch: Watch,
    say: Callable[[str], None],
    on_interrupt: Callable[[], None],
    on_first: Callable[[str], None],
) -> tuple[JointDesk, JointAnswer]:
    """One proposal for all of them."""
    if output.html is not None:
        raise UsageError("--html compares proposals of one game. Take --markdown or --json for several.")
    desk = open_games(
        run,
        parameters,
        request,
        limits,
        config,
        cache=cache,
        jobs=jobs,
        trust=trust,
        watch=watch,
        say=say,
        on_interrupt=on_interrupt,
        on_first=on_first,
    )
    return desk, desk.search.run()


def say_joint(desk: JointDesk, answer: JointAnswer, output: Output, command: str) -> None:
    """The proposals, and what is written of them."""
    first = next(iter(desk.desks.values()))
    name = first.setup.loaded.model.id
    answer = replace(answer, notes=tuple(map(said, answer.notes)))
    last = said(conclusion(answer, command))
    if output.apply is not None or output.is_patch:
        _apply(desk, answer, output, last)
    if output.form == "json":
        typer.echo(json.dumps({"rules": name, **as_data(answer), "conclusion": last}))
    elif output.form == "markdown":
        typer.echo(markdown(answer, name, last), nl=False)
    if not output.is_talking:
        return
    console = make_console()
    goals = "; ".join(goal.words for goal in answer.goals)
    console.print(Text(visible(f"{name}: Goal: {goals}."), style="bold"))
    for game in answer.games:
        console.print(Text(visible(today_line(game))))
    print_rows(console, HEADS, rows(answer))
    for number, proposal in enumerate(answer.proposals, start=1):
        console.print()
        console.print(Text(visible(f"{number}. {title(proposal)}"), style="bold"))
        console.print(Text(visible("   " + " ".join(remarks(proposal)))))
    console.print()
    for note in (answer.proof, *answer.notes):
        if note:
            console.print(Text(visible(note), style="dim"))
    console.print(Text(visible(last), style="bold"))
    if output.out is not None:
        typer.echo(
            f"Proposal {output.apply} is in {output.out}: `buildsearch optimize --rules {output.out}`."
        )


def _apply(desk: JointDesk, answer: JointAnswer, output: Output, last: str) -> None:
    number = output.apply or 1
    if number > len(answer.proposals):
        raise UsageError(f"there is no proposal {number}: there are {len(answer.proposals)}. {last}")
    edits = answer.proposals[number - 1].edits
    first = next(iter(desk.desks.values()))
    before, after = texts(first, edits)
    if output.is_patch:
        typer.echo(patch(before, after, file_of(first)), nl=False)
    if output.out is not None:
        check_joint(desk, edits, after, output.out)
        write_whole(output.out, after)

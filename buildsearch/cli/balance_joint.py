"""What `balance` does and says for several games at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import typer
from rich.text import Text

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.cli.balance_forms import Output
from buildsearch.cli.balance_output import file_of, show_stress
from buildsearch.cli.balance_view import print_rows
from buildsearch.cli.problems import said, visible
from buildsearch.cli.score_view import make_console
from buildsearch.files.atomic import write_whole
from buildsearch.gate.config import GateConfig
from buildsearch.model.errors import UsageError
from buildsearch.proposals.edited_rules import patch
from buildsearch.proposals.joint import JointAnswer
from buildsearch.proposals.joint_sentences import (
    as_data,
    conclusion,
    markdown,
    remarks,
    rows,
    title,
    today_line,
)
from buildsearch.proposals.sentences import HEADS
from buildsearch.workflow.balance import texts
from buildsearch.workflow.balance_checks import CheckRequest, Checks, check_proposal
from buildsearch.workflow.balance_search import BalanceRequest
from buildsearch.workflow.games import JointDesk, check_joint, open_games
from buildsearch.workflow.runs import Run


def balance_games(
    run: Run,
    parameters: Sequence[dict[str, str]],
    request: BalanceRequest,
    limits: Thresholds,
    config: GateConfig,
    output: Output,
    check_request: CheckRequest,
    ignore_checksums: bool,
    how: dict[str, Any],
    ends: dict[str, Any],
) -> None:
    """One proposal for all of them; `how` is for whatever scores builds, `ends` for the search."""
    if output.html is not None:
        raise UsageError("--html compares proposals of one game. Take --markdown or --json for several.")
    desk = open_games(
        run, parameters, request, limits, config, ignore_checksums=ignore_checksums, **how, **ends
    )
    answer = desk.search.run()
    number, checks = output.apply or 1, None
    if not check_request.is_empty and number <= len(answer.proposals):
        games = {game.label: (desk.desks[game.label], game.search) for game in desk.search.games}
        checks = check_proposal(games, answer.proposals[number - 1].edits, number, check_request, **how)
    given = dict.fromkeys(f"-p {name}={value}" for some in parameters for name, value in some.items())
    say_joint(desk, answer, output, " ".join(["buildsearch balance", str(run.folder), *given]), checks)


def say_joint(
    desk: JointDesk, answer: JointAnswer, output: Output, command: str, checks: Checks | None = None
) -> None:
    """The proposals, what is written of them, and what became of the chosen one elsewhere."""
    first = next(iter(desk.desks.values()))
    name = first.setup.loaded.model.id
    notes = (*answer.notes, *(checks.sentences() if checks else ()))
    answer = replace(answer, notes=tuple(map(said, notes)))
    last = said(" ".join([conclusion(answer, command), *([checks.conclusion()] if checks else [])]))
    if output.apply is not None or output.is_patch:
        _apply(desk, answer, output, last)
    if output.form == "json":
        data = {"rules": name, **as_data(answer), "conclusion": last}
        typer.echo(json.dumps({**data, **({"checks": checks.data()} if checks else {})}))
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
    show_stress(checks)
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

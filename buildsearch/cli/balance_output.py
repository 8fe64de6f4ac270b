"""What `balance` found out, in the form that was asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import typer

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.cli.balance_forms import Output
from buildsearch.cli.balance_view import print_answer, print_explained
from buildsearch.cli.problems import said
from buildsearch.files.atomic import write_whole
from buildsearch.gate.config import GateConfig
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Edit
from buildsearch.proposals.answers import Answer
from buildsearch.proposals.edited_rules import patch
from buildsearch.proposals.measure import describe, measure
from buildsearch.proposals.search import Search
from buildsearch.proposals.sentences import as_data, conclusion, explained, markdown, measure_data
from buildsearch.ruleset.extends import from_here
from buildsearch.workflow.balance import Desk, check_edited, edits_from, texts
from buildsearch.workflow.balance_checks import CheckRequest, Checks, check_proposal
from buildsearch.workflow.balance_search import BalanceRequest, open_balance


def balance_one(
    desk: Desk,
    request: BalanceRequest,
    limits: Thresholds,
    config: GateConfig,
    output: Output,
    check_request: CheckRequest,
    explain: Sequence[str],
    how: dict[str, Any],
    ends: dict[str, Any],
) -> None:
    """One game: search and say; `how` is for whatever scores builds, `ends` for the search."""
    search = open_balance(desk, request, limits, config, **how, **ends)
    if explain:
        say_explained(desk, search, edits_from(desk, explain), output)
        return
    answer = search.run()
    number, checks = output.apply or 1, None
    if not check_request.is_empty and number <= len(answer.proposals):
        edits = answer.proposals[number - 1].edits
        checks = check_proposal({"": (desk, search)}, edits, number, check_request, **how)
    say_answer(desk, search, answer, output, checks)


def say_explained(desk: Desk, search: Search, edits: tuple[Edit, ...], output: Output) -> None:
    """The before-and-after of edits of one's own."""
    if any(edit.changes_fights for edit in edits):
        raise UsageError(
            "such a number changes fights, so kept scores do not hold. `buildsearch diff RULES --set` shows "
            "what it does."
        )
    if output.is_patch:
        typer.echo(patch(*texts(desk, edits), file_of(desk)), nl=False)
        return
    court, note = search.explained_in(edits)
    before, after = measure(court.state(())), measure(court.state(edits))
    kept = [(goal.words, goal.look(court.state(edits)).is_kept) for goal in search.goals]
    last = explained(before, after, kept)
    if output.form == "json":
        data = {
            "edits": [edit.text for edit in edits],
            "before": measure_data(before),
            "after": measure_data(after),
            "goals": [
                {"goal": goal.text, "kept": is_kept}
                for goal, (_, is_kept) in zip(search.goals, kept, strict=True)
            ],
            "open": note,
            "conclusion": last,
        }
        typer.echo(json.dumps(data))
        return
    print_explained(f"{describe(edits)}.", before, after, note, last, in_markdown=output.form == "markdown")


def say_answer(
    desk: Desk, search: Search, answer: Answer, output: Output, checks: Checks | None = None
) -> None:
    """The proposals, what is written of them, and what became of the chosen one elsewhere."""
    name, run = desk.setup.loaded.model.id, str(desk.run.folder)
    notes = (*answer.notes, *(checks.sentences() if checks else ()))
    answer = replace(answer, notes=tuple(map(said, notes)))
    last = said(" ".join([conclusion(answer, run), *([checks.conclusion()] if checks else [])]))
    if output.html is not None:
        from buildsearch.report.html.balance_content import balance_content
        from buildsearch.report.html.whole_page import write_content

        write_content(balance_content(answer, name, run, last, _facts(desk)), output.html)
    if output.apply is not None or output.is_patch:
        _apply(desk, search, answer, output, last)
    if output.form == "json":
        data = {"run": run, "rules": name, **as_data(answer), "conclusion": last}
        typer.echo(json.dumps({**data, **({"checks": checks.data()} if checks else {})}))
    elif output.form == "markdown":
        typer.echo(markdown(answer, name, last), nl=False)
    if not output.is_talking:
        return
    print_answer(answer, name, run, last, is_partial=desk.run.record.incomplete)
    show_stress(checks)
    if output.html is not None:
        typer.echo(f"Written to {output.html}.")
    if output.out is not None:
        typer.echo(
            f"Proposal {output.apply} is in {output.out}: `buildsearch optimize --rules {output.out}`."
        )


def show_stress(checks: Checks | None) -> None:
    """The hardest fights, as files that `score --scenarios` takes."""
    for label, each in checks.stressed if checks else ():
        at = f" at {label}" if label else ""
        typer.echo(f"\n# The hardest fight{at}; `buildsearch score BUILD --scenarios FILE` fights it.")
        typer.echo(each.scenarios, nl=False)


def _apply(desk: Desk, search: Search, answer: Answer, output: Output, last: str) -> None:
    number = output.apply or 1
    if number > len(answer.proposals):
        many = f"there {'is 1' if len(answer.proposals) == 1 else f'are {len(answer.proposals)}'}"
        raise UsageError(f"there is no proposal {number}: {many}. {last}")
    edits = answer.proposals[number - 1].edits
    before, after = texts(desk, edits)
    if output.is_patch:
        typer.echo(patch(before, after, file_of(desk)), nl=False)
    if output.out is not None:
        check_edited(desk, search.court.state(edits), after, output.out)
        write_whole(output.out, after)


def _facts(desk: Desk) -> list[tuple[str, str]]:
    parameters = desk.setup.space.parameters
    return [
        ("Game", desk.setup.loaded.system.title),
        *((name, str(value)) for name, value in parameters.items()),
        ("Scenarios", ", ".join(desk.table.population.scores.fights)),
    ]


def file_of(desk: Desk) -> str:
    """The rules file, as one would name it here."""
    return from_here(str(desk.setup.loaded.path))

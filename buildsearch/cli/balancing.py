"""A search for balance from the command line's words to an answer, and what is written of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.cli.interrupts import finishing
from buildsearch.cli.progress import watch_on_terminal
from buildsearch.gate.config import read_config, with_preset
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.levers import Edit
from buildsearch.model.problem import Problem
from buildsearch.proposals.applying import patch
from buildsearch.proposals.balancing import Answer, Effort, Search
from buildsearch.proposals.goal_words import read_goals
from buildsearch.proposals.goals import Goal
from buildsearch.proposals.measuring import describe, measure
from buildsearch.proposals.selecting import STEPS, Chosen, Wish, choose, split
from buildsearch.proposals.words import as_data, conclusion, explained, markdown, measure_data
from buildsearch.report.loadout_files import has_loadouts
from buildsearch.whole_files import check_writable, write_whole
from buildsearch.workflow.balance import Desk, check_edited, completer, edits_asked, open_desk, texts
from buildsearch.workflow.fight_setup import check_jobs
from buildsearch.workflow.runs import find_run, load_run

# More builds than these are not scored on the way: that is a run of its own.
_MOST_LET_IN = 20_000
_GOING_ON = "buildsearch: interrupted. What was found is looked at and told; Ctrl-C again stops at once.\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says."""

    run: str | None
    goals: tuple[str, ...]
    levers: tuple[str, ...]
    lock: tuple[str, ...]
    only: tuple[str, ...]
    steps: int | None
    explain: tuple[str, ...]
    proposals: int | None
    seconds: float | None
    apply: int | None
    out: Path | None
    patch: bool
    html: Path | None
    form: str
    thresholds: Path | None
    config: Path | None
    cache: Path | None
    jobs: int
    trust: bool
    quiet: bool


def balance(asked: Asked) -> None:
    """Search and say it in the form that was asked for."""
    check_jobs(asked.jobs)
    for path in (asked.html, asked.out):
        if path is not None:
            check_writable(path)
    limits = read_thresholds(asked.thresholds)
    settings = with_preset(read_config(asked.config)[0])
    told = settings.balance
    folder = find_run(asked.run)
    if has_loadouts(folder):
        from buildsearch.cli.balance_loadouts import balance_loadouts

        balance_loadouts(folder, limits, asked)
        return
    desk = open_desk(load_run(asked.run, trust=asked.trust, watch=watch_on_terminal(quiet=asked.quiet)))
    title = desk.setup.loaded.system.title
    wish = Wish(
        kinds=split(asked.levers or told.levers),
        lock=split((*told.lock, *asked.lock)),
        only=split(asked.only or told.only),
        steps=asked.steps or told.steps or STEPS,
    )
    problems: list[Problem] = []
    chosen: Chosen | None = None
    goals: tuple[Goal, ...] = ()
    # What is wrong with goals and with levers is told together.
    try:
        goals = _goals(asked, desk, settings.assertions, told.goals)
    except InputError as error:
        problems += error.problems
    try:
        chosen = choose(desk.levers, desk.table, wish, title)
    except InputError as error:
        problems += error.problems
    if problems or chosen is None:
        raise InputError(problems)
    effort = Effort(asked.proposals or told.proposals or 6, asked.seconds or told.seconds or 45.0)
    quiet = asked.quiet or asked.form != "text"
    with _status(quiet) as say:
        search = Search(
            desk.table,
            limits,
            goals,
            chosen,
            effort,
            say,
            complete=completer(desk, asked.cache, asked.jobs, watch_on_terminal(quiet=quiet)),
            on_interrupt=lambda: finishing(_GOING_ON),
        )
        if asked.explain:
            _explain(desk, search, edits_asked(desk, asked.explain), asked)
            return
        answer = search.run()
    _write(desk, search, answer, asked)


def _goals(asked: Asked, desk: Desk, assertions: Any, told: Sequence[str]) -> tuple[Goal, ...]:
    population, subject = desk.table.population, desk.table.subject
    return read_goals(
        asked.goals or told,
        assertions,
        read_thresholds(asked.thresholds),
        [*population.names],
        population.scores.fights,
        counts_steps=subject.least is not None,
    )


@contextmanager
def _status(quiet: bool) -> Iterator[Callable[[str], None]]:
    """A line that says what is proved so far."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True, highlight=False)
    if quiet or not console.is_terminal:
        yield lambda _text: None
        return
    with console.status("") as status:
        yield lambda text: status.update(escape(text))


def _explain(desk: Desk, search: Search, edits: tuple[Edit, ...], asked: Asked) -> None:
    """The before-and-after of edits of one's own."""
    if any(edit.changes_fights for edit in edits):
        raise UsageError(
            "such a number changes fights, so kept scores do not hold. `buildsearch diff RULES --set` shows "
            "what it does."
        )
    if asked.patch:
        typer.echo(patch(*texts(desk, edits), _name(desk)), nl=False)
        return
    court, note = search.explained_in(edits)
    before, after = measure(court.state(())), measure(court.state(edits))
    kept = [(goal.words, goal.look(court.state(edits)).is_kept) for goal in search.goals]
    said = explained(before, after, kept)
    if asked.form == "json":
        data = {
            "edits": [edit.text for edit in edits],
            "before": measure_data(before),
            "after": measure_data(after),
            "goals": [
                {"goal": goal.text, "kept": is_kept}
                for goal, (_, is_kept) in zip(search.goals, kept, strict=True)
            ],
            "open": note,
            "conclusion": said,
        }
        typer.echo(json.dumps(data))
        return
    from buildsearch.cli.balance_view import print_explained

    print_explained(f"{describe(edits)}.", before, after, note, said, in_markdown=asked.form == "markdown")


def _write(desk: Desk, search: Search, answer: Answer, asked: Asked) -> None:
    name = desk.setup.loaded.model.id
    run = str(desk.run.folder)
    if asked.html is not None:
        from buildsearch.report.html.balance_content import balance_content
        from buildsearch.report.html.writing import write_content

        write_content(balance_content(answer, name, run, _facts(desk)), asked.html)
    if asked.apply is not None or asked.patch:
        number = asked.apply or 1
        if number > len(answer.proposals):
            many = f"there {'is 1' if len(answer.proposals) == 1 else f'are {len(answer.proposals)}'}"
            raise UsageError(f"there is no proposal {number}: {many}. {conclusion(answer, run)}")
        edits = answer.proposals[number - 1].edits
        before, after = texts(desk, edits)
        if asked.patch:
            typer.echo(patch(before, after, _name(desk)), nl=False)
        if asked.out is not None:
            check_edited(desk, search.court.state(edits), after, asked.out)
            write_whole(asked.out, after)
    if asked.form == "json":
        typer.echo(
            json.dumps({"run": run, "rules": name, **as_data(answer), "conclusion": conclusion(answer, run)})
        )
    elif asked.form == "markdown":
        typer.echo(markdown(answer, name, run), nl=False)
    elif asked.form == "text" and not asked.quiet:
        from buildsearch.cli.balance_view import print_answer

        print_answer(answer, name, run, is_partial=desk.run.record.partial)
    if asked.form == "text" and not asked.quiet:
        if asked.html is not None:
            typer.echo(f"Written to {asked.html}.")
        if asked.out is not None:
            typer.echo(
                f"Proposal {asked.apply} is in {asked.out}: `buildsearch optimize --rules {asked.out}`."
            )


def _facts(desk: Desk) -> list[tuple[str, str]]:
    parameters = desk.setup.space.parameters
    return [
        ("Game", desk.setup.loaded.system.title),
        *((name, str(value)) for name, value in parameters.items()),
        ("Scenarios", ", ".join(desk.table.population.scores.fights)),
    ]


def _name(desk: Desk) -> str:
    from buildsearch.ruleset.places import from_here

    return from_here(str(desk.setup.loaded.path))

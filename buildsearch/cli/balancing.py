"""A search for balance from the command line's words to an answer, and what is written of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.cli.interrupts import finishing
from buildsearch.cli.progress import watch_on_terminal
from buildsearch.gate.config import read_config, with_preset
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Edit
from buildsearch.proposals.answers import Answer
from buildsearch.proposals.applying import patch
from buildsearch.proposals.balancing import Search
from buildsearch.proposals.explaining import read_edits
from buildsearch.proposals.measuring import describe, measure
from buildsearch.proposals.words import as_data, conclusion, explained, markdown, measure_data
from buildsearch.report.loadout_files import has_loadouts
from buildsearch.whole_files import check_writable, write_whole
from buildsearch.workflow.balance import Desk, check_edited, open_desk, texts
from buildsearch.workflow.fight_setup import check_jobs
from buildsearch.workflow.lab import Lab
from buildsearch.workflow.proposing import Question, search_for
from buildsearch.workflow.runs import find_run, load_run

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

    @property
    def question(self) -> Question:
        """What is asked of the search."""
        return Question(
            self.goals, self.levers, self.lock, self.only, self.steps, self.proposals, self.seconds
        )


def balance(asked: Asked) -> None:
    """Search and say it in the form that was asked for."""
    check_jobs(asked.jobs)
    for path in (asked.html, asked.out):
        if path is not None:
            check_writable(path)
    limits = read_thresholds(asked.thresholds)
    settings = with_preset(read_config(asked.config)[0])
    folder = find_run(asked.run)
    if has_loadouts(folder):
        from buildsearch.cli.balance_loadouts import balance_loadouts

        balance_loadouts(folder, limits, asked)
        return
    desk = open_desk(load_run(asked.run, trust=asked.trust, watch=watch_on_terminal(quiet=asked.quiet)))
    quiet = asked.quiet or asked.form != "text"
    lab = Lab(desk, asked.cache, asked.jobs, watch_on_terminal(quiet=quiet))
    with _status(quiet) as say:
        search = search_for(
            desk, asked.question, settings, limits, lab, say=say, on_interrupt=lambda: finishing(_GOING_ON)
        )
        if asked.explain:
            _explain(desk, search, read_edits(asked.explain, desk.levers), asked)
            return
        answer = search.run()
    _write(desk, search, answer, asked)


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

"""A search for balance from the command line's words to an answer, and what is written of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.balance.applying import differs_from, edited_data, edited_text, patch
from buildsearch.balance.balancing import Answer, Effort, Search
from buildsearch.balance.completing import completed, missing
from buildsearch.balance.explaining import read_edits
from buildsearch.balance.goal_words import read_goals
from buildsearch.balance.goals import Goal
from buildsearch.balance.measuring import describe, measure
from buildsearch.balance.selecting import STEPS, Chosen, Wish, choose, split
from buildsearch.balance.state import State
from buildsearch.balance.table import Table, table_of
from buildsearch.balance.words import as_data, conclusion, explained, markdown, measure_data
from buildsearch.changes.ground import Effort as Scoring
from buildsearch.changes.ground import Ground
from buildsearch.cli.interrupts import finishing
from buildsearch.cli.problems import warn
from buildsearch.cli.progress import progress_bar, watch_on_terminal
from buildsearch.gate.config import read_config, with_preset
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.levers import KINDS, Edit, Lever, Movable
from buildsearch.model.problem import Problem
from buildsearch.model.space import Wanted
from buildsearch.report.loadout_files import has_loadouts
from buildsearch.ruleset.document import Document, decode_document
from buildsearch.ruleset.extending import Disk
from buildsearch.ruleset.revisions import is_revision
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import RaceRules
from buildsearch.untrusted_files import MAX_TEXT, read_text
from buildsearch.whole_files import check_writable, write_whole
from buildsearch.workflow.fight_setup import FightSetup, check_jobs, set_up
from buildsearch.workflow.loading import inspect
from buildsearch.workflow.runs import Run, find_run, load_run
from buildsearch.workflow.subjects import subject_of

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


@dataclass(frozen=True, eq=False)
class Desk:
    """A run with everything that can be moved in its rules."""

    run: Run
    table: Table
    levers: tuple[Lever, ...]

    @property
    def setup(self) -> FightSetup:
        """What the run was made with."""
        return self.run.setup

    def edited(self, edits: Sequence[Edit]) -> FightSetup:
        """The same setup under edited rules."""
        loaded = self.setup.loaded
        model = loaded.system.rules_model.model_validate(edited_data(loaded.document.root.plain(), edits))
        return set_up(replace(loaded, model=model), self.run.record.request)

    @property
    def wanted(self) -> Wanted:
        """Which builds the run is about."""
        return self.run.record.request.wanted


def open_desk(run: Run) -> Desk:
    """Ready to move; raises UsageError where nothing can be."""
    setup = run.setup
    system, rules = setup.loaded.system, setup.loaded.model
    if not isinstance(system, Movable):
        raise UsageError(
            f"{system.title} declares no prices, bans or limits that could be moved. `buildsearch diff RULES "
            "--set NAME=VALUE` shows what a change of a number does."
        )
    if run.record.out_of is not None:
        raise UsageError(
            f"{run.folder} has only some builds of its space (a guided search, or --among): what an edit "
            "leaves cannot be known. Run optimize --search exhaustive on a smaller space."
        )
    subject = subject_of(setup, run.scores, run.objective, triggers=False, beyond=run.beyond)
    table = table_of(subject, system.accounts(rules, setup.space))
    return Desk(run, table, system.levers(rules, setup.space))


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
            complete=_completer(desk, asked, quiet=quiet),
            on_interrupt=lambda: finishing(_GOING_ON),
        )
        if asked.explain:
            _explain(desk, search, read_edits(asked.explain, desk.levers), asked)
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


def _completer(desk: Desk, asked: Asked, *, quiet: bool) -> Callable[[Table, Sequence[Edit]], Table | None]:
    """Scores what edits let in, with the cache."""
    scores = ScoreCache(asked.cache, warn)

    def complete(table: Table, edits: Sequence[Edit]) -> Table | None:
        if any(edit.changes_fights for edit in edits):
            return None
        setup = desk.edited(edits)
        system = setup.loaded.system
        if sum(setup.space.count(desk.wanted).values()) > len(table.population) + _MOST_LET_IN:
            return None
        scorer = CachedScorer(system.bulk(setup.loaded.model, setup.space), scores)
        ground = Ground(setup.space, desk.wanted, setup.fights, scorer)
        chunks = missing(table, ground)
        if sum(map(len, chunks)) > _MOST_LET_IN:
            return None
        objective = read_objectives((desk.run.objective,) if desk.run.objective else (), system.metrics)[0]
        record = desk.run.record
        rules = RaceRules(100, record.floor or 256, 0, record.seed)
        bar = Scoring(
            objective, rules, asked.jobs, lambda what, total: progress_bar(what, total, quiet=quiet)
        )
        return completed(table, ground, chunks, bar)

    return complete


def _explain(desk: Desk, search: Search, edits: tuple[Edit, ...], asked: Asked) -> None:
    """The before-and-after of edits of one's own."""
    if any(edit.changes_fights for edit in edits):
        raise UsageError(
            "such a number changes fights, so kept scores do not hold. `buildsearch diff RULES --set` shows "
            "what it does."
        )
    if asked.patch:
        typer.echo(patch(*_texts(desk, edits), _name(desk)), nl=False)
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
        before, after = _texts(desk, edits)
        if asked.patch:
            typer.echo(patch(before, after, _name(desk)), nl=False)
        if asked.out is not None:
            _check(desk, search.court.state(edits), after, asked.out)
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


def _texts(desk: Desk, edits: Sequence[Edit]) -> tuple[str, str]:
    """The text of the rules file before and after; raises UsageError where a file is not what was judged."""
    request, loaded = desk.run.record.request, desk.setup.loaded
    if request.overrides or request.rulings:
        raise UsageError(
            "the run was made with --set or --ruling, so the rules file is not what was judged. Write these "
            "values into a file (`buildsearch init`), and run optimize on it."
        )
    if is_revision(request.rules):
        raise UsageError("the run was made with rules of a revision. Run optimize on a file to edit it.")
    before = read_text(loaded.path, MAX_TEXT)
    return before, edited_text(before, edits, loaded.document)


class _Edited(Disk):
    """The disk, but for one file that has another text."""

    def __init__(self, path: Path, text: str, source: str) -> None:
        self._path, self._text, self._source = path.resolve(), text, source

    def read(self, path: Path) -> Document:
        if path.resolve() == self._path:
            return decode_document(self._text.encode(), self._source)
        return super().read(path)


def _check(desk: Desk, state: State, text: str, out: Path) -> None:
    """The edited rules are valid, say just what was proposed, and have just the builds that were judged."""
    loaded = desk.setup.loaded
    again, problems = inspect(loaded.path, kind="rules", library=_Edited(loaded.path, text, str(out)))
    if again is None:
        raise InputError(problems)
    wanted = loaded.system.rules_model.model_validate(edited_data(loaded.document.root.plain(), state.edits))
    if again.model != wanted:
        raise UsageError(
            f"{loaded.path} is written in a way (an alias, perhaps) in which these lines cannot be edited "
            "alone. Nothing was written; --patch shows them."
        )
    setup = set_up(replace(loaded, model=again.model), desk.run.record.request)
    why = differs_from(setup.space, desk.wanted, state)
    if why is not None and state.court.table.is_closed(state.edits):
        raise UsageError(f"{why}. Nothing was written; please report it.")


def lever_words(levers: Sequence[Lever]) -> str:
    """What a game can move."""
    present = {edit.kind for lever in levers for edit in lever.edits}
    return ", ".join(f"{kind} ({KINDS[kind]})" for kind in KINDS if kind in present)

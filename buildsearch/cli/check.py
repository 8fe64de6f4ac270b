"""`buildsearch check`: assertions about balance, for CI."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.exit_codes import BAD_INPUT, FINDINGS, FINE, INCONCLUSIVE
from buildsearch.cli.option_groups import Kept, Overrides, words_of
from buildsearch.cli.options import (
    DEFAULT_RULES,
    JobsOption,
    JsonOption,
    QuietOption,
    ScenariosOption,
    SeedOption,
)

if TYPE_CHECKING:
    from buildsearch.cli.searching import Search
    from buildsearch.gate.config import GateConfig
    from buildsearch.gate.facts import Facts
    from buildsearch.gate.findings import AssertionResult, Outcome
    from buildsearch.search.optimizing import Answer

EXAMPLE = (
    "Examples: buildsearch check --preset lenient;  "
    "buildsearch check --junit check.xml --sarif check.sarif;  buildsearch check --update-baseline"
)
_SHOWN = 30
_REPORTED = 100  # rows of the leaderboard in a report


def command(
    *,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Default: buildsearch.toml, or [tool.buildsearch] in pyproject.toml."),
    ] = None,
    preset: Annotated[
        str | None, typer.Option("--preset", help="Assertions that are shipped: lenient or strict.")
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", "-r", help="Ruleset, by name or path.")] = None,
    tier: Annotated[
        list[str] | None, typer.Option("--tier", help="Check this tier. May be repeated.")
    ] = None,
    archetype: Annotated[
        list[str] | None, typer.Option("--archetype", help="Check this archetype. May be repeated.")
    ] = None,
    budget: Annotated[
        list[str] | None, typer.Option("--budget", help="Check this budget. May be repeated.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter", "-p", help="A parameter of the game, e.g. tier=4. Several of one: a run for each."
        ),
    ] = None,
    scenarios: ScenariosOption = None,
    overrides: Overrides,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="Accepted findings. Default: the config's.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Accept everything that is found now.")
    ] = False,
    inconclusive: Annotated[
        str | None,
        typer.Option("--inconclusive", help="Count what stays open as pass or fail (else exit 4)."),
    ] = None,
    fights: Annotated[
        int | None, typer.Option("--fights", min=0, help="Fights to decide what is near a limit.")
    ] = None,
    junit: Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML here.")] = None,
    sarif: Annotated[Path | None, typer.Option("--sarif", help="Write SARIF 2.1.0 here.")] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            help="Write the report of the run here, and the run beside it; of several, numbered.",
        ),
    ] = None,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    kept: Kept,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Fail where a build is too strong, or an option is dead weight.

    What `analyze` accuses, as assertions for CI: buildsearch.toml says which hold for your game.

    Exit codes: 0 pass (warnings included), 1 fail, 2 bad usage or input, 3 internal error, 4 inconclusive.
    """
    from buildsearch.cli.check_reports import as_data, error_as_data, write_reports
    from buildsearch.cli.check_view import print_outcome
    from buildsearch.cli.fight_setup import make_sampling
    from buildsearch.cli.searching import content_hash
    from buildsearch.gate.baseline import read_baseline, write_baseline
    from buildsearch.gate.findings import Outcome
    from buildsearch.model.errors import BuildsearchError, UsageError
    from buildsearch.whole_files import check_writable

    make_sampling(None, None, seed, jobs)  # checks them
    for asked in (junit, sarif, html):
        if asked is not None:
            check_writable(asked)
    if baseline is not None and not update_baseline and not baseline.exists():
        raise UsageError(f"there is no baseline {baseline}. Write one with --update-baseline.")
    try:
        settings = _settings(config, preset, rules, scenarios, fights, inconclusive)
    except BuildsearchError as error:
        if not json_:
            raise
        typer.echo(json.dumps(error_as_data(error)))
        raise typer.Exit(BAD_INPUT) from error
    words: dict[str, Any] = {
        "rules": settings.rules,
        **words_of(overrides),
        "scenarios": settings.scenarios,
        "seed": seed,
    }
    place = kept.place
    runs = _runs(settings, parameter or (), {"tier": tier, "archetype": archetype, "budget": budget})
    begun = time.perf_counter()
    loaded, results, places = _judge_all(settings, words, runs, place, jobs, html, quiet=quiet or json_)
    path = baseline or Path(settings.baseline)
    known = read_baseline(path, loaded.model.id)
    if update_baseline:
        count = write_baseline(path, loaded.model.id, content_hash(loaded.model), results, places, known)
        are = "1 finding is" if count == 1 else f"{count} findings are"
        typer.echo(f"{are} accepted in {path}. Write a reason for each, and commit it.")
        return
    found = tuple(finding for result in results for finding in result.findings)
    outcome = known.sift(results) if known is not None else Outcome(tuple(results), found)
    outcome = _worst_first(outcome)
    write_reports(outcome, loaded, junit, sarif)
    if json_:
        typer.echo(json.dumps(as_data(outcome, time.perf_counter() - begun)))
    elif not quiet:
        print_outcome(outcome, _SHOWN)
    raise typer.Exit(_exit_code(outcome, settings.inconclusive))


def _settings(
    config: Path | None,
    preset_name: str | None,
    rules: str | None,
    scenarios: str | None,
    fights: int | None,
    inconclusive: str | None,
) -> GateConfig:
    """The config, then a preset for what it leaves open, with the command line's words on top."""
    from buildsearch.gate.config import read_config, with_preset
    from buildsearch.model.errors import UsageError

    found = with_preset(read_config(config)[0], preset_name)
    if inconclusive not in (None, "pass", "fail"):
        raise UsageError(f"--inconclusive is pass or fail, not `{inconclusive}`.")
    changes: dict[str, Any] = {
        "rules": rules or found.rules or DEFAULT_RULES,
        "scenarios": scenarios or found.scenarios,
        "fights": found.fights if fights is None else fights,
        "inconclusive": inconclusive or found.inconclusive,
    }
    return found.model_copy(update=changes)


def _runs(
    settings: GateConfig, given: Sequence[str], shorthands: Mapping[str, Sequence[str] | None]
) -> list[dict[str, Any]]:
    """The words of each run: every combination of values. The command line goes before the config."""
    from buildsearch.model.errors import UsageError

    chosen: dict[str, list[str]] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise UsageError(f"-p {text}: a parameter is written name=value, e.g. -p tier=4.")
        chosen.setdefault(name, []).append(value)
    short = {name: list(values) for name, values in shorthands.items() if values}
    for name in short.keys() & chosen.keys():
        raise UsageError(f"{name} is given as --{name} and as -p {name}=... Say it one way.")
    configured = {
        name: list(map(str, values))
        for name, values in settings.parameters.items()
        if name not in chosen | short
    }
    free = chosen | configured
    return [
        {
            "parameter": [f"{name}={value}" for name, value in zip(free, values, strict=False)],
            **dict(zip(short, values[len(free) :], strict=True)),
        }
        for values in product(*free.values(), *short.values())
    ]


def _judge_all(
    settings: GateConfig,
    words: dict[str, Any],
    runs: Sequence[dict[str, Any]],
    cache: Path | None,
    jobs: int,
    html: Path | None,
    *,
    quiet: bool,
) -> tuple[Any, list[AssertionResult], list[str]]:
    """The rules, what was found, and in which runs."""
    from buildsearch.cli.progress import progress_bar
    from buildsearch.gate.judging import Judge
    from buildsearch.gate.memory import Memory

    results: list[AssertionResult] = []
    places: list[str] = []
    loaded = None
    with progress_bar("deciding (fights)", settings.fights, quiet=quiet) as advance:
        judge = Judge(settings.fights, Memory(cache), advance)
        for number, run in enumerate(runs, start=1):
            page = html if html is None or len(runs) == 1 else html.with_stem(f"{html.stem}-{number}")
            loaded, facts = _facts(words | run, cache, jobs, page, settings, quiet=quiet)
            places.append(facts.place)
            for name, assertion in settings.assertions.items():
                results += judge.judge(name, assertion, facts)
    return loaded, results, places


def _facts(
    words: dict[str, Any],
    cache: Path | None,
    jobs: int,
    html: Path | None,
    settings: GateConfig,
    *,
    quiet: bool,
) -> tuple[Any, Facts]:
    from buildsearch.cli.fight_setup import setup_of
    from buildsearch.cli.gate_facts import facts_of
    from buildsearch.cli.meeting import check_meeting
    from buildsearch.cli.searching import Search, make_scorer
    from buildsearch.model.space import Wanted
    from buildsearch.search.objectives import read_objectives
    from buildsearch.search.optimizing import Question
    from buildsearch.search.race import RaceRules

    setup = setup_of(words)
    check_meeting(settings.assertions, setup)
    shown = 1 if html is None else _REPORTED
    rules = RaceRules(top=shown, floor=256, budget=0, seed=words["seed"])
    question = Question(read_objectives((), setup.loaded.system.metrics), rules, jobs)
    search = Search(setup, Wanted(), question, make_scorer(setup, cache), quiet, words)
    search.counts()
    answer = search.run()
    if answer.is_partial:
        raise typer.Abort
    if html is not None:
        _write_page(search, answer, html)
    objective = question.objectives[0]
    facts = facts_of(
        setup, search.scorer, answer.ledger, answer.costs[0], objective, rules, jobs, fights=settings.fights
    )
    return setup.loaded, facts


def _write_page(search: Search, answer: Answer, html: Path) -> None:
    """The report of a run, whose files go into a folder beside it."""
    from buildsearch.cli.reporting import write_report
    from buildsearch.cli.runs import load_run

    folder = html.with_name(f"{html.stem}-run")
    search.write(answer, folder)
    write_report(load_run(str(folder)), html)


def _worst_first(outcome: Outcome) -> Outcome:
    """Errors before warnings, then as the assertions stand in the file, then by how far beyond the limit."""
    from dataclasses import replace

    from buildsearch.gate.findings import Level

    place = {name: i for i, name in enumerate(dict.fromkeys(each.assertion for each in outcome.results))}
    order = sorted(
        outcome.fresh,
        key=lambda each: (
            each.level is not Level.ERROR,
            each.is_open,
            place.get(each.assertion, len(place)),
            -each.excess,
        ),
    )
    return replace(outcome, fresh=tuple(order))


def _exit_code(outcome: Outcome, inconclusive: str | None) -> int:
    from buildsearch.gate.findings import Verdict

    if outcome.verdict is Verdict.FAIL:
        return FINDINGS
    if outcome.verdict is Verdict.PASS or inconclusive == "pass":
        return FINE
    return FINDINGS if inconclusive == "fail" else INCONCLUSIVE

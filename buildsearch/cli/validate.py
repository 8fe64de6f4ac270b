"""`buildsearch validate`: every problem of rules, scenarios and builds at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.failures import FINDINGS
from buildsearch.options.fields import Flag, Positional, Texts
from buildsearch.options.game import DEFAULT_RULES, Overrides, Parameters, Rulings
from buildsearch.options.output import Json

if TYPE_CHECKING:
    from buildsearch.model.space import BuildSpace

EXAMPLE = (
    "Examples: buildsearch validate vitality-v2 my-rules.yaml;  "
    'buildsearch validate --build "melee_dg+brutal" --tier 3 --archetype focused'
)


def command(
    *,
    files: Annotated[
        Texts, Positional("Rules or scenarios. Default: all of them.", metavar="NAME-OR-FILE")
    ] = (),
    build: Annotated[Texts, Flag("Check whether this build is legal.", "--build", "-b")] = (),
    rules: Annotated[str | None, Flag("Ruleset to check builds against.", "--rules", "-r")] = None,
    parameters: Parameters,
    overrides: Overrides = (),
    rulings: Rulings = (),
    as_json: Json = False,
) -> None:
    """Check rules files, scenario files, or builds.

    Reports every problem with file, line, path, value and a hint. Exit code 1 when there is an error, 0 when
    there are only warnings.
    """
    from buildsearch.library.fight_setup import open_space
    from buildsearch.library.input_files import load_rules

    answers = []
    if files or not build:
        # Overrides fit one ruleset, not everything that is known.
        only = [rules or DEFAULT_RULES] if rules or overrides or rulings else []
        answers += _check_files(files or only, overrides, rulings)
    if build:
        space = open_space(load_rules(rules or DEFAULT_RULES, overrides, rulings), parameters)
        answers += _check_builds(build, space)
    bad = [answer for answer in answers if not answer["ok"]]
    if as_json:
        typer.echo(json.dumps({"ok": not bad, "checked": [_as_data(answer) for answer in answers]}))
    else:
        _print_answers(answers)
    if bad:
        raise typer.Exit(FINDINGS)


def _check_files(names: Sequence[str], sets: Sequence[str], rulings: Sequence[str]) -> list[dict[str, Any]]:
    from buildsearch.library.input_files import inspect

    answers = []
    for path in _paths(names):
        loaded, problems = inspect(path, sets, rulings)
        answers.append({"what": str(path), "ok": loaded is not None, "problems": problems, "says": ""})
    return answers


def _paths(names: Sequence[str]) -> list[Path]:
    from buildsearch.model.errors import UsageError
    from buildsearch.ruleset.locate import find_file, list_files, looks_like_path
    from buildsearch.ruleset.messages import suggest

    shelves = {shelf: list_files(shelf) for shelf in ("rules", "scenarios")}
    if not names:
        return [path for files in shelves.values() for path in files.values()]
    paths: list[Path] = []
    unknown: list[str] = []
    for name in names:
        # A name may stand on both shelves: then both files are meant.
        on_shelves = [files[name] for files in shelves.values() if name in files]
        try:
            paths.extend(on_shelves or [find_file("rules", name)])
        except UsageError as error:
            known = sorted({known for files in shelves.values() for known in files})
            unknown.append(
                str(error)
                if looks_like_path(name)
                else f"unknown rules or scenarios `{name}`. {suggest(name, known)}"
            )
    if unknown:
        raise UsageError("\n".join(unknown))
    return paths


def _check_builds(builds: Sequence[str], space: BuildSpace) -> list[dict[str, Any]]:
    from buildsearch.model.errors import InputError

    under = ", ".join(f"{name} {value}" for name, value in space.parameters.items())
    answers = []
    for text in builds:
        try:
            parsed = space.parse(text)
        except InputError as error:
            answers.append(
                {"what": text, "ok": False, "problems": list(error.problems), "says": "not a build"}
            )
            continue
        name = space.name(parsed)
        problems = [replace(problem, source=f"build '{name}'") for problem in space.reasons_against(parsed)]
        wrong = "illegal" if space.reasons_against(parsed, at_any_cost=True) else "over the budget"
        says = f"{wrong} under {under}" if problems else f"legal under {under}; costs {space.cost(parsed)}"
        answers.append({"what": name, "ok": not problems, "problems": problems, "says": says})
    return answers


def _as_data(answer: dict[str, Any]) -> dict[str, Any]:
    from buildsearch.cli.terminal import problem_to_dict

    return answer | {"problems": [problem_to_dict(problem) for problem in answer["problems"]]}


def _print_answers(answers: list[dict[str, Any]]) -> None:
    from buildsearch.cli.terminal import print_problems, visible
    from buildsearch.model.text import count

    for answer in answers:
        print_problems(answer["problems"])
        numbers = Counter(problem.severity.value for problem in answer["problems"])
        counted = "".join(f", {count(numbers[kind], kind)}" for kind in ("error", "warning") if numbers[kind])
        result = answer["says"] or ("valid" if answer["ok"] else "invalid")
        typer.echo(f"{visible(answer['what'])}: {result}{counted}")

"""buildsearch.toml: which assertions hold, for which runs. Every problem at once, with line and hint."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from buildsearch.gate.assertions import KINDS, Assertion, Parameters
from buildsearch.model.errors import InputError, UsageError, reason_of
from buildsearch.model.fields import Frozen
from buildsearch.model.problem import Problem
from buildsearch.ruleset.hints import suggest
from buildsearch.ruleset.wording import hint_of, message_of

FILE = "buildsearch.toml"
PRESETS = ("lenient", "strict")
_DEFAULT = "lenient"


class GateConfig(Frozen):
    """A whole file. What the command line says goes first."""

    rules: str | None = None
    scenarios: str | None = None
    preset: Literal["lenient", "strict"] | None = None
    parameters: Parameters = Field(default={}, description="every combination of these values is a run")
    baseline: str = "baseline.json"
    fights: Annotated[int, Field(ge=0, description="to decide what is near a limit")] = 50_000_000
    inconclusive: Literal["pass", "fail"] | None = None
    assertions: dict[str, Annotated[Assertion, Field(discriminator="kind")]] = Field(default={})


def read_config(path: Path | None) -> tuple[GateConfig, Path | None]:
    """The file named, or buildsearch.toml, or [tool.buildsearch] of pyproject.toml, or nothing at all."""
    if path is not None:
        return _read(path, required=True), path
    for name in (FILE, "pyproject.toml"):
        if Path(name).is_file():
            text = Path(name).read_text(encoding="utf-8")
            if name == FILE or re.search(r"^\[tool\.buildsearch", text, re.MULTILINE):
                return _read(Path(name), required=False), Path(name)
    return GateConfig(), None


def with_preset(found: GateConfig, name: str | None = None) -> GateConfig:
    """A config with the assertions of a preset besides its own, which go before.

    Which: the one that is named, else the config's, else the default where the config asserts nothing.
    """
    chosen = name or found.preset or (None if found.assertions else _DEFAULT)
    assertions = {**(preset(chosen).assertions if chosen else {}), **found.assertions}
    return found.model_copy(update={"assertions": assertions})


def preset(name: str) -> GateConfig:
    """A set of assertions that is shipped; raises UsageError."""
    if name not in PRESETS:
        raise UsageError(f"unknown preset `{name}`. {suggest(name, PRESETS)}")
    text = (files("buildsearch.gate") / "presets" / f"{name}.toml").read_text(encoding="utf-8")
    return _parse(text, f"preset {name}", in_pyproject=False)


def _read(path: Path, *, required: bool) -> GateConfig:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"cannot read {path}: {reason_of(error)}. Name another file with --config."
        ) from error
    in_pyproject = path.name == "pyproject.toml"
    if required and in_pyproject and "[tool.buildsearch" not in text:
        raise UsageError(f"{path} has no [tool.buildsearch].")
    return _parse(text, str(path), in_pyproject=in_pyproject)


def _parse(text: str, source: str, *, in_pyproject: bool) -> GateConfig:
    try:
        data: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found.group(1)) if found else None
        raise InputError([Problem(str(error), source=source, line=line)]) from error
    if in_pyproject:
        data = data.get("tool", {}).get("buildsearch", {})
    problems = [_problem(text, source, *each) for each in _problems(data)]
    if problems:
        raise InputError(sorted(problems, key=lambda each: each.line or 0))
    return GateConfig.model_validate(data)


def _problems(data: Any) -> list[tuple[list[str], str, str | None, Any]]:
    """(path, message, hint, value) of all that is wrong."""
    found: list[tuple[list[str], str, str | None, Any]] = []
    assertions = data.get("assertions", {})
    if not isinstance(assertions, dict):
        return [(["assertions"], "assertions are tables", "Write [assertions.NAME].", assertions)]
    for name, table in assertions.items():
        place = ["assertions", name]
        kind = table.get("kind") if isinstance(table, dict) else None
        if kind not in KINDS:
            message = f"unknown assertion `{kind}`" if kind else "an assertion needs a `kind`"
            found.append(([*place, "kind"], message, suggest(str(kind or ""), list(KINDS)), kind))
            continue
        found += _shape_problems(KINDS[kind], table, place)
    head = {key: value for key, value in data.items() if key != "assertions"}
    return found + _shape_problems(GateConfig, head, [])


def _shape_problems(
    shape: type[Frozen], data: Any, place: list[str]
) -> list[tuple[list[str], str, str | None, Any]]:
    try:
        TypeAdapter(shape).validate_python(data)
    except ValidationError as error:
        problems = []
        for each in error.errors():
            path = [*place, *(str(part) for part in each["loc"] if not isinstance(part, int))]
            unknown = each["type"] == "extra_forbidden"
            message = f"unknown key `{path[-1]}`" if unknown else message_of(each, f"`{path[-1]}`")
            hint = suggest(path[-1], list(shape.model_fields)) if unknown else hint_of(each)
            problems.append((path, message, hint, each.get("input")))
        return problems
    return []


def _problem(text: str, source: str, path: list[str], message: str, hint: str | None, value: Any) -> Problem:
    shown = None if value is None or isinstance(value, dict) else repr(value)
    line = _line(text, path)
    return Problem(message, source=source, line=line, path=".".join(path), value=shown, hint=hint)


def _line(text: str, path: list[str]) -> int | None:
    """Where a key stands: below the header of its table if it has one, else the header itself."""
    lines = text.splitlines()
    at = 0
    if path[0] == "assertions" and len(path) > 1:
        header = re.compile(rf"^\s*\[[^\]]*assertions\.\"?{re.escape(path[1])}\"?\]")
        at = next((i for i, line in enumerate(lines) if header.match(line)), 0)
    key = re.compile(rf"^\s*\"?{re.escape(path[-1])}\"?\s*=")
    for i in range(at, len(lines)):
        if key.match(lines[i]):
            return i + 1
        if i > at and lines[i].lstrip().startswith("["):
            break
    return at + 1 if lines else None

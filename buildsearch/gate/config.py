"""buildsearch.toml: which assertions hold, for which runs. Every problem at once, with line and hint."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left, bisect_right
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from buildsearch.files.safe_reading import RefusedError, parse_toml, read_text
from buildsearch.gate.assertions import KINDS, RENAMED, Assertion, Parameters
from buildsearch.model.errors import InputError, Problem, UsageError, reason_of
from buildsearch.model.rules_file import Frozen
from buildsearch.ruleset.messages import hint_of, message_of, shorten, show, suggest

FILE = "buildsearch.toml"
PRESETS = ("lenient", "strict")
_DEFAULT = "lenient"
_MOST_BYTES = 1_000_000
_KEY = re.compile(r"\s*\"?([^\"=\s]+)\"?\s*=")
_TABLE = re.compile(r"\s*\[[^\]]*assertions\.\"?([^\"\]]+)\"?\]")


# Keys of [balance] under the names of earlier versions.
BALANCE_RENAMED = {"steps": "max_change", "proposals": "max_proposals", "hold_out": "also_check"}


class LeverRange(Frozen):
    """How far a lever goes, and in which steps; what is left out is as the rules' own scale has it."""

    least: int | float | str | None = Field(default=None, alias="from")
    most: int | float | str | None = Field(default=None, alias="to")
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class BalanceConfig(Frozen):
    """[balance]: what `buildsearch balance` asks for and may move, where the command line says nothing."""

    goals: tuple[str, ...] = ()
    levers: tuple[str, ...] = Field(default=(), description="kinds; a table has ranges of single levers too")
    ranges: dict[str, LeverRange] = Field(default={}, description="of levers, by name or pattern")
    lock: tuple[str, ...] = Field(default=(), description="options and levers that stay")
    only: tuple[str, ...] = ()
    max_change: Annotated[int, Field(ge=1, le=6)] | None = None
    max_proposals: Annotated[int, Field(ge=1, le=10)] | None = None
    seconds: Annotated[float, Field(ge=1, le=86_400)] | None = None
    parameters: Parameters = Field(default={}, description="one proposal for every combination of these")
    also_check: tuple[str, ...] = Field(default=(), description="scenario sets, `rulings`, `stats`")


class GateConfig(Frozen):
    """A whole file. What the command line says goes first."""

    rules: str | None = None
    scenarios: str | None = None
    preset: Literal["lenient", "strict"] | None = None
    parameters: Parameters = Field(default={}, description="every combination of these values is a run")
    baseline: str = "baseline.json"
    fights: Annotated[
        int, Field(ge=0, description="to rank builds, and as many for what is near a limit")
    ] = 50_000_000
    inconclusive: Literal["pass", "fail"] | None = None
    balance: BalanceConfig = BalanceConfig()
    assertions: dict[str, Annotated[Assertion, Field(discriminator="kind")]] = Field(default={})


def read_config(path: Path | None) -> tuple[GateConfig, Path | None]:
    """The file named, or buildsearch.toml, or [tool.buildsearch] of pyproject.toml, or nothing at all."""
    if path is not None:
        return _read(path, required=True), path
    for name in (FILE, "pyproject.toml"):
        if Path(name).is_file() and (name == FILE or _is_ours(_text(Path(name)))):
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
    text = _text(path)
    in_pyproject = path.name == "pyproject.toml"
    if required and in_pyproject and "[tool.buildsearch" not in text:
        raise UsageError(f"{path} has no [tool.buildsearch].")
    return _parse(text, str(path), in_pyproject=in_pyproject)


def _is_ours(pyproject: str) -> bool:
    return re.search(r"^\[tool\.buildsearch", pyproject, re.MULTILINE) is not None


def _text(path: Path) -> str:
    try:
        return read_text(path, _MOST_BYTES)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"cannot read {path}: {reason_of(error)}. Name another file with ‹config›."
        ) from error


def _parse(text: str, source: str, *, in_pyproject: bool) -> GateConfig:
    try:
        data: Any = parse_toml(text)
    except RefusedError as error:
        raise InputError([Problem(str(error), source=source)]) from error
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found.group(1)) if found else None
        raise InputError([Problem(str(error), source=source, line=line)]) from error
    if in_pyproject:
        data = data["tool"].get("buildsearch", {}) if isinstance(data.get("tool"), dict) else {}
    if not isinstance(data, dict):
        raise InputError([Problem("`tool.buildsearch` is a table", source=source)])
    data = {**data, "balance": _balance(data.get("balance", {}))}
    lines = _Lines(text)
    problems = [_problem(lines, source, *each) for each in _problems(data)]
    if problems:
        raise InputError(sorted(problems, key=lambda each: each.line or 0))
    return GateConfig.model_validate(data)


def _balance(table: Any) -> Any:
    """[balance] with the ranges of [balance.levers] apart from its kinds. Dots in a name that is not quoted
    make tables of tables; they are names again here."""
    if not isinstance(table, dict) or not isinstance(table.get("levers"), dict):
        return table
    named = dict(table["levers"])
    kinds = named.pop("kinds", [])
    return {**table, "levers": kinds, "ranges": _named(named)}


def _named(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
            found |= _named(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = value
    return found


def _problems(data: Any) -> list[tuple[list[str], str, str | None, Any]]:
    """(path, message, hint, value) of all that is wrong."""
    found: list[tuple[list[str], str, str | None, Any]] = []
    assertions = data.get("assertions", {})
    if not isinstance(assertions, dict):
        return [(["assertions"], "assertions are tables", "Write [assertions.NAME].", assertions)]
    for name, table in assertions.items():
        keys = ["assertions", name]
        kind = table.get("kind") if isinstance(table, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            message = f"unknown assertion `{shorten(str(kind))}`" if kind else "an assertion needs a `kind`"
            hint = suggest(str(kind or ""), list(KINDS))
            if isinstance(kind, str) and kind in RENAMED:
                hint = f"It is called `{RENAMED[kind]}` now."
            found.append(([*keys, "kind"], message, hint, kind))
            continue
        found += _shape_problems(KINDS[kind], table, keys)
    balance = data.get("balance", {})
    ranges = balance.get("ranges", {}) if isinstance(balance, dict) else {}
    if isinstance(ranges, dict):
        balance = {key: value for key, value in balance.items() if key != "ranges"} if ranges else balance
        for name, table in ranges.items():
            found += _range_problems(name, table)
    found += _shape_problems(BalanceConfig, balance, ["balance"])
    head = {key: value for key, value in data.items() if key not in ("assertions", "balance")}
    return found + _shape_problems(GateConfig, head, [])


def _range_problems(name: str, table: Any) -> list[tuple[list[str], str, str | None, Any]]:
    keys = ["balance", "levers", name]
    if not isinstance(table, dict) or not table:
        hint = f'Write "{shorten(name)}" = {{from = 1, to = 4, step = 1}}.'
        return [(keys, f"`{shorten(name)}` needs a range", hint, table)]
    found = _shape_problems(LeverRange, table, keys)
    least, most = table.get("from"), table.get("to")
    numbers = [each for each in (least, most) if isinstance(each, int | float)]
    if not found and len(numbers) == 2 and numbers[0] > numbers[1]:
        found.append((keys, f"`{shorten(name)}` goes from {least} down to {most}", "Swap them.", None))
    return found


def _shape_problems(
    shape: type[Frozen], data: Any, keys: list[str]
) -> list[tuple[list[str], str, str | None, Any]]:
    try:
        TypeAdapter(shape).validate_python(data)
    except ValidationError as error:
        problems = []
        for each in error.errors():
            path = [*keys, *(str(part) for part in each["loc"] if not isinstance(part, int))]
            unknown = each["type"] == "extra_forbidden"
            message = f"unknown key `{path[-1]}`" if unknown else message_of(each, f"`{path[-1]}`")
            hint = _renamed(path) or suggest(path[-1], list(shape.model_fields)) if unknown else hint_of(each)
            # What is not of ours is named and not shown.
            problems.append((path, message, hint, None if unknown else each.get("input")))
        return problems
    return []


def _renamed(path: list[str]) -> str | None:
    new = BALANCE_RENAMED.get(path[-1]) if path[0] == "balance" else None
    return None if new is None else f"It is called `{new}` now."


class _Lines:
    """Where keys stand in a file, looked up once for however many problems."""

    def __init__(self, text: str) -> None:
        lines = text.splitlines()
        self._keys: dict[str, list[int]] = {}
        self._tables: dict[str, int] = {}
        self._heads = [at for at, line in enumerate(lines) if line.lstrip().startswith("[")]
        self._last = len(lines)
        for at, line in enumerate(lines):
            if key := _KEY.match(line):
                self._keys.setdefault(key.group(1), []).append(at)
            if table := _TABLE.match(line):
                self._tables.setdefault(table.group(1), at)

    def line(self, path: list[str]) -> int | None:
        """Below the header of its table if it has one, else the header itself."""
        at = self._tables.get(path[1], 0) if path[0] == "assertions" and len(path) > 1 else 0
        after = bisect_right(self._heads, at)
        end = self._heads[after] if after < len(self._heads) else self._last
        found = self._keys.get(path[-1], [])
        first = bisect_left(found, at)
        if first < len(found) and found[first] < end:
            return found[first] + 1
        return at + 1 if self._last else None


def _problem(
    lines: _Lines, source: str, path: list[str], message: str, hint: str | None, value: Any
) -> Problem:
    shown = None if value is None or isinstance(value, dict) else show(value)
    where = ".".join(path)
    return Problem(message, source=source, line=lines.line(path), path=where, value=shown, hint=hint)

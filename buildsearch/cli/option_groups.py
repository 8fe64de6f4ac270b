"""Lists of options that several commands take, each list written once.

A command takes such a list as one parameter; `spread.py` shows typer the single options instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import typer

from buildsearch.cli.options import (
    EngineOption,
    FightsOption,
    JobsOption,
    ParameterOption,
    RepeatedParameterOption,
    RulingOption,
    ScenariosOption,
    SeedOption,
    SetOption,
    TargetErrorOption,
)
from buildsearch.model.errors import UsageError
from buildsearch.systems.shorthands import Shorthand, fight_shorthands, parameter_shorthands


@dataclass(frozen=True, slots=True)
class Overrides:
    """Changes of the rules that stand in no file."""

    set_: SetOption = None
    ruling: RulingOption = None


@dataclass(frozen=True, slots=True)
class Parameters:
    """Under which parameters of the game: `-p name=value`, and what the games have shorthands for."""

    parameters: dict[str, str]

    @classmethod
    def options(cls) -> list[tuple[str, Any]]:
        """The shorthands, then `-p`."""
        return [*_shorthands(parameter_shorthands(), str | None), ("parameter", ParameterOption)]

    @classmethod
    def made(cls, given: Mapping[str, Any]) -> Self:
        """Both ways to say a parameter, as one mapping."""
        found: dict[str, str] = {}
        said = [split_parameter(text) for text in given["parameter"] or ()]
        short = {name: value for name, value in given.items() if name != "parameter" and value is not None}
        for name, value in [*said, *short.items()]:
            if found.get(name, value) != value:
                raise UsageError(f"{name} is given twice, as {found[name]} and as {value}. Say it once.")
            found[name] = value
        return cls(found)


@dataclass(frozen=True, slots=True)
class ParameterValues:
    """The same where each may have several values."""

    values: dict[str, list[str]]

    @classmethod
    def options(cls) -> list[tuple[str, Any]]:
        """The shorthands, then `-p`."""
        return [
            *_shorthands(parameter_shorthands(), list[str] | None),
            ("parameter", RepeatedParameterOption),
        ]

    @classmethod
    def made(cls, given: Mapping[str, Any]) -> Self:
        """Every value that was given; one way to say a parameter is enough."""
        found: dict[str, list[str]] = {}
        for text in given["parameter"] or ():
            name, value = split_parameter(text)
            found.setdefault(name, []).append(value)
        for name, values in given.items():
            if name == "parameter" or not values:
                continue
            if name in found:
                raise UsageError(f"{name} is given as --{name} and as -p {name}=... Say it one way.")
            found[name] = list(values)
        return cls(found)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which builds."""

    type_: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            help="Only builds of this type: what `enumerate --count` lists. May be repeated.",
        ),
    ] = None
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="Only builds that have this. May be repeated.")
    ] = None
    without: Annotated[
        list[str] | None, typer.Option("--without", help="Only builds that lack this. May be repeated.")
    ] = None


@dataclass(frozen=True, slots=True)
class Opponents:
    """Whom builds fight, and how: a set of scenarios, and what the games let change about fights."""

    scenarios: str | None
    fight_options: dict[str, str]

    @classmethod
    def options(cls) -> list[tuple[str, Any]]:
        """The set, then the shorthands."""
        return [("scenarios", ScenariosOption), *_shorthands(fight_shorthands(), str | None, short_for="")]

    @classmethod
    def made(cls, given: Mapping[str, Any]) -> Self:
        """What was given."""
        options = {name: value for name, value in given.items() if name != "scenarios" and value is not None}
        return cls(given["scenarios"], options)


def _shorthands(
    declared: Iterable[Shorthand], typed: Any, *, short_for: str = "Short for -p {}=... "
) -> list[tuple[str, Any]]:
    return [
        (
            each.name,
            Annotated[typed, typer.Option(f"--{each.name}", help=short_for.format(each.name) + each.help)],
        )
        for each in declared
    ]


def split_parameter(text: str) -> tuple[str, str]:
    """`tier=4` in two; raises UsageError."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise UsageError(f"-p {text}: a parameter is written name=value, e.g. -p tier=4.")
    return name, value


@dataclass(frozen=True, slots=True)
class Effort:
    """By which engine, and how much is sampled."""

    engine: EngineOption = "auto"
    fights: FightsOption = None
    target_error: TargetErrorOption = None
    seed: SeedOption = 0
    jobs: JobsOption = -1


@dataclass(frozen=True, slots=True)
class Kept:
    """Where scores are kept."""

    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache", help="Folder of kept scores. Default: $BUILDSEARCH_CACHE, else ~/.cache/buildsearch."
        ),
    ] = None
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither use nor keep scores.")] = False

    @property
    def folder(self) -> Path | None:
        """The folder; None where nothing is kept."""
        from buildsearch.cli.problems import warn
        from buildsearch.files.atomic import check_writable
        from buildsearch.files.user_cache import default_cache_path

        if self.no_cache:
            if self.cache is not None:
                raise UsageError("--cache and --no-cache contradict each other. Choose one of them.")
            return None
        folder = self.cache or default_cache_path()
        try:
            check_writable(folder / "scores")
        except UsageError as error:
            if self.cache is not None and isinstance(error.__cause__, NotADirectoryError | FileExistsError):
                raise UsageError(
                    f"scores cannot be kept: {error} Name a folder with --cache, or add --no-cache."
                ) from error
            # A full disk, or one that may not be written to: what is kept there can still be read.
            warn(f"scores cannot be kept: {error} The run goes on without.")
        return folder

"""Lists of options that several commands take, each list written once.

A command takes such a list as one parameter; `spread` shows typer the single options instead.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.models import OptionInfo

from buildsearch.cli.options import (
    ArchetypeOption,
    AttackerOption,
    BudgetOption,
    EnemiesOption,
    EnemyOption,
    EngineOption,
    FightsOption,
    JobsOption,
    ParameterOption,
    PlayOption,
    RulingOption,
    ScenariosOption,
    SeedOption,
    SetOption,
    TargetErrorOption,
    TierOption,
)


@dataclass(frozen=True, slots=True)
class Overrides:
    """Changes of the rules that stand in no file."""

    set_: SetOption = None
    ruling: RulingOption = None


@dataclass(frozen=True, slots=True)
class Parameters:
    """Under which parameters of the game."""

    tier: TierOption = None
    archetype: ArchetypeOption = None
    budget: BudgetOption = None
    parameter: ParameterOption = None


@dataclass(frozen=True, slots=True)
class Filters:
    """Which builds."""

    effect: Annotated[str | None, typer.Option("--effect", help="Short for -p effect=...")] = None
    type_: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            "--group",
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
    """Whom builds fight, and how."""

    scenarios: ScenariosOption = None
    enemies: EnemiesOption = None
    attacker: AttackerOption = None
    enemy: EnemyOption = None
    play: PlayOption = None


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
    def place(self) -> Path | None:
        """The folder; None where nothing is kept."""
        from buildsearch.cli.problems import warn
        from buildsearch.model.errors import UsageError
        from buildsearch.search.cache import default_cache_path
        from buildsearch.whole_files import check_writable

        if self.no_cache:
            if self.cache is not None:
                raise UsageError("--cache and --no-cache contradict one another. Choose one of them.")
            return None
        place = self.cache or default_cache_path()
        try:
            check_writable(place / "scores")
        except UsageError as error:
            if self.cache is not None and isinstance(error.__cause__, NotADirectoryError | FileExistsError):
                raise UsageError(
                    f"scores cannot be kept: {error} Name a folder with --cache, or add --no-cache."
                ) from error
            # A full disk, or one that may not be written to: what is kept there can still be read.
            warn(f"scores cannot be kept: {error} The run goes on without.")
        return place


def words_of(*groups: Any) -> dict[str, Any]:
    """What was said, by the names of the options: what run.json remembers of a command."""
    return {each.name.rstrip("_"): getattr(group, each.name) for group in groups for each in fields(group)}


_VALUES = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "Path": "PATH"}


def _name_value(annotation: Any) -> None:
    """Let the help say what an option takes, and not which type Python has for it."""
    typed, *notes = get_args(annotation) or (annotation,)
    bare = next((each for each in get_args(typed) if each is not type(None)), typed)
    name = getattr(next(iter(get_args(bare)), bare), "__name__", "")
    for note in notes:
        if isinstance(note, OptionInfo) and note.metavar is None and name in _VALUES:
            note.metavar = _VALUES[name]


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer shall see it: a parameter that is a list of options becomes those options."""
    shown: list[inspect.Parameter] = []
    groups: dict[str, type[Any]] = {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = parameter.annotation
        if not (isinstance(group, type) and is_dataclass(group)):
            shown.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = group
        hints = get_type_hints(group, include_extras=True)
        shown += [
            inspect.Parameter(
                each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
            )
            for each in fields(group)
        ]
    for parameter in shown:
        _name_value(parameter.annotation)

    @wraps(command)
    def spread_command(**given: Any) -> None:
        made = {
            name: group(**{each.name: given.pop(each.name) for each in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    setattr(spread_command, "__signature__", inspect.Signature(shown))  # noqa: B010 - mypy knows no such name
    spread_command.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return spread_command

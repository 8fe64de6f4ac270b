"""The build space that a command line asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from buildsearch.cli.loading import Loaded
from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace
from buildsearch.ruleset.hints import suggest


def open_space(
    loaded: Loaded, parameters: Sequence[str] | None, shorthands: Mapping[str, str | None]
) -> BuildSpace:
    """The space under `-p name=value` and the shorthands that the system declares."""
    return loaded.system.space(loaded.model, read_parameters(loaded, parameters, shorthands))


def read_parameters(
    loaded: Loaded, parameters: Sequence[str] | None, shorthands: Mapping[str, str | None]
) -> dict[str, str]:
    """`-p` and shorthands as one mapping; a shorthand that the system does not declare is refused."""
    declared = {parameter.name: parameter for parameter in loaded.system.parameters}
    given: dict[str, str] = {}
    for text in parameters or ():
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"-p {text}: a parameter is written name=value, e.g. -p tier=4.")
        if name not in declared:
            raise UsageError(
                f"-p {text}: {loaded.system.title} has no parameter `{name}`. {suggest(name, declared)}"
            )
        _put(given, name, value)
    for name, shorthand in shorthands.items():
        if shorthand is None:
            continue
        if name not in declared or not declared[name].shorthand:
            hint = f"Its parameters, for -p: {', '.join(declared)}." if declared else "It has no parameters."
            raise UsageError(f"--{name}: {loaded.system.title} has no such option. {hint}")
        _put(given, name, shorthand)
    return given


def _put(given: dict[str, str], name: str, value: str) -> None:
    if given.get(name, value) != value:
        raise UsageError(f"{name} is given twice, as {given[name]} and as {value}. Say it once.")
    given[name] = value

"""The build space that is asked for."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.library.input_files import Loaded
from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace
from buildsearch.ruleset.messages import suggest


def open_space(loaded: Loaded, parameters: Mapping[str, str]) -> BuildSpace:
    """The space under these parameters; raises UsageError for one that the system does not declare."""
    check_parameters(loaded, parameters)
    return loaded.system.space(loaded.model, parameters)


def check_parameters(loaded: Loaded, parameters: Mapping[str, str]) -> None:
    """Raises UsageError for a parameter that the system does not declare."""
    declared = [parameter.name for parameter in loaded.system.parameters]
    for name in parameters:
        if name not in declared:
            hint = suggest(name, declared) if declared else "It has no parameters."
            raise UsageError(f"{loaded.system.title} has no parameter `{name}`. {hint}")

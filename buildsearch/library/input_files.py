"""From a name on the command line to checked rules and scenarios, with the system that reads them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from buildsearch.model.errors import InputError, Problem, RulesWarning, Severity
from buildsearch.model.rules_file import RulesEnvelope
from buildsearch.model.system import System
from buildsearch.ruleset import locate
from buildsearch.ruleset.checking import Finder, check, mend
from buildsearch.ruleset.extends import Library, read_extended
from buildsearch.ruleset.git import is_revision, read_revision_name
from buildsearch.ruleset.locate import find_file, list_files
from buildsearch.ruleset.messages import show, suggest
from buildsearch.ruleset.overrides import RULINGS, apply_overrides
from buildsearch.ruleset.yaml_reader import YamlDocument
from buildsearch.systems.registry import find_system, unknown_system


@dataclass(frozen=True, slots=True)
class Loaded:
    """A checked file: `model` is the system's own."""

    path: Path
    kind: str
    system: System
    model: Any
    warnings: tuple[Problem, ...]
    document: YamlDocument


def load_rules(name: str, sets: Sequence[str] | None = None, rulings: Sequence[str] | None = None) -> Loaded:
    """A ruleset by name, by path or as `git:REV:path`, with overrides; raises InputError or UsageError."""
    if is_revision(name):
        revision, path = read_revision_name(name)
        return _load(path, "rules", sets or (), rulings or (), revision)
    return _load(find_file("rules", name), "rules", sets or (), rulings or ())


def load_scenarios(name: str) -> Loaded:
    """A scenario set by name or path."""
    return _load(find_file("scenarios", name), "scenarios")


def _load(
    path: Path,
    kind: str,
    sets: Sequence[str] = (),
    rulings: Sequence[str] = (),
    library: Library | None = None,
) -> Loaded:
    return _usable(*inspect(path, sets, rulings, kind, library))


def overridden(loaded: Loaded, sets: Sequence[str]) -> Loaded:
    """A checked file with more overrides, without a look at the disk; raises InputError."""
    document = _overridden(loaded.document, sets, (), loaded.system.rules_model)
    return _usable(*_checked(document, loaded.path, loaded.kind, loaded.system))


def _usable(loaded: Loaded | None, problems: list[Problem]) -> Loaded:
    if loaded is None:
        raise InputError([problem for problem in problems if problem.severity is Severity.ERROR])
    for problem in loaded.document.warnings:  # rules that the file lost, which no result shows
        warnings.warn(RulesWarning(f"{problem.where}: {problem.message}. {problem.hint}"), stacklevel=4)
    return loaded


def inspect(
    path: Path,
    sets: Sequence[str] = (),
    rulings: Sequence[str] = (),
    kind: str | None = None,
    library: Library | None = None,
) -> tuple[Loaded | None, list[Problem]]:
    """A file and everything there is to say about it; None when it cannot be used."""
    try:
        document = read_extended(path, library)
        found_kind, system, problems = _head_of(document, kind)
        if system is None:
            return None, problems
        document = _overridden(document, sets, rulings, _shape(system, found_kind))
    except InputError as error:
        return None, list(error.problems)
    return _checked(document, path, found_kind, system)


def _shape(system: System, kind: str) -> type[Any]:
    return system.rules_model if kind == "rules" else system.scenarios_model


def _checked(
    document: YamlDocument, path: Path, kind: str, system: System
) -> tuple[Loaded | None, list[Problem]]:
    is_rules, shape = kind == "rules", _shape(system, kind)
    model, problems = check(document, shape)
    # A file with a wrong shape is mended just enough that its meaning can be checked as well: people
    # want every problem at once.
    subject, mended = (model, ()) if model is not None else mend(document, shape)
    if subject is not None:
        finder = Finder(document)
        (system.check_rules if is_rules else system.check_scenarios)(subject, finder)
        if is_rules:
            _check_default_scenarios(subject, finder)
        if model is not None and not finder.problems:
            _check_id(subject.id, path, finder)
        lost = _lost_names(document, mended)
        problems += [
            problem
            for problem in finder.problems
            if not _is_within(problem.path, mended) and problem.value not in lost
        ]
    problems = _in_order_of_lines([*problems, *document.warnings])
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if model is None or errors:
        return None, problems
    return Loaded(path, kind, system, model, tuple(problems), document), problems


def _in_order_of_lines(problems: list[Problem]) -> list[Problem]:
    """Errors first, from the top of the file down; what it extends comes where it is first met."""
    sources = {source: place for place, source in enumerate(dict.fromkeys(each.source for each in problems))}
    return sorted(
        problems,
        key=lambda each: (
            each.severity is not Severity.ERROR,
            sources[each.source],
            each.line or 0,
            each.column or 0,
        ),
    )


def _overridden(
    document: YamlDocument, sets: Sequence[str], rulings: Sequence[str], shape: Any
) -> YamlDocument:
    # Rulings have an option of their own, and one may bear the name of the enhancement that it is about:
    # `--set brutal.cost=3` can only mean the enhancement.
    top = document.root.plain()
    catalogues = [key for key in top if key != RULINGS]
    return apply_overrides(
        document, sets, rulings, catalogues=catalogues, root_keys=tuple(shape.model_fields)
    )


def _check_id(name: str, path: Path, finder: Finder) -> None:
    """Files are found by their name, and results bear the id."""
    if name != path.stem and path.resolve().parent not in locate.GAME_FOLDERS:
        message = f"the file is called {path.name}: commands find it as `{path.stem}`, results say `{name}`"
        finder.warning(["id"], message, value=name, hint="Give both the same name.")


def _check_default_scenarios(rules: RulesEnvelope, finder: Finder) -> None:
    known = list_files("scenarios")
    if rules.default_scenarios not in known:
        message = f"there is no scenario set called `{rules.default_scenarios}`"
        hint = suggest(rules.default_scenarios, known)
        finder.warning(["default_scenarios"], message, hint=hint)


def _lost_names(document: YamlDocument, mended: Sequence[str]) -> set[str]:
    """Names that stand in the file but were mended away: whoever refers to them is not to blame."""
    names: set[str] = set()
    for path in mended:
        *above, last = path.split(".")
        names.add(show(last))
        below = document.root.at(above).child(last)
        if below is not None and isinstance(below.value, dict):
            names.update(map(show, below.value))
    return names


def _is_within(path: str | None, mended: Sequence[str]) -> bool:
    return path is not None and any(
        path == each or path.startswith((each + ".", each + "[")) for each in mended
    )


def _head_of(document: YamlDocument, wanted: str | None) -> tuple[str, System | None, list[Problem]]:
    """Which kind of file it is and who reads it; problems only where there is no answer."""
    finder = Finder(document)
    data = document.root.plain()
    if not isinstance(data, dict):
        # Whose file this is nobody knows: nothing of it is shown.
        message = "a rules or scenario file is a mapping"
        return "", None, [Problem(message, document.source, hint="Begin with `kind: rules`.")]
    kind = data.get("kind")
    if kind not in ("rules", "scenarios"):
        finder.error(
            ["kind"], "`kind` must say what this file is", hint="Write `kind: rules` or `kind: scenarios`."
        )
    elif wanted is not None and kind != wanted:
        finder.error(["kind"], f"this is a file of {kind}, and {wanted} are needed")
    system = find_system(data.get("system"))
    if system is None:
        hint = unknown_system(data.get("system"))
        finder.error(["system"], "`system` must name the system that reads this file", hint=hint)
    if finder.problems:
        return "", None, finder.problems
    return str(kind), system, []

"""A rules file on top of the file that it extends, and the lines on which its options stand."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Collection
from dataclasses import replace
from typing import Protocol

from buildsearch.model.errors import InputError, Problem, Severity, UsageError
from buildsearch.ruleset.locate import find_file, looks_like_path
from buildsearch.ruleset.messages import show, suggest
from buildsearch.ruleset.node import ADD, REMOVE, Node, format_path
from buildsearch.ruleset.yaml_reader import MAX_ANCESTORS, YamlDocument, read_document

EXTENDS = "extends"
# What says which file this is cannot come from another one; the two must be of one kind and one game.
_OWN = ("id", "name")
_SHARED = ("kind", "system")
_SHELVES = ("rules", "scenarios")
_NAMED = 4  # lost entries that a warning quotes


class Library(Protocol):
    """Where files come from: the disk, or a revision of a repository."""

    def read(self, path: pathlib.Path) -> YamlDocument:
        """One file; raises `InputError`."""

    def find(self, shelf: str, word: str, child: pathlib.Path) -> pathlib.Path:
        """The file that `child` means by a name or by a path from its folder; raises `UsageError`."""

    def identity(self, path: pathlib.Path) -> pathlib.Path:
        """The same for two spellings of one file."""


class FilesOnDisk:
    """Files as they are now."""

    def read(self, path: pathlib.Path) -> YamlDocument:
        return read_document(path)

    def find(self, shelf: str, word: str, child: pathlib.Path) -> pathlib.Path:
        """By name, or beside the file that says it, wherever the user stands."""
        return find_file(shelf, word, child.parent if looks_like_path(word) else None)

    def identity(self, path: pathlib.Path) -> pathlib.Path:
        """Without links and dots."""
        return path.resolve()


def read_extended(path: pathlib.Path, library: Library | None = None) -> YamlDocument:
    """Read a file and lay it over the file that it extends, and that one over its own.

    Raises `InputError` with every problem found. Positions stay those of the file that wrote a value.
    """
    return _read(path, (), library or FilesOnDisk())


def _read(path: pathlib.Path, children: tuple[pathlib.Path, ...], library: Library) -> YamlDocument:
    document = library.read(path)
    wanted = document.root.child(EXTENDS)
    if wanted is None or wanted.value is None:
        return document
    shelf = document.root.child("kind")
    if shelf is None or shelf.value not in _SHELVES:
        return document  # what is wrong with it is said by whoever reads the head of the file
    lineage = (*children, library.identity(path))
    parent = _parent_of(wanted, str(shelf.value), path, library)
    if library.identity(parent) in lineage:
        chain = " -> ".join(file.name for file in (*lineage, parent))
        raise InputError([_problem(wanted, f"files extend each other in a circle: {chain}")])
    if len(lineage) > MAX_ANCESTORS:
        message = f"more than {MAX_ANCESTORS} files extend each other"
        raise InputError([_problem(wanted, message, "Extend a file nearer to the first one.")])
    return _laid_over(document, _read(parent, lineage, library))


def _parent_of(wanted: Node, shelf: str, path: pathlib.Path, library: Library) -> pathlib.Path:
    if not isinstance(wanted.value, str):
        hint = "Write the name of a file of the same kind, or a path from this one's folder."
        raise InputError([_problem(wanted, "`extends` must be a name or a path", hint)])
    try:
        return library.find(shelf, wanted.value, path)
    except UsageError as error:
        raise InputError([_problem(wanted, str(error))]) from None


def _laid_over(child: YamlDocument, parent: YamlDocument) -> YamlDocument:
    problems = [
        Problem(f"`{key}` is missing: a file that extends another has its own", child.source, path=key)
        for key in _OWN
        if child.root.child(key) is None
    ]
    for key in _SHARED:
        own, inherited = child.root.child(key), parent.root.child(key)
        if own is not None and inherited is not None and own.value != inherited.value:
            message = f"`{key}` is {show(own.value)}, and {parent.source} has {show(inherited.value)}"
            problems.append(_problem(own, message, "Extend a file of the same kind and system.", path=key))
    root = _merged(child.root, parent.root, (), problems)
    if any(problem.severity is Severity.ERROR for problem in problems):
        raise InputError([problem for problem in problems if problem.severity is Severity.ERROR])
    return YamlDocument(child.source, root, {**child.texts, **parent.texts}, (*parent.warnings, *problems))


def _merged(child: Node, parent: Node, path: tuple[str, ...], problems: list[Problem]) -> Node:
    """Mappings key by key; anything else as the child has it."""
    if not (isinstance(child.value, dict) and isinstance(parent.value, dict)):
        if isinstance(child.value, list) and isinstance(parent.value, list):
            problems += _lost_entries(child, parent, path)
        return child
    values, keys = dict(parent.value), dict(parent.keys)
    for key, node in child.value.items():
        here = (*path, key)
        if key.endswith((ADD, REMOVE)):
            values[key[:-1]] = _changed_list(key, node, child, values, here, problems)
        elif node.value is not None:
            values[key] = _merged(node, values[key], here, problems) if key in values else node
            keys[key] = child.key_position(key)
        elif key in values:
            del values[key], keys[key]
        else:
            message = f"there is no `{key}` to remove here"
            problems.append(_problem(node, message, suggest(key, values), path=format_path(here)))
    return replace(child, value=values, keys=keys)


def _changed_list(
    key: str, node: Node, child: Node, values: dict[str, Node], path: tuple[str, ...], problems: list[Problem]
) -> Node:
    """The parent's list with entries added (`key+`) or removed (`key-`)."""
    name, sign = key[:-1], key[-1]
    inherited = values.get(name)
    message = hint = None
    if inherited is None and sign == ADD:
        return node  # the first entries; whether there may be such a list is checked with everything else
    if inherited is None or not isinstance(inherited.value, list):
        message, hint = f"the parent has no list `{name}`", suggest(name, values)
    elif isinstance(child.value, dict) and name in child.value:
        message, hint = f"`{name}` and `{key}` are both here", f"Keep one: `{name}` replaces the list."
    elif not isinstance(node.value, list):
        message, hint = f"`{key}` must be a list", "Write the entries with `-` in front of each."
    if message is not None or inherited is None:
        problems.append(_problem(node, message or "", hint, path=format_path(path)))
        return inherited or node
    entries, changes = _entries(inherited), _entries(node)
    if sign == ADD:
        return replace(inherited, value=entries + changes)
    removed = [entry.plain() for entry in changes]
    have = [entry.plain() for entry in entries]
    problems += [
        _problem(entry, f"`{name}` has no such entry to remove", path=format_path(path))
        for entry in changes
        if entry.plain() not in have
    ]
    return replace(inherited, value=[entry for entry in entries if entry.plain() not in removed])


def _entries(node: Node) -> list[Node]:
    return list(node.value) if isinstance(node.value, list) else []


def _lost_entries(child: Node, parent: Node, path: tuple[str, ...]) -> list[Problem]:
    """A warning where a list of the child's own takes the place of entries of the parent."""
    own = child.plain()
    lost = [entry for entry in parent.plain() if entry not in own]
    if not lost:
        return []
    name = path[-1]
    quoted = "; ".join(show(entry) for entry in lost[:_NAMED])
    more = f"; and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    entries = "1 entry is" if len(lost) == 1 else f"{len(lost)} entries are"
    file = pathlib.PurePath(parent.source).name
    message = f"this list replaces that of {file}, and {entries} lost: {quoted}{more}"
    hint = f"To add entries write `{name}{ADD}:`, to remove some `{name}{REMOVE}:`."
    problem = _problem(child, message, hint, format_path(path))
    return [replace(problem, value=None, severity=Severity.WARNING)]


def _problem(node: Node, message: str, hint: str | None = None, path: str = EXTENDS) -> Problem:
    return Problem(message, node.source, node.line, node.column, path, show(node.plain()), hint)


def option_lines(path: pathlib.Path, ids: Collection[str]) -> dict[str, tuple[str, int]]:
    """File (as a code host names it) and line of each id that is a key of a catalogue of the file."""
    found: dict[str, tuple[str, int]] = {}
    root = read_extended(path).root
    for catalogue in root.value.values() if isinstance(root.value, dict) else ():
        for key, position in catalogue.keys.items():
            if key in ids and position.line is not None:
                found.setdefault(key, (from_here(position.source), position.line))
    return found


def from_here(source: str) -> str:
    """A path as a code host wants it: relative to the repository that the file is in, else to this folder."""
    absolute = pathlib.Path(os.path.abspath(source))  # noqa: PTH100 - links stay as they are
    here = pathlib.Path.cwd()
    roots = [folder for folder in absolute.parents if (folder / ".git").exists()]
    for root in (*roots[:1], here):
        if absolute.is_relative_to(root):
            return absolute.relative_to(root).as_posix()
    # A file that is shipped with the tool is in no repository of the reader's: its name says which it is.
    return f"rules/{absolute.name}" if absolute.parent.name == "rules" else absolute.as_posix()

"""Values set over those of a file: `power_attack.cost=2`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from buildsearch.model.errors import InputError, Problem
from buildsearch.ruleset.messages import kind, shorten, suggest
from buildsearch.ruleset.node import Node, Path, Position, format_path
from buildsearch.ruleset.yaml_reader import MAX_DEPTH, YamlDocument, parse_value

RULINGS = "rulings"

_PATH = re.compile(r"[^.\[\]]+(\[[0-9]{1,9}\])*(\.[^.\[\]]+(\[[0-9]{1,9}\])*)*")
_STEP = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)")


class _WrongOverride(Exception):  # noqa: N818 - control flow inside this file, never seen outside
    def __init__(self, message: str, path: Path = (), hint: str | None = None) -> None:
        self.message, self.path, self.hint = message, path, hint


@dataclass(frozen=True, slots=True)
class _Setting:
    source: str
    path: tuple[str | int, ...]
    value: Node


def apply_overrides(
    document: YamlDocument,
    sets: Sequence[str],
    rulings: Sequence[str] = (),
    *,
    catalogues: Collection[str] | None = None,
    root_keys: Collection[str] = (),
) -> YamlDocument:
    """A new document with each `path=value` set in turn, so that the later of two wins.

    A path starts at a key of the document, or at a name inside one of its mappings if only one has it.
    `catalogues` limits the mappings that are searched for such names; `root_keys` are keys that the
    document may have although it does not. Entries of `rulings` are paths below `rulings`. Keys that do
    not exist are set all the same: the model's check tells which ones it does not know.
    Raises `InputError` with every override that cannot be applied.
    """
    root = document.root
    problems: list[Problem] = []
    pairs: list[tuple[str, tuple[str, ...], str]] = [("‹overrides›", (), text) for text in sets]
    pairs += [("‹rulings›", (RULINGS,), text) for text in rulings]
    for option, prefix, text in pairs:
        source = f"{option} {text}"
        try:
            setting = _parse(text, source, prefix)
            path = setting.path if prefix else _resolve(root, setting.path, catalogues, root_keys)
            root = _set(root, path, 0, setting)
        except _WrongOverride as refused:
            where = format_path(refused.path) or None
            problems.append(
                Problem(refused.message, source, path=where, value=shorten(text), hint=refused.hint)
            )
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return replace(document, root=root)


def _parse(text: str, source: str, prefix: tuple[str, ...]) -> _Setting:
    left, equals, right = text.partition("=")
    if not equals:
        raise _WrongOverride(
            "there is no `=` in it", hint="Write `path=value`, such as `power_attack.cost=2`."
        )
    if not _PATH.fullmatch(left.strip()):
        message = "there is no path before the `=`" if not left.strip() else f"`{left.strip()}` is not a path"
        raise _WrongOverride(message, hint="Write names with dots between them, and list places as `[0]`.")
    if not right.strip():
        raise _WrongOverride(
            "there is no value after the `=`", hint='Write `null` for nothing, `""` for no text.'
        )
    steps = [int(index) if index else name.strip() for index, name in _STEP.findall(left)]
    if len(steps) >= MAX_DEPTH:
        raise _WrongOverride(f"the path has more than {MAX_DEPTH} steps")
    return _Setting(source, (*prefix, *steps), parse_value(right, source))


def _resolve(
    root: Node, path: tuple[str | int, ...], catalogues: Collection[str] | None, root_keys: Collection[str]
) -> tuple[str | int, ...]:
    """The full path of one that may start at a name inside a catalogue."""
    top = root.value if isinstance(root.value, dict) else {}
    first = str(path[0])
    if first in top or first in root_keys:
        return path
    inside = {
        key: node.value
        for key, node in top.items()
        if isinstance(node.value, dict) and (catalogues is None or key in catalogues)
    }
    holders = [key for key, names in inside.items() if first in names]
    if len(holders) == 1:
        return (holders[0], *path)
    if holders:
        full = " or ".join(f"`{format_path((key, *path))}`" for key in holders)
        raise _WrongOverride(f"`{first}` is ambiguous", path, f"Write the full path: {full}.")
    known = {*top, *root_keys, *(name for names in inside.values() for name in names)}
    raise _WrongOverride(f"there is nothing called `{first}`", path, suggest(first, known))


def _set(node: Node, path: tuple[str | int, ...], depth: int, setting: _Setting) -> Node:
    """A copy of `node` with the value at `path[depth:]` replaced; what is not on the path is shared."""
    if depth == len(path):
        return setting.value
    step, here = path[depth], path[: depth + 1]
    match node.value:
        case list() as items:
            index = _index(step, items, here)
            return replace(
                node,
                value=[*items[:index], _set(items[index], path, depth + 1, setting), *items[index + 1 :]],
            )
        case dict() as mapping if isinstance(step, str):
            below = mapping.get(step) or Node(None, None, None, setting.source)
            keys = {step: Position(setting.source), **node.keys}
            return replace(node, value={**mapping, step: _set(below, path, depth + 1, setting)}, keys=keys)
        case None if isinstance(step, str):
            # `modifiers:` with nothing after it is a mapping that nobody has written into yet.
            return _set(Node({}, None, None, setting.source), path, depth, setting)
        case other:
            around = format_path(path[:depth]) or "the document"
            what = "missing" if other is None else kind(other)
            wanted = "a list" if isinstance(step, int) else "a mapping"
            raise _WrongOverride(
                f"cannot set `{format_path(here)}`: `{around}` is {what}, not {wanted}", here
            )


def _index(step: str | int, items: list[Node], here: Path) -> int:
    text = str(step)
    if not (text.isascii() and text.isdigit()):
        raise _WrongOverride(
            f"`{format_path(here[:-1])}` is a list, so `{text}` must be a position in it such as 0", here
        )
    if len(text) > 9 or int(text) >= len(items):
        count = f"has {len(items)} entries, numbered from 0" if items else "is empty"
        raise _WrongOverride(
            f"there is no entry {shorten(text)} in `{format_path(here[:-1])}`, which {count}", here
        )
    return int(text)

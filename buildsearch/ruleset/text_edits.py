"""Values of a rules file changed in its text: every comment stays, and every other line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Add, Put
from buildsearch.ruleset.node import ADD, Node, format_path

_Splice = tuple[int, int, str]  # from, to, what stands there then


@dataclass(frozen=True, slots=True)
class _Found:
    """The deepest node along a path, and the steps below it that the text does not have."""

    node: yaml.Node
    missing: tuple[str | int, ...]


def rewrite(text: str, writes: Sequence[Put | Add], whole: Node | None = None) -> str:
    """The text with values put and entries added. `whole` has what the file inherits: to a list that is only
    there, the file adds its entries under `NAME+`."""
    from_windows = 0 < text.count("\n") == text.count("\r\n")
    if from_windows:
        text = text.replace("\r\n", "\n")
    for write in writes:
        text = _written(text, write, whole)
    return text.replace("\n", "\r\n") if from_windows else text


def _written(text: str, write: Put | Add, whole: Node | None) -> str:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        raise UsageError("a rules file is a mapping, and this one is not.")
    found = _find(root, write.path)
    if isinstance(write, Add):
        return _added(text, *_own_list(root, found, write, whole))
    if not found.missing:
        if not isinstance(found.node, yaml.ScalarNode):
            raise UsageError(f"`{format_path(write.path)}` is not a single value in this file.")
        return _replaced(text, (_start(found.node), _end(found.node), on_one_line(write.value)))
    return _inserted(text, found, write.value, write.path)


def _find(root: yaml.Node, path: Sequence[str | int]) -> _Found:
    node = root
    for depth, step in enumerate(path):
        below = _child(node, step)
        if below is None:
            return _Found(node, tuple(path[depth:]))
        node = below
    return _Found(node, ())


def _child(node: yaml.Node, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if str(key.value) == str(step)), None)
    if isinstance(node, yaml.SequenceNode) and str(step).isdigit() and int(step) < len(node.value):
        entry: yaml.Node = node.value[int(step)]
        return entry
    return None


def _own_list(root: yaml.Node, found: _Found, write: Add, whole: Node | None) -> tuple[_Found, Add]:
    """The list of the file that an entry goes into: what it adds to an inherited one, if it has none."""
    if not found.missing or whole is None or not isinstance(whole.at(write.path).value, list):
        return found, write
    path = (*write.path[:-1], f"{write.path[-1]}{ADD}")
    return _find(root, path), Add(path, write.entry)


def _added(text: str, found: _Found, write: Add) -> str:
    node = found.node
    if found.missing:
        if len(found.missing) > 1 or not isinstance(node, yaml.MappingNode):
            raise UsageError(f"this file has no `{format_path(write.path)}` to add to.")
        return f"{_ended(text)}{found.missing[0]}:\n  - {on_one_line(dict(write.entry))}\n"
    if isinstance(node, yaml.ScalarNode) and not node.value:  # `exclusions:` and nothing behind it
        return _replaced(text, (_end(node), _end(node), f"\n  - {on_one_line(write.entry)}"))
    if not isinstance(node, yaml.SequenceNode):
        raise UsageError(f"`{format_path(write.path)}` is not a list in this file.")
    if node.flow_style:
        before = ", " if node.value else ""
        return _replaced(text, (_end(node) - 1, _end(node) - 1, f"{before}{on_one_line(write.entry)}"))
    last: yaml.Node = node.value[-1]
    end = _last_character(text, last)
    # Behind the line on which the last entry ends, comments of that line included.
    after = text.find("\n", end)
    after = len(text) if after < 0 else after
    indent = " " * node.start_mark.column
    return _replaced(text, (after, after, f"\n{indent}- {on_one_line(write.entry)}"))


def _inserted(text: str, found: _Found, value: Any, path: Sequence[str | int]) -> str:
    """A value that the text does not have: before the first of those that stand beside it."""
    node = found.node
    if not isinstance(node, yaml.MappingNode) or not node.value:
        raise UsageError(f"`{format_path(path)}` has no place in this file. Write it there yourself.")
    inner: Any = value
    for step in reversed(found.missing[1:]):
        inner = {str(step): inner}
    entry = f"{found.missing[0]}: {on_one_line(inner)}"
    first_key = node.value[0][0]
    if node.flow_style:
        return _replaced(text, (_start(first_key), _start(first_key), f"{entry}, "))
    if node.start_mark.column == 0:  # the top of the file: at its end, its head stays its head
        return f"{_ended(text)}{entry}\n"
    at = text.rfind("\n", 0, _start(first_key)) + 1
    return _replaced(text, (at, at, f"{' ' * first_key.start_mark.column}{entry}\n"))


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _replaced(text: str, splice: _Splice) -> str:
    start, end, put = splice
    return text[:start] + put + text[end:]


def _start(node: yaml.Node) -> int:
    return int(node.start_mark.index)


def _end(node: yaml.Node) -> int:
    return int(node.end_mark.index)


def _last_character(text: str, node: yaml.Node) -> int:
    """Where the last scalar of a node ends: a block's own end lies behind the comments after it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return _end(node)


def on_one_line(value: Any) -> str:
    """A value on one line; what could be read as something else is quoted."""
    plain = dict(value) if isinstance(value, Mapping) else value
    said = yaml.safe_dump(
        plain, default_flow_style=True, sort_keys=False, width=1_000_000, allow_unicode=True
    )
    return str(said).removesuffix("\n").removesuffix("\n...")

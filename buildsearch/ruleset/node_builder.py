"""Builds nodes from PyYAML's parse events, without recursion and without constructing any object."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

import yaml

from buildsearch.model.errors import InputError
from buildsearch.model.problem import Problem
from buildsearch.ruleset.limits import MAX_DEPTH, MAX_NODES
from buildsearch.ruleset.node import Node, Position
from buildsearch.ruleset.paths import format_path
from buildsearch.ruleset.scalars import ScalarError, resolve
from buildsearch.ruleset.values import shorten, show

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(slots=True)
class _Built:
    """A finished node with what it weighs once its aliases are expanded."""

    node: Node
    size: int = 1
    height: int = 0


@dataclass(slots=True)
class _Open:
    """A mapping or a list whose end has not come yet; `key` is the key that waits for its value."""

    built: _Built
    anchor: str | None
    key: str | None = None

    @property
    def wants_key(self) -> bool:
        return isinstance(self.built.node.value, dict) and self.key is None

    @property
    def step(self) -> str | int | None:
        value = self.built.node.value
        return len(value) if isinstance(value, list) else self.key


class Builder:
    """Takes the events of one stream in order; `finish` gives the root or raises every problem found.

    `located=False` leaves lines out, for text that came from an option and not from a file.
    """

    def __init__(self, source: str, *, located: bool = True) -> None:
        self._source = source
        self._located = located
        self._open: list[_Open] = []
        self._anchors: dict[str, _Built | None] = {}  # None while the anchored node is still open
        self._total = 0
        self._documents = 0
        self._root: Node | None = None
        self.problems: list[Problem] = []

    def feed(self, event: yaml.Event) -> None:
        """Takes the next event; raises at once where going on would be unsafe or pointless."""
        match event:
            case yaml.ScalarEvent():
                self._scalar(event)
            case yaml.MappingStartEvent():
                self._start(event, {})
            case yaml.SequenceStartEvent():
                self._start(event, [])
            case yaml.CollectionEndEvent():
                self._end()
            case yaml.AliasEvent():
                self._alias(event)
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    hint = "Keep one document a file: remove the second `---` or split the file."
                    self.stop("there is more than one YAML document here", self._at(event), hint=hint)

    def finish(self) -> Node:
        """The root of the document."""
        root = self._root
        if root is None:
            self.problem("there is nothing in it", Position(self._source))
        if self.problems or root is None:
            raise InputError(self.problems)
        return root

    def problem(
        self, message: str, position: Position, *, value: str | None = None, hint: str | None = None
    ) -> None:
        """Notes a problem at the place that the builder has come to."""
        steps = [frame.step for frame in self._open]
        path = format_path([step for step in steps if step is not None]) or None
        at = position
        self.problems.append(Problem(message, at.source, at.line, at.column, path, value, hint))

    def stop(self, message: str, position: Position, *, hint: str | None = None) -> NoReturn:
        """Notes a last problem and raises all of them."""
        self.problem(message, position, hint=hint)
        raise InputError(self.problems)

    def position(self, line: int, column: int) -> Position:
        """The 1-based position of PyYAML's 0-based line and column."""
        return Position(self._source, line + 1, column + 1) if self._located else Position(self._source)

    def _at(self, event: yaml.Event) -> Position:
        mark = event.start_mark
        return self.position(mark.line, mark.column) if mark else Position(self._source)

    def _node(self, event: yaml.Event, value: dict[str, Node] | list[Node] | str) -> Node:
        at = self._at(event)
        return Node(value, at.line, at.column, at.source)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        node = self._node(event, event.value)
        if self._open and self._open[-1].wants_key:
            self._check_tag(event)
            self._key(event)
        elif not self._open and not event.value and not event.style and event.tag is None:
            return  # `---` and nothing else: as empty as an empty file
        else:
            self._check_tag(event)
            if not event.style:
                try:
                    node.value = resolve(event.value)
                except ScalarError as error:
                    self.problem(
                        f"{error}: {shorten(event.value)}", node.position, value=shorten(event.value)
                    )
            self._check_text(event)
            self._attach(_Built(node), event)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Built(node)

    def _key(self, event: yaml.ScalarEvent) -> None:
        frame, key, position = self._open[-1], str(event.value), self._at(event)
        keys = frame.built.node.keys
        first = keys.get(key)
        frame.key = key
        self._check_text(event)
        if key == "<<" and not event.style:
            hint = "Write the shared values out, or use an alias for the whole value."
            self.problem("merge keys (`<<`) are not supported", position, hint=hint)
        elif first is not None:
            lines = f": on line {first.line} and on line {position.line}" if self._located else ""
            hint = "Keep one of them; YAML would silently drop the other."
            self.problem(f"the key `{shorten(key)}` is written twice{lines}", position, hint=hint)
        else:
            keys[key] = position

    def _start(
        self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent, value: dict[str, Node] | list[Node]
    ) -> None:
        self._check_complex_key(event)
        self._check_tag(event)
        if len(self._open) >= MAX_DEPTH:
            self._too_deep(event)
        self._count(1, event)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._open.append(_Open(_Built(self._node(event, value)), event.anchor))

    def _end(self) -> None:
        frame = self._open.pop()
        if frame.anchor is not None:
            self._anchors[frame.anchor] = frame.built
        self._place(frame.built)

    def _alias(self, event: yaml.AliasEvent) -> None:
        name = str(event.anchor)
        self._check_complex_key(event)
        target = self._anchors.get(name)
        if target is None:
            known = name in self._anchors
            message = (
                f"the alias `*{name}` contains itself"
                if known
                else f"the alias `*{name}` has no anchor before it"
            )
            self.problem(
                message, self._at(event), hint=f"Write the value out, or put `&{name}` on an earlier one."
            )
            target = _Built(self._node(event, ""))
        if len(self._open) + target.height > MAX_DEPTH:
            self._too_deep(event)
        self._attach(target, event)

    def _attach(self, built: _Built, event: yaml.Event) -> None:
        self._count(built.size, event)
        self._place(built)

    def _place(self, built: _Built) -> None:
        """Hangs a finished node into what is open; its nodes were counted before."""
        if not self._open:
            self._root = built.node
            return
        frame = self._open[-1]
        parent = frame.built
        parent.size += built.size
        parent.height = max(parent.height, built.height + 1)
        match parent.node.value:
            case list() as items:
                items.append(built.node)
            case dict() as mapping:
                if frame.key is None:
                    frame.key = "?"  # a complex key, reported already: only its value must find a place
                else:
                    mapping[frame.key] = built.node
                    frame.key = None

    def _count(self, size: int, event: yaml.Event) -> None:
        self._total += size
        if self._total > MAX_NODES:
            message = f"the document holds more than {MAX_NODES:,} values once its aliases are expanded"
            self.stop(message, self._at(event), hint="Use fewer aliases or split the file.")

    def _too_deep(self, event: yaml.Event) -> NoReturn:
        # The path would be dozens of steps long and say nothing that the line does not.
        self._open.clear()
        message = f"the document is nested deeper than {MAX_DEPTH} levels"
        self.stop(message, self._at(event), hint="Look for an unclosed bracket, or flatten it.")

    def _check_complex_key(self, event: yaml.Event) -> None:
        if self._open and self._open[-1].wants_key:
            self.problem("a key must be plain text, not a list, a mapping or an alias", self._at(event))

    def _check_tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.tag is not None:
            tag = shorten(str(event.tag))
            hint = "Remove it; quote a value to make it text."
            self.problem(f"tags are not supported: {tag}", self._at(event), value=tag, hint=hint)

    def _check_text(self, event: yaml.ScalarEvent) -> None:
        # Only PyYAML's pure Python scanner lets these escapes through; no file could hold the text again.
        if _SURROGATE.search(event.value):
            self.problem(
                "half of a surrogate pair is not a character", self._at(event), value=ascii(show(event.value))
            )

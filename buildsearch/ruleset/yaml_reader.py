"""YAML events to nodes with positions, within limits, with every problem at once.

PyYAML follows YAML 1.1, where `on`, `1:30` and `1_000` are not what an author expects; here they are text.
"""

from __future__ import annotations

import hashlib
import math
import pathlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NoReturn

import yaml

from buildsearch.files.safe_reading import RefusedError, read_bytes
from buildsearch.model.errors import InputError, Problem
from buildsearch.ruleset.messages import shorten, show
from buildsearch.ruleset.node import Node, Position, Scalar, format_path

MAX_BYTES = 2_000_000
MAX_DEPTH = 64
MAX_NODES = 200_000  # counted after aliases are expanded, so that a small file cannot unfold into a huge one
MAX_ANCESTORS = 8  # of a file that extends another
MAX_INT_DIGITS = 18  # fits a signed 64-bit integer, which is what the kernels compute with


_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?([0-9]+)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class ScalarError(ValueError):
    """A word that is meant as a number but cannot be one here."""


def resolve(word: str) -> Scalar:
    """The value of an unquoted scalar; raises `ScalarError` for numbers that are not allowed."""
    if word in _WORDS:
        return _WORDS[word]
    if match := _INT.fullmatch(word):
        if len(match[1]) > MAX_INT_DIGITS:
            raise ScalarError(f"a whole number may have at most {MAX_INT_DIGITS} digits")
        return int(word)
    if _FLOAT.fullmatch(word):
        number = float(word)
        if not math.isfinite(number):
            raise ScalarError("not a finite number")
        return number
    if _NOT_FINITE.fullmatch(word):
        raise ScalarError("not a finite number")
    return word


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


# libyaml is much faster. Fuzzed against each other, the two differ only on tabs inside unquoted text and on
# `|#`, a block scalar with a comment stuck to it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# What YAML allows in a stream; lone surrogates, which undecodable command-line bytes become, are not in it.
_NOT_ALLOWED = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# A line that every file of ours has; a file without one is not quoted from.
_OURS = re.compile(rb"^(\xef\xbb\xbf)?(kind|system|extends)[ \t]*:", re.MULTILINE)
_FOREIGN = "this is not a rules or scenario file, or not YAML at all"
_BEGIN = "Such a file begins with `kind: rules` or `kind: scenarios`."


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A YAML document. `texts`: by source those of the file and of what it extends, before any override.

    `warnings` tell what was lost when the file was laid over the one that it extends.
    """

    source: str
    root: Node
    texts: Mapping[str, str]
    warnings: tuple[Problem, ...] = ()

    @property
    def text_sha256(self) -> str:
        """The hash of all of its texts."""
        return hashlib.sha256("\0".join(self.texts.values()).encode()).hexdigest()


def read_document(path: pathlib.Path) -> YamlDocument:
    """Reads a YAML file; raises `InputError` with every problem found."""
    return decode_document(_read_bytes(path, str(path)), str(path))


def decode_document(data: bytes, source: str) -> YamlDocument:
    """Reads the bytes of a YAML file; raises `InputError` with every problem found.

    Of a file that does not look like one of ours nothing is quoted: it may be anybody's, and named by mistake
    or by somebody who would like to read it.
    """
    try:
        return _decode(data, source)
    except InputError as error:
        if _OURS.search(data):
            raise
        raise InputError([_without_quotes(problem) for problem in error.problems[:1]]) from None


def _without_quotes(problem: Problem) -> Problem:
    if problem.value is None and "`" not in problem.message:
        return replace(problem, path=None)
    return Problem(_FOREIGN, problem.source, problem.line, problem.column, hint=_BEGIN)


def _decode(data: bytes, source: str) -> YamlDocument:
    if len(data) > MAX_BYTES:
        raise InputError([_too_large(f"{len(data):,}", source)])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        message = f"the file is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
        hint = "Save the file with the encoding UTF-8."
        raise InputError([Problem(message, source, line, column, hint=hint)]) from None
    return parse_document(text, source)


def parse_document(text: str, source: str) -> YamlDocument:
    """Reads YAML text; `source` is what the problems name as its origin."""
    root = _parse(text, Builder(source), source)
    return YamlDocument(source, root, {source: text.removeprefix("\ufeff")})


def parse_value(text: str, source: str) -> Node:
    """Reads a YAML value given in an option: the same rules, but no lines and columns."""
    return _parse(text, Builder(source, located=False), source)


def _read_bytes(path: pathlib.Path, source: str) -> bytes:
    try:
        return read_bytes(path, MAX_BYTES)
    except RefusedError as error:
        is_large = "limit" in str(error)
        hint = "Split it, or check that this is the file you meant." if is_large else None
        what = "the file is too large" if is_large else "the file cannot be read"
        raise InputError([Problem(f"{what}: {error}", source, hint=hint)]) from None
    except FileNotFoundError:
        message = "there is no such file"
    except IsADirectoryError:
        message = "this is a folder, not a file"
    except PermissionError:
        message = "the file may not be read (permission denied)"
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte in it
        message = f"the file cannot be read: {getattr(error, 'strerror', None) or error}"
    raise InputError([Problem(message, source)])


def _too_large(size: str, source: str) -> Problem:
    message = f"the file is too large: {size} bytes, and {MAX_BYTES:,} is the limit"
    return Problem(message, source, hint="Split it, or check that this is the file you meant.")


def _parse(text: str, builder: Builder, source: str) -> Node:
    text = text.removeprefix("\ufeff")
    if bad := _NOT_ALLOWED.search(text):
        _refuse_character(text, bad.start(), builder)
    if len(text.encode("utf-8")) > MAX_BYTES:
        raise InputError([_too_large(f"more than {MAX_BYTES:,}", source)])
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        _refuse_syntax(error, text, builder, source)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # ValueError, OverflowError: the pure Python scanner on escapes beyond Unicode, "\UFFFFFFFF".
        builder.stop(f"this is not YAML: {error}", Position(source))
    return builder.finish()


def _refuse_character(text: str, offset: int, builder: Builder) -> None:
    line = text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1)
    message = f"the character U+{ord(text[offset]):04X} is not allowed in YAML"
    hint = "Remove it, or check that this is a text file."
    builder.stop(message, builder.position(line, column), hint=hint)


def _refuse_syntax(error: yaml.MarkedYAMLError, text: str, builder: Builder, source: str) -> None:
    mark = error.problem_mark or error.context_mark
    said = ", ".join(part for part in (error.context, error.problem) if part)
    if mark is None:
        builder.stop(f"this is not YAML: {said}", Position(source))
    lines = text.splitlines()
    rest = lines[mark.line][mark.column :] if mark.line < len(lines) else ""
    hint = (
        "Indent with spaces, not with tabs."
        if rest.startswith("\t")
        else "Look here and at the line before: indentation, a missing `:`, an open bracket or quote."
    )
    builder.stop(f"this is not YAML: {said}", builder.position(mark.line, mark.column), hint=hint)

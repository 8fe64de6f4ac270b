"""Reading a YAML file into nodes with positions, with every problem reported at once."""

from __future__ import annotations

import hashlib
import pathlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import yaml

from buildsearch.model.errors import InputError
from buildsearch.model.problem import Problem
from buildsearch.ruleset.limits import MAX_BYTES
from buildsearch.ruleset.node import Node, Position
from buildsearch.ruleset.node_builder import Builder
from buildsearch.untrusted_files import RefusedError, read_bytes

__all__ = [
    "Document",
    "Node",
    "Position",
    "decode_document",
    "parse_document",
    "parse_value",
    "read_document",
]

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
class Document:
    """A YAML document. `texts`: by source those of the file and of what it extends, before any override."""

    source: str
    root: Node
    texts: Mapping[str, str]

    @property
    def text_sha256(self) -> str:
        """The hash of all of its texts."""
        return hashlib.sha256("\0".join(self.texts.values()).encode()).hexdigest()


def read_document(path: pathlib.Path) -> Document:
    """Reads a YAML file; raises `InputError` with every problem found."""
    return decode_document(_read_bytes(path, str(path)), str(path))


def decode_document(data: bytes, source: str) -> Document:
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


def _decode(data: bytes, source: str) -> Document:
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


def parse_document(text: str, source: str) -> Document:
    """Reads YAML text; `source` is what the problems name as its origin."""
    root = _parse(text, Builder(source), source)
    return Document(source, root, {source: text.removeprefix("\ufeff")})


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
    message = f"the character U+{ord(text[offset]):04X} may not stand in YAML"
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

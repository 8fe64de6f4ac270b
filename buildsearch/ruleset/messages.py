"""Problems in plain words: what pydantic found, what was probably meant, and values in short."""

from __future__ import annotations

import difflib
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from pydantic import ValidationError

from buildsearch.model.errors import UsageError
from buildsearch.model.parameter import Parameter
from buildsearch.model.rules_file import FILE_ID, IDENTIFIER, TEXT, TITLE

MAX_SHOWN = 60

_YAML_WORDS = {None: "null", True: "true", False: "false"}


class _Flow(reprlib.Repr):
    """Mappings as YAML writes them on one line. It stops early: a huge one costs nothing to mention."""

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        """With plain keys, in their order."""
        if x and level <= 0:
            return "{...}"
        pieces = [f"{key}: {self.repr1(x[key], level - 1)}" for key in islice(x, self.maxdict)]
        return "{" + ", ".join([*pieces, *(["..."] if len(x) > self.maxdict else [])]) + "}"

    def repr_bool(self, x: bool, level: int) -> str:
        """`true`, not `True`."""
        return _YAML_WORDS[x]

    def repr_NoneType(self, x: None, level: int) -> str:  # noqa: N802 - reprlib asks so
        """`null`, not `None`."""
        return _YAML_WORDS[x]


_repr = _Flow()
_repr.maxstring = _repr.maxother = _repr.maxlong = MAX_SHOWN
_repr.maxlevel = 3


def shorten(text: str) -> str:
    """`text` on one line and no longer than `MAX_SHOWN`."""
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_SHOWN else flat[: MAX_SHOWN - 1] + "…"


def show(value: object) -> str:
    """A short form of any value, at most `MAX_SHOWN` characters."""
    if value is None or isinstance(value, bool):
        return _YAML_WORDS[value]
    return shorten(_repr.repr(value))


def kind(value: object) -> str:
    """What a value is, for readers who do not write Python."""
    match value:
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
        case _:
            return show(value)


_FEW = 12


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, if any is near; case, `-` and `_` do not count as differences."""
    by_folded: dict[str, str] = {}
    for name in sorted(known):
        by_folded.setdefault(_fold(name), name)
    near = difflib.get_close_matches(_fold(word), by_folded, n=1, cutoff=0.6)
    return by_folded[near[0]] if near else None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """``Did you mean `power_attack`?``, or None when nothing known is near."""
    name = closest(word, known)
    return None if name is None else f"Did you mean `{name}`?"


def known_names(known: Iterable[str]) -> str:
    """`Known: a, b, c and 9 more.`"""
    names = sorted(set(known))
    if not names:
        return "Nothing is known here."
    listed = ", ".join(names[:_FEW])
    return f"Known: {listed} and {len(names) - _FEW} more." if len(names) > _FEW else f"Known: {listed}."


def suggest(word: str, known: Iterable[str]) -> str:
    """The near miss if there is one, and the known names; after a near miss only as many as one can read."""
    names = list(known)
    near = did_you_mean(word, names)
    if near is None:
        return known_names(names)
    return near if len(set(names)) > _FEW else f"{near} {known_names(names)}"


def only_known(given: Iterable[str], parameters: Iterable[Parameter]) -> None:
    """Raises UsageError at the first parameter that a game does not have."""
    known = [parameter.name for parameter in parameters]
    for name in given:
        if name not in known:
            raise UsageError(f"unknown parameter `{name}`. {suggest(name, known)}")


def whole_number(given: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A parameter from `least` to `most`, in plain digits: to Python, `1_0` is a number too."""
    text = given.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise UsageError(f"{name} must be a whole number from {least} to {most}, not `{text}`.")
    return int(text)


def _fold(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


_WHOLE = "must be a whole number"
_NUMBER = "must be a number"
_BOOL = "must be true or false"
_TEXT = "must be text"
_MAPPING = "must be a mapping (`key: value`)"
_LIST = "must be a list"

_EXPECTED: dict[str, str] = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    "finite_number": "must be a finite number",
    **dict.fromkeys(("bool_type", "bool_parsing"), _BOOL),
    **dict.fromkeys(("string_type",), _TEXT),
    **dict.fromkeys(
        ("dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"), _MAPPING
    ),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type", "iterable_type"), _LIST),
    "none_required": "must be null",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
}
_PATTERNS = {
    IDENTIFIER: "must be lower-case letters, digits and `_`, a letter first",
    FILE_ID: "must be lower-case letters, digits, `.`, `_` and `-`, a letter or digit first",
    TEXT: "must be one line without control characters",
    TITLE: "must be one line without control characters, and not empty",
}
_CHOICES = {"literal_error": "expected", "enum": "expected", "union_tag_invalid": "expected_tags"}
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")


def message_of(error: Mapping[str, Any], subject: str) -> str:
    """What is wrong with `subject`, repeating the value; pydantic's own words where there are no better."""
    name, context, value = error["type"], error.get("ctx", {}), error["input"]
    if name in _EXPECTED:
        said = {key: _plain(limit) for key, limit in context.items()}
        return f"{subject} {_EXPECTED[name].format(**said)}, not {kind(value)}"
    special = _SPECIAL.get(name)
    return special(subject, context, value) if special else f"{subject}: {error['msg']}"


def hint_of(error: Mapping[str, Any]) -> str | None:
    """How to mend it, where the error itself tells: the choices, the quotes that make a number text."""
    name, value = error["type"], error["input"]
    if name in _CHOICES:
        expected = str(error["ctx"][_CHOICES[name]])
        word = error["ctx"].get("tag", value)
        near = did_you_mean(word, _QUOTED.findall(expected)) if isinstance(word, str) else None
        choices = f"Choose from {expected}."
        return f"{near} {choices}" if near else choices
    if name == "string_type" and isinstance(value, int | float):
        return "Put it in quotes to make it text."
    return None


def wrong_keys(error: ValidationError) -> str:
    """Which parts of a file are wrong, but not what stands there: the file may be anybody's."""
    errors = error.errors(include_input=False, include_url=False)
    keys = [".".join(map(str, each["loc"])) or "all of it" for each in errors[:5]]
    return ", ".join(dict.fromkeys(keys))


def _plain(limit: object) -> object:
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


def _pattern(subject: str, context: Mapping[str, Any], value: object) -> str:
    pattern = context["pattern"]
    return f"{subject} {_PATTERNS.get(pattern, f'must match the pattern `{pattern}`')}, not {kind(value)}"


def _own_words(_subject: str, context: Mapping[str, Any], _value: object) -> str:
    return str(context["error"])


def _entries(limit: str, word: str) -> Callable[[str, Mapping[str, Any], object], str]:
    def say(subject: str, context: Mapping[str, Any], value: Any) -> str:
        entries = "1 entry" if context[limit] == 1 else f"{context[limit]} entries"
        length = context["actual_length"]  # None for a mapping that is too long
        return f"{subject} must have at {word} {entries}, not {len(value) if length is None else length}"

    return say


_SPECIAL: dict[str, Callable[[str, Mapping[str, Any], object], str]] = {
    "missing": lambda subject, _context, _value: f"{subject} is missing",
    "union_tag_not_found": lambda subject, _context, _value: f"{subject} is missing",
    "extra_forbidden": lambda subject, _context, _value: f"unknown key {subject}",
    "literal_error": lambda subject, _context, value: f"{subject} cannot be {kind(value)}",
    "enum": lambda subject, _context, value: f"{subject} cannot be {kind(value)}",
    "union_tag_invalid": lambda subject, context, _value: f"{subject} cannot be {kind(context['tag'])}",
    "string_pattern_mismatch": _pattern,
    "value_error": _own_words,
    "assertion_error": _own_words,
    "too_short": _entries("min_length", "least"),
    "too_long": _entries("max_length", "most"),
}

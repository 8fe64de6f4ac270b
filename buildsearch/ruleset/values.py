"""Values as they are shown in messages: short, and in YAML's words rather than Python's."""

from __future__ import annotations

import reprlib
from itertools import islice
from typing import Any

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


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """`text` on one line and no longer than `limit`."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


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

"""Values as they are shown in messages: short, and in YAML's words rather than Python's."""

from __future__ import annotations

import reprlib

MAX_SHOWN = 60

_YAML_WORDS = {None: "null", True: "true", False: "false"}

# reprlib stops early, so that a huge mapping in the wrong place costs nothing to mention.
_repr = reprlib.Repr()
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

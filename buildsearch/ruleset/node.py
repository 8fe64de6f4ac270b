"""Values of a YAML file with their positions, and the paths that lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Path = Sequence[str | int]
# In a file that extends another, `exclusions+:` adds entries to its list and `exclusions-:` removes some.
ADD, REMOVE = "+", "-"


def format_path(path: Path) -> str:
    """`("exclusions", 2, "group")` as `exclusions[2].group`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Position:
    """Where something was written; an option of the command line has no line or column."""

    source: str
    line: int | None = None
    column: int | None = None


@dataclass(slots=True)
class Node:
    """A mapping, a list or a scalar with its 1-based position; `keys` holds where each key stands.

    Aliases share nodes, so a node is never changed once its document is made.
    """

    value: dict[str, Node] | list[Node] | Scalar
    line: int | None
    column: int | None
    source: str
    keys: dict[str, Position] = field(default_factory=dict)

    @property
    def position(self) -> Position:
        """Where the value starts."""
        return Position(self.source, self.line, self.column)

    def key_position(self, key: str) -> Position:
        """Where `key` of this mapping is written; the mapping itself if it has no such key."""
        return self.keys.get(key, self.position)

    def plain(self) -> Any:
        """The same content as ordinary dicts, lists and scalars."""
        # Recursion is safe here: documents are at most `limits.MAX_DEPTH` deep.
        match self.value:
            case dict() as mapping:
                return {key: child.plain() for key, child in mapping.items()}
            case list() as items:
                return [child.plain() for child in items]
            case scalar:
                return scalar

    def child(self, step: str | int) -> Node | None:
        """The value one step below, or None. `3` and `"3"` are the same step."""
        match self.value:
            case dict() as mapping:
                return mapping.get(str(step))
            case list() as items:
                index = _index(step)
                return items[index] if index is not None and index < len(items) else None
            case _:
                return None

    def at(self, path: Path) -> Node:
        """The deepest node that exists along `path`."""
        node = self
        for step in path:
            below = node.child(step)
            if below is None:
                break
            node = below
        return node


def _index(step: str | int) -> int | None:
    text = str(step)
    # Nine digits are more than any list holds; longer ones would only be a way to be slow.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

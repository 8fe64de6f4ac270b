"""Where a part of the rules is written."""

from __future__ import annotations

from buildsearch.diffs.normal import Rules, Steps
from buildsearch.ruleset.node import Position


def position_of(rules: Rules, path: Steps) -> Position:
    """Where the last key of a path stands, or the deepest one that is written: the rest is a default."""
    field, last = str(path[0]), path[-1]
    written = path
    if isinstance(last, tuple):
        written = rules.key_paths.get((field, last), (field,))
    node, at = rules.document.root, rules.document.root.position
    for step in written:
        assert not isinstance(step, tuple)  # noqa: S101 - only a relation's last step is a pair
        below = node.child(step)
        if below is None:
            break
        at = node.key_position(str(step)) if isinstance(node.value, dict) else below.position
        node = below
    return at

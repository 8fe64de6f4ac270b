"""How far the pieces of work are that threads are at, to say how long a run takes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

# By thread the builds of its piece that are done.
_done: dict[int, float] = {}


@contextmanager
def at_piece() -> Iterator[None]:
    """This thread is at a piece."""
    me = threading.get_ident()
    _done[me] = 0.0
    try:
        yield
    finally:
        del _done[me]


def tell(builds: float) -> None:
    """More builds of the piece at hand are done."""
    me = threading.get_ident()
    if me in _done:
        _done[me] += builds


def under_way() -> float:
    """How many builds of all pieces at hand are done."""
    return sum(list(_done.values()))

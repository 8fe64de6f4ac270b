"""Whether something was compiled meanwhile: whoever times work wants to know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def compilations() -> Iterator[list[Any]]:
    """A list that has something in it as soon as any thread compiles; what comes from files is none."""
    from numba.core import event

    with event.install_recorder("numba:compile") as recorder:
        yield recorder.buffer

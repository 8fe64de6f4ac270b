"""What was made for the last fights that were asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_REMEMBERED = 16
Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")


class LastMade(Generic[Key, Made]):
    """Makes a thing when it is first asked for, and keeps the last ones that were made."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Made] = OrderedDict()

    def of(self, key: Key, make: Callable[[], Made]) -> Made:
        """The one for a key."""
        if key not in self._kept:
            self._kept[key] = make()
            if len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
        return self._kept[key]

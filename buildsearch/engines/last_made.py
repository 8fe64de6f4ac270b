"""What was made for the last fights that were asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_REMEMBERED = 16
Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")


class LastMade(Generic[Key, Made]):
    """Makes a thing when it is first asked for, and keeps the last ones that were made.

    Threads that come at once make it twice.
    """

    def __init__(self, most: int = _REMEMBERED) -> None:
        self._kept: OrderedDict[Key, Made] = OrderedDict()
        self._most = most

    def of(self, key: Key, make: Callable[[], Made]) -> Made:
        """The one for a key."""
        made = self._kept.get(key)
        if made is None:
            made = self._kept[key] = make()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made

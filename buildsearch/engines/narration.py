"""A fight as plain lines: each game says its words for each kind of event, this puts them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from buildsearch.evaluate.events import Event

Words = Callable[[Any], Iterator[str]]


class Narration:
    """The lines of events: turns stand at the margin, what happens in them is indented."""

    def __init__(self) -> None:
        self._words: dict[type[Event], Words] = {}

    def tells(self, kind: type[Event]) -> Callable[[Words], Words]:
        """Marks the function that has the words for a kind of event; each kind has one."""

        def register(words: Words) -> Words:
            if kind in self._words:
                raise ValueError(f"{kind.__name__} has words already")
            self._words[kind] = words
            return words

        return register

    def says(self, lines: Mapping[type[Event], str]) -> None:
        """Events whose line is a text with fields of the event in it."""
        for kind, text in lines.items():
            self.tells(kind)(_line(text))

    def __call__(self, events: Iterable[Event]) -> Iterator[str]:
        """All lines."""
        for event in events:
            yield from self._words[type(event)](event)


def _line(text: str) -> Words:
    def words(event: Event) -> Iterator[str]:
        yield text.format(event=event)

    return words


def rolled(dice: Sequence[int], between: str) -> str:
    """The dice of a roll, or that there were none."""
    return between.join(map(str, dice)) or "no dice"

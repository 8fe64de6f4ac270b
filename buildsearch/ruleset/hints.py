"""Hints for a word that is not known: the near miss, or else what could have been said."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from buildsearch.model.errors import UsageError
from buildsearch.model.parameter import Parameter

_FEW = 12


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, if any is near; case, `-` and `_` do not count as differences."""
    by_folded: dict[str, str] = {}
    for name in sorted(known):
        by_folded.setdefault(_fold(name), name)
    near = difflib.get_close_matches(_fold(word), by_folded, n=1, cutoff=0.6)
    return by_folded[near[0]] if near else None


def did_you_mean(word: str, known: Iterable[str], *, quote: str = "`") -> str | None:
    """``Did you mean `power_attack`?``, or None when nothing known is near."""
    name = closest(word, known)
    return None if name is None else f"Did you mean {quote}{name}{quote}?"


def known_names(known: Iterable[str], limit: int = _FEW) -> str:
    """`Known: a, b, c and 9 more.`"""
    names = sorted(set(known))
    if not names:
        return "Nothing is known here."
    listed = ", ".join(names[:limit])
    return f"Known: {listed} and {len(names) - limit} more." if len(names) > limit else f"Known: {listed}."


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


def _fold(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")

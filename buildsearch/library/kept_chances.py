"""What engines said about how likely a build wins at once, kept in the cache of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np

from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import Chunk
from buildsearch.search.score_cache import ScoreCache

_Key = tuple[str, bytes, str]


class KeptChances(MutableMapping[_Key, float | None]):
    """Chances by group, code and fight; None, where nobody can say, is kept as no number."""

    def __init__(self, scorer: BulkScorer, fights: Mapping[str, Any], cache: ScoreCache) -> None:
        self._scorer, self._fights, self._cache = scorer, fights, cache
        self._known: dict[_Key, float | None] = {}

    def __getitem__(self, key: _Key) -> float | None:
        if key not in self._known:
            found, numbers = self._cache.find(*self._entry(key), 1)
            if not found[0]:
                raise KeyError(key)
            self._known[key] = None if np.isnan(numbers[0, 0]) else float(numbers[0, 0])
        return self._known[key]

    def __setitem__(self, key: _Key, value: float | None) -> None:
        self._known[key] = value
        self._cache.add(*self._entry(key), np.array([[np.nan if value is None else value]]))

    def __delitem__(self, key: _Key) -> None:
        del self._known[key]

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def _entry(self, key: _Key) -> tuple[bytes, Any]:
        group, code, fight = key
        context = content_digest(b"chance to win at once", self._scorer.context(group, self._fights[fight]))
        chunk = Chunk(group, np.frombuffer(code, dtype=np.uint64)[None].copy())
        return context, self._scorer.keys(chunk)

"""The builds that blame looks at: the best of either side, and all that lie one change away from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.diffs.identity import build_keys, feature_words
from buildsearch.diffs.side import Side
from buildsearch.model.space import Chunk
from buildsearch.search.arena import Arena

BEST = 1_000
# Changes that are no single swap (points of one stat for those of another) are learnt from so many builds.
_TEACHERS = 10

Keys = NDArray[np.uint64]


def pool_of(sides: Sequence[tuple[Side, Mapping[str, str]]]) -> Keys:
    """The first word of every build's key that blame looks at, sorted; it need not be legal anywhere.

    A build's key is the sum of its features' words, so one change is one addition, whatever the rules.
    """
    names = list(
        dict.fromkeys(
            renamed.get(name, name) for side, renamed in sides for name in side.arena.space.feature_names
        )
    )
    words = feature_words(names, {})[:, 0]
    named = dict(zip(names, words, strict=True))
    found: list[Keys] = []
    for side, renamed in sides:
        rows = np.sort(side.best(BEST))
        if len(rows) == 0:
            continue
        keys = side.keys[rows, 0]
        space = side.arena.space
        mine = feature_words(space.feature_names, renamed)[:, 0]
        has = np.concatenate([space.levels(chunk) > 0 for chunk in side.ledger.part(rows).chunks])
        found.append(keys)
        found.append((keys[:, None] + words).ravel())
        for key, parts in zip(keys, has, strict=True):
            dropped = key - mine[parts]
            found += [dropped, (dropped[:, None] + words).ravel()]
        found.append((keys[:, None] + _taught(side, renamed, named)).ravel())
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64)


def _taught(side: Side, renamed: Mapping[str, str], words: Mapping[str, np.uint64]) -> Keys:
    """What the space's own neighbours differ by, where that is not a feature added, dropped or swapped."""
    space = side.arena.space
    each = np.array(list(words.values()), np.uint64)
    singles = np.concatenate([each, np.uint64(0) - each, (each[:, None] - each).ravel()])
    found: list[int] = []
    for row in side.best(_TEACHERS):
        own = int(side.keys[row, 0])
        for neighbour in space.neighbours(side.build(int(row))):
            key = sum(
                feature.level * int(words[renamed.get(feature.name, feature.name)])
                for feature in space.features(neighbour)
            )
            found.append((key - own) % (1 << 64))
    taught = np.unique(np.array(found, np.uint64))
    return taught[~np.isin(taught, singles)]


def pooled(arena: Arena, pool: Keys, renamed: Mapping[str, str]) -> Iterator[Chunk]:
    """The builds of a ruleset that are in the pool."""
    for chunk in arena.chunks():
        keys = build_keys(arena.space, [chunk], renamed)[:, 0]
        at = np.minimum(np.searchsorted(pool, keys), len(pool) - 1)
        codes = chunk.codes[pool[at] == keys] if len(pool) else chunk.codes[:0]
        if len(codes):
            yield Chunk(chunk.group, codes)

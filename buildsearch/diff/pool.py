"""The builds that blame looks at: the best of either side, and all that lie one change away from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.diff.ground import Ground, Side
from buildsearch.diff.identity import build_keys, feature_words
from buildsearch.model.space import Chunk

BEST = 1_000
# Changes that are no single swap (points of one stat for those of another) are learnt from so many builds.
_TEACHERS = 20

Keys = NDArray[np.uint64]


def pool_of(sides: Sequence[tuple[Side, Mapping[str, str]]]) -> Keys:
    """The first word of every build's key that blame looks at, sorted; it need not be legal anywhere.

    A build's key is the sum of its features' words, so one change is one addition, whatever the rules.
    """
    names = list(
        dict.fromkeys(
            renamed.get(name, name) for side, renamed in sides for name in side.ground.space.feature_names
        )
    )
    words = feature_words(names, {})[:, 0]
    found: list[Keys] = []
    for side, renamed in sides:
        rows = np.sort(side.best(BEST))
        if len(rows) == 0:
            continue
        keys = side.keys[rows, 0]
        space = side.ground.space
        mine = feature_words(space.feature_names, renamed)[:, 0]
        has = np.concatenate([space.levels(chunk) > 0 for chunk in side.ledger.part(rows).chunks])
        found.append(keys)
        found.append((keys[:, None] + words).ravel())
        for key, parts in zip(keys, has, strict=True):
            dropped = key - mine[parts]
            found += [dropped, (dropped[:, None] + words).ravel()]
        found.append((keys[:, None] + _taught(side, renamed, words)).ravel())
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64)


def _taught(side: Side, renamed: Mapping[str, str], words: Keys) -> Keys:
    """What the space's own neighbours differ by, where that is not a feature added, dropped or swapped."""
    space = side.ground.space
    singles = np.concatenate([words, np.uint64(0) - words, (words[:, None] - words).ravel()])
    found = [np.zeros(0, np.uint64)]
    for row in side.best(_TEACHERS):
        chunks = [space.encode(each) for each in space.neighbours(side.build(int(row)))]
        if chunks:
            found.append(build_keys(space, chunks, renamed)[:, 0] - side.keys[row, 0])
    taught = np.unique(np.concatenate(found))
    return taught[~np.isin(taught, singles)]


def pooled(ground: Ground, pool: Keys, renamed: Mapping[str, str]) -> Iterator[Chunk]:
    """The builds of a ruleset that are in the pool."""
    for chunk in ground.chunks():
        keys = build_keys(ground.space, [chunk], renamed)[:, 0]
        at = np.minimum(np.searchsorted(pool, keys), len(pool) - 1)
        codes = chunk.codes[pool[at] == keys] if len(pool) else chunk.codes[:0]
        if len(codes):
            yield Chunk(chunk.group, codes)

"""Builds of two rulesets told apart and matched by what they are made of, whatever it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.arrays import Ints
from buildsearch.model.space import BuildSpace, Chunk

_ROWS_AT_ONCE = 1 << 16

Keys = NDArray[np.uint64]


def feature_words(names: Sequence[str], renamed: Mapping[str, str]) -> Keys:
    """Two words for each feature: a digest of what the second ruleset calls it."""
    digests = [content_digest(renamed.get(name, name).encode())[:16] for name in names]
    return np.array([np.frombuffer(each, dtype="<u8") for each in digests], np.uint64).reshape(-1, 2)


def build_keys(space: BuildSpace, chunks: Sequence[Chunk], renamed: Mapping[str, str]) -> Keys:
    """Two words for each build: the sum of its features' words, each as often as it has it.

    A hundred million builds share a pair of words with chance 10^-22.
    """
    words = feature_words(space.feature_names, renamed)
    parts = [np.zeros((0, 2), np.uint64)]
    for chunk in chunks:
        for first in range(0, len(chunk), _ROWS_AT_ONCE):
            some = Chunk(chunk.group, chunk.codes[first : first + _ROWS_AT_ONCE])
            parts.append(_sums(space.levels(some), words))
    return np.concatenate(parts)


def _sums(levels: NDArray[np.uint8], words: Keys) -> Keys:
    sums = np.zeros((len(levels), 2), np.uint64)
    for feature in np.flatnonzero(levels.any(axis=0)):
        sums += levels[:, feature, None] * words[feature]  # wraps around, as sums of digests may
    return sums


def matches(first: Keys, second: Keys) -> Ints:
    """For each build of the first ruleset its row in the second; -1 where there is none."""
    if len(second) == 0 or len(first) == 0:
        return np.full(len(first), -1, np.int64)
    order = np.lexsort((second[:, 1], second[:, 0]))
    at = np.searchsorted(second[order, 0], first[:, 0])
    found = order[np.minimum(at, len(order) - 1)]
    return np.where((second[found] == first).all(axis=1), found, -1)

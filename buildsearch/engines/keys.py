"""States as keys: bits of the fields in words, a table of the keys met, and words that tell builds apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.dice import GOLDEN, mix
from buildsearch.engines.rooms import NODES, OUT_OF_RANGE, TOO_WIDE, report
from buildsearch.engines.statement import ANY, MOST_BITS, MOST_WORDS, rule

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

_A, _B = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xA0761D6478BD642F)
_S29, _S32 = np.uint64(29), np.uint64(32)


@rule
def digest_of(own: Ints, words: Words) -> None:
    """Two words of the tables of a build."""
    one, two = GOLDEN, _A
    for j in range(len(own)):
        value = np.uint64(own[j])
        one = (one ^ value) * _B
        one ^= one >> _S32
        two = (two + value) * GOLDEN
        two ^= two >> _S29
    words[0] = mix(one)
    words[1] = mix(two)


@rule
def lay_out(flat: Ints, most: Ints, mask: Words, shift: Words, word: Ints, trouble: Ints) -> int:
    """Bits for the fields, whose ranges are in `flat`; gives how many words a key has, 0 if trouble."""
    words, at = 1, 0
    word[0] = 0
    for i in range(len(flat)):
        top = flat[i]
        width = 0
        while top > 0 and (top >> width) > 0:
            width += 1
        if top < ANY or width > MOST_BITS:
            return report(trouble, TOO_WIDE, i, top)
        if at + width > MOST_BITS:
            if words == MOST_WORDS:
                return report(trouble, TOO_WIDE, i, top)
            word[words] = i
            words += 1
            at = 0
        most[i] = top if top != ANY else np.int64(0x7FFFFFFFFFFFFFFF)
        mask[i] = np.uint64((1 << width) - 1)
        shift[i] = np.uint64(at)
        at += width
    word[words] = len(flat)
    return words


@rule
def pack(
    flat: Ints, most: Ints, mask: Words, shift: Words, word: Ints, key: Words, trouble: Ints, words: int
) -> bool:
    """The key of the state; whether every field is in its range."""
    bad = 0
    for j in range(words):
        value = np.uint64(0)
        for i in range(word[j], word[j + 1]):
            field = flat[i]
            bad |= field | (most[i] - field)  # the sign of what is below 0, or above the most
            value |= (np.uint64(field) & mask[i]) << shift[i]
        key[j] = value
    if bad < 0:
        for i in range(len(flat)):
            if flat[i] < 0 or flat[i] > most[i]:
                report(trouble, OUT_OF_RANGE, i, flat[i])
                return False
    return True


@rule
def unpack(keys: Words, at: int, mask: Words, shift: Words, word: Ints, words: int, state: Ints) -> None:
    """The state of a key."""
    for j in range(words):
        value = keys[at + j]
        for i in range(word[j], word[j + 1]):
            state[i] = np.int64((value >> shift[i]) & mask[i])


@rule
def visit(
    key: Words, keys: Words, table: NDArray[np.int32], slots: NDArray[np.int32], used: Ints, words: int
) -> int:
    """The node of a key, a new one if need be; -1 if there is no room for it."""
    word = np.uint64(0)
    for j in range(words):
        word = (word ^ key[j]) * GOLDEN
        word ^= word >> _S29
    mask = len(table) - 1
    slot = np.int64(word >> np.uint64(8)) & mask
    while table[slot] >= 0:
        node = int(table[slot])
        j = 0
        while j < words and keys[node * words + j] == key[j]:
            j += 1
        if j == words:
            return node
        slot = (slot + 1) & mask
    node = used[NODES]
    if node >= len(slots) or (node + 1) * words > len(keys):
        return -1
    for j in range(words):
        keys[node * words + j] = key[j]
    table[slot] = node
    slots[node] = slot
    used[NODES] = node + 1
    return node

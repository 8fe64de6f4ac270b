"""Sets of options as bits in 64-bit words, and checks of whole numbers.

Numba 0.68 has no public count-trailing-zeros. An overload keeps one name for both worlds: compiled code gets
the instruction, code run with NUMBA_DISABLE_JIT=1 gets the Python below.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, SupportsIndex

import numpy as np
import pyarrow as pa
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from buildsearch.model.arrays import Bools


def whole_number(value: SupportsIndex, name: str, least: int = 0) -> int:
    """Give the value as a plain integer, or say why it is none or too small."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {value!r}.") from None
    if number < least:
        raise ValueError(f"{name} must be {least} or more, not {number}.")
    return number


def whole_numbers(values: Iterable[SupportsIndex], name: str) -> tuple[int, ...]:
    """Give the values as plain integers of zero or more, or say which one is not."""
    return tuple(whole_number(value, f"{name} {place}") for place, value in enumerate(values))


def lowest_index(word: np.uint64) -> int:
    """Give the index of the lowest set bit of a word that is not zero."""
    bits = int(word)
    return (bits & -bits).bit_length() - 1


# Only the compiler runs what follows, and coverage is measured without it.


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:  # pragma: no cover
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # True: a zero word is undefined, which saves its test on machines that have no tzcnt.
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    # Signed, because an index that is uint64 turns to float64 as soon as it meets an int64.
    return types.int64(types.uint64), codegen


@overload(lowest_index, strict=False)
def _compiled_lowest_index(word: Any) -> Callable[[Any], Any]:  # pragma: no cover
    def compiled(word: Any) -> Any:
        # Numba hands the typing context in; the stub that mypy reads does not know that.
        return _cttz(word)  # type: ignore[call-arg]

    return compiled


def filled_chunks(
    fill: Callable[[NDArray[Any]], int], width: int, dtype: Any, size: int
) -> Iterator[NDArray[Any]]:
    """What `fill` writes into arrays (size, width), each with memory of its own; it says how many rows it
    wrote. Every array but the last is full, and none is empty."""
    while True:
        chunk = np.empty((size, width), dtype)
        rows = fill(chunk)
        if rows < size:
            if rows:
                # A copy, because a slice would keep the whole chunk alive.
                yield chunk[:rows].copy()
            return
        yield chunk


WORD_BITS = 64


def word_count(options: int) -> int:
    """Give the number of words that a mask over so many options needs; never less than one."""
    return max(1, -(-options // WORD_BITS))


def mask_of(indices: Iterable[int], words: int) -> NDArray[np.uint64]:
    """Give the mask (words,) with these options set."""
    # Whole Python integers first: their shifts know no overflow.
    bits = [0] * words
    for index in indices:
        if not 0 <= index < words * WORD_BITS:
            raise ValueError(f"Option {index} does not fit into a mask of {words * WORD_BITS} bits.")
        bits[index // WORD_BITS] |= 1 << (int(index) % WORD_BITS)
    return np.array(bits, dtype=np.uint64)


def indices_of(mask: NDArray[np.uint64]) -> tuple[int, ...]:
    indices: list[int] = []
    for word, value in enumerate(mask.tolist()):
        bits = int(value)
        while bits:
            lowest = bits & -bits
            indices.append(word * WORD_BITS + lowest.bit_length() - 1)
            bits ^= lowest
    return tuple(indices)


Masks = NDArray[np.uint64]


class NamedSets:
    """Names, and what masks of them hold."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.place = {name: i for i, name in enumerate(self.names)}

    def mask(self, names: Iterable[str]) -> np.uint64:
        return np.uint64(mask_of([self.place[name] for name in names], 1)[0])

    def named(self, mask: np.uint64) -> tuple[str, ...]:
        return tuple(self.names[i] for i in indices_of(np.array([mask], np.uint64)))

    def bits(self, masks: Masks) -> NDArray[np.uint8]:
        """(masks, names): 1 where it is in the set."""
        # A byte order that is said, so that bits come out in the order of places.
        bytes_ = np.ascontiguousarray(masks, dtype="<u8").view(np.uint8).reshape(-1, 8)
        return np.unpackbits(bytes_, axis=1, bitorder="little")[:, : len(self.names)]

    def texts(self, masks: Masks, places: Bools | None = None) -> Any:
        """`stiletto,boots` for each mask, of some places; each set is spelt once."""
        if places is not None:
            masks = masks & np.uint64(mask_of(np.flatnonzero(places).tolist(), 1)[0])
        different, which = np.unique(masks, return_inverse=True)
        return pa.array([",".join(self.named(mask)) for mask in different], pa.string()).take(pa.array(which))

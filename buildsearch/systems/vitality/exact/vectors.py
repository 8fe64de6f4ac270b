"""Sums over eight neighbours of flat arrays as vectors of the machine: lane l of a number is l behind it.

numba finds no vectors across a loop this short by itself, so these emit them. Lanes never mix, and products
are added in the order of the indices: what a lane gets does not depend on what the others hold. Nothing is
checked: an index out of bounds reads or breaks the memory of others.
"""

# mypy: disable-error-code="no-untyped-def, no-any-return, misc"
# ruff: noqa: ANN001, ANN202 - what numba calls here has types of its own

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic
from numpy.typing import NDArray

LANES = 8

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_INT = ir.IntType(64)
_ZERO = ir.Constant(_VECTOR, [0.0] * LANES)
_FUSED = ("contract",)

Floats = NDArray[np.float64]
Lanewise = Callable[..., None]


class _Writer:
    """One call's code as it is written: arrays by their place among the arguments."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.builder = builder
        self.arguments = arguments
        self._data = {
            i: context.make_array(kind)(context, builder, arguments[i]).data
            for i, kind in enumerate(signature.args)
            if isinstance(kind, types.Array)
        }

    def pointer(self, array: int, index: Any) -> Any:
        there = self.builder.gep(self._data[array], [index], inbounds=True)
        return self.builder.bitcast(there, _VECTOR.as_pointer())

    def load(self, array: int, index: Any) -> Any:
        return self.builder.load(self.pointer(array, index), align=8)

    def store(self, value: Any, array: int, index: Any) -> None:
        self.builder.store(value, self.pointer(array, index), align=8)

    def one(self, array: int, index: Any) -> Any:
        """A single number of an array."""
        return self.builder.load(self.builder.gep(self._data[array], [index], inbounds=True))

    def fused(self, total: Any, first: Any, second: Any) -> Any:
        product = self.builder.fmul(first, second, flags=_FUSED)
        return self.builder.fadd(total, product, flags=_FUSED)

    def spread(self, number: Any) -> Any:
        """One number in every lane."""
        one = self.builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.Constant(_INT, 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return self.builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)

    def moved(self, index: Any, k: Any, step: int) -> Any:
        return self.builder.add(index, self.builder.mul(k, ir.Constant(_INT, step)))

    def repeat(self, count: Any, body: Callable[[Any, Any], Any]) -> Any:
        """`body(k, total)` for k below the count, from a total of nothing; the last total."""
        builder, before = self.builder, self.builder.block
        loop, done = builder.append_basic_block("lanes"), builder.append_basic_block("lanes_done")
        none = ir.Constant(_INT, 0)
        builder.cbranch(builder.icmp_signed(">", count, none), loop, done)
        builder.position_at_end(loop)
        k, total = builder.phi(_INT), builder.phi(_VECTOR)
        k.add_incoming(none, before)
        total.add_incoming(_ZERO, before)
        further = body(k, total)
        after = builder.add(k, ir.Constant(_INT, 1))
        k.add_incoming(after, loop)
        total.add_incoming(further, loop)
        builder.cbranch(builder.icmp_signed("<", after, count), loop, done)
        builder.position_at_end(done)
        last = builder.phi(_VECTOR)
        last.add_incoming(_ZERO, before)
        last.add_incoming(further, loop)
        return last

    def repeat_in_pairs(self, count: Any, body: Callable[[Any, Any], Any]) -> Any:
        """As `repeat`, even and odd k in totals of their own, so that one need not wait for the other."""
        builder, before = self.builder, self.builder.block
        loop, rest = builder.append_basic_block("pairs"), builder.append_basic_block("pairs_rest")
        last, done = builder.append_basic_block("pairs_last"), builder.append_basic_block("pairs_done")
        none, one = ir.Constant(_INT, 0), ir.Constant(_INT, 1)
        builder.cbranch(builder.icmp_signed(">", count, one), loop, rest)
        builder.position_at_end(loop)
        k, even, odd = builder.phi(_INT), builder.phi(_VECTOR), builder.phi(_VECTOR)
        k.add_incoming(none, before)
        further = [body(k, even), body(builder.add(k, one), odd)]
        for total, added in zip((even, odd), further, strict=True):
            total.add_incoming(_ZERO, before)
            total.add_incoming(added, loop)
        after = builder.add(k, ir.Constant(_INT, 2))
        k.add_incoming(after, loop)
        builder.cbranch(builder.icmp_signed("<", builder.add(after, one), count), loop, rest)
        builder.position_at_end(rest)
        at, totals = builder.phi(_INT), [builder.phi(_VECTOR), builder.phi(_VECTOR)]
        at.add_incoming(none, before)
        at.add_incoming(after, loop)
        for total, added in zip(totals, further, strict=True):
            total.add_incoming(_ZERO, before)
            total.add_incoming(added, loop)
        builder.cbranch(builder.icmp_signed("<", at, count), last, done)
        builder.position_at_end(last)
        ended = body(at, totals[0])
        builder.branch(done)
        builder.position_at_end(done)
        evens = builder.phi(_VECTOR)
        evens.add_incoming(totals[0], rest)
        evens.add_incoming(ended, last)
        return builder.fadd(evens, totals[1])


def _emitted(write: Callable[[_Writer], None], *kinds: Any) -> Any:
    """A signature of these kinds, and the code that `write` writes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        write(_Writer(context, builder, signature, arguments))
        return context.get_dummy_value()

    return types.void(*(types.int64 if isinstance(kind, types.Integer) else kind for kind in kinds)), generate


@intrinsic
def _add_product(_context, out, o, first, i, second, j):
    def write(w: _Writer) -> None:
        at = w.arguments
        w.store(w.fused(w.load(0, at[1]), w.load(2, at[3]), w.load(4, at[5])), 0, at[1])

    return _emitted(write, out, o, first, i, second, j)


@intrinsic
def _copy(_context, out, o, first, i):
    def write(w: _Writer) -> None:
        at = w.arguments
        w.store(w.load(2, at[3]), 0, at[1])

    return _emitted(write, out, o, first, i)


@intrinsic
def _add_scaled_all(_context, out, o, scale, second, j, count):
    def write(w: _Writer) -> None:
        at = w.arguments
        factor = w.spread(at[2])

        def body(k: Any, total: Any) -> Any:
            there = w.moved(at[1], k, LANES)
            w.store(w.fused(w.load(0, there), factor, w.load(3, w.moved(at[4], k, LANES))), 0, there)
            return total

        w.repeat(at[5], body)

    return _emitted(write, out, o, types.float64, second, j, count)


# The same in plain words, for a run without the JIT: what the code above has to be.
def _plain_add_product(out: Floats, o: int, first: Floats, i: int, second: Floats, j: int) -> None:
    out[o : o + LANES] += first[i : i + LANES] * second[j : j + LANES]


def _plain_add_scaled(out: Floats, o: int, scale: float, second: Floats, j: int) -> None:
    out[o : o + LANES] += scale * second[j : j + LANES]


def _plain_copy(out: Floats, o: int, first: Floats, i: int) -> None:
    out[o : o + LANES] = first[i : i + LANES]


def _plain_add_scaled_all(out: Floats, o: int, scale: float, second: Floats, j: int, count: int) -> None:
    for k in range(0, count * LANES, LANES):
        _plain_add_scaled(out, o + k, scale, second, j + k)


_COMPILED = not getattr(config, "DISABLE_JIT", False)
# To one number: add a product of two, or make it one.
add_product: Lanewise = _add_product if _COMPILED else _plain_add_product
copy: Lanewise = _copy if _COMPILED else _plain_copy
# To each of so many: add a scale times its counterpart.
add_scaled_all: Lanewise = _add_scaled_all if _COMPILED else _plain_add_scaled_all


@intrinsic
def _add_through(_context, out, o, first, i, second, codes, c, offsets, n, count):
    def write(w: _Writer) -> None:
        at = w.arguments
        low = ir.Constant(_INT, 255)
        eight = ir.Constant(_INT, 8)

        def body(k: Any, total: Any) -> Any:
            code = w.one(5, w.builder.add(at[6], k))
            offset = w.one(7, w.builder.add(at[8], w.builder.and_(code, low)))
            field = w.builder.mul(w.builder.ashr(code, eight), ir.Constant(_INT, LANES))
            there = w.load(4, w.builder.add(offset, field))
            return w.fused(total, w.load(2, w.moved(at[3], k, LANES)), there)

        total = w.repeat_in_pairs(at[9], body)
        w.store(w.builder.fadd(w.load(0, at[1]), total), 0, at[1])

    return _emitted(write, out, o, first, i, second, codes, c, offsets, n, count)


def _plain_add_through(
    out: Floats, o: int, first: Floats, i: int, second: Floats, codes: NDArray[np.int64], c: int,
    offsets: NDArray[np.int64], n: int, count: int,
) -> None:  # fmt: skip
    sums = np.zeros((2, LANES))
    for k in range(count):
        there = offsets[n + codes[c + k] % 256] + codes[c + k] // 256 * LANES
        sums[k % 2] += first[i + k * LANES : i + (k + 1) * LANES] * second[there : there + LANES]
    out[o : o + LANES] += sums[0] + sums[1]


# Add the sum of so many products, the second factor being where a code says: its low byte numbers an offset,
# the rest counts eights from there.
add_through: Lanewise = _add_through if _COMPILED else _plain_add_through

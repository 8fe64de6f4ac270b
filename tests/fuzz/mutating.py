"""Damage as it happens: bits that flip, pieces that are lost or doubled, and words that mean trouble."""

from __future__ import annotations

import re

# Words at which readers of YAML, TOML, JSON and CSV have stumbled.
TROUBLE = (
    *(b"null", b"true", b"[]", b"{}", b"[[", b"}}", b"&a [*a]", b"*a", b"<<: *a"),
    *(b"!!python/object:os.system x", b"---", b"...", b"|", b">", b"? ", b"- ", b": ", b"#"),
    *(b"\t", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xe2\x80\xa8"),
    *(b"\xed\xa0\x80", b"'", b'"', b'"""', b"\\", b"-1", b"0", b"1e999", b"-0", b".nan"),
    *(b".inf", b"NaN", b"Infinity", b"9" * 30, b"9" * 5000, b"0x10", b"1_000", b"010", b"=1+1"),
    *(b"a.b.c", b"." * 200, b"[" * 200, b"{" * 200, b"(" * 200, b"kind: rules\n"),
    *(b"extends: x\n", b"[tool.buildsearch]\n"),
)
_NUMBER = re.compile(rb"-?\d+(\.\d+)?")
_NUMBERS = (b"0", b"-1", b"1", b"2147483648", b"18446744073709551616", b"1.5", b"1e308", b"nan", b"1000000")
_MOST_BYTES = 200_000


def mutant(data, rng, others):
    """A damaged copy; `others` are files to take pieces from."""
    for _ in range(int(rng.integers(1, 5))):
        data = _KINDS[int(rng.integers(len(_KINDS)))](data, rng, others)
    return data[:_MOST_BYTES]


def _place(data, rng):
    return int(rng.integers(len(data) + 1))


def _piece(data, rng, most=200):
    first = _place(data, rng)
    return first, first + int(rng.integers(1, most))


def _flip(data, rng, _others):
    if not data:
        return data
    place = int(rng.integers(len(data)))
    return data[:place] + bytes([data[place] ^ (1 << int(rng.integers(8)))]) + data[place + 1 :]


def _cut(data, rng, _others):
    return data[: _place(data, rng)]


def _drop(data, rng, _others):
    first, last = _piece(data, rng)
    return data[:first] + data[last:]


def _double(data, rng, _others):
    first, last = _piece(data, rng)
    return data[:last] + data[first:last] * int(rng.integers(1, 20)) + data[last:]


def _insert(data, rng, _others):
    place = _place(data, rng)
    return data[:place] + TROUBLE[int(rng.integers(len(TROUBLE)))] + data[place:]


def _number(data, rng, _others):
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    one = found[int(rng.integers(len(found)))]
    return data[: one.start()] + _NUMBERS[int(rng.integers(len(_NUMBERS)))] + data[one.end() :]


def _swap_lines(data, rng, _others):
    lines = data.split(b"\n")
    one, other = (int(rng.integers(len(lines))) for _ in range(2))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _lose_line(data, rng, _others):
    lines = data.split(b"\n")
    del lines[int(rng.integers(len(lines)))]
    return b"\n".join(lines)


def _indent(data, rng, _others):
    lines = data.split(b"\n")
    place = int(rng.integers(len(lines)))
    lines[place] = b"  " + lines[place]
    return b"\n".join(lines)


def _splice(data, rng, others):
    other = others[int(rng.integers(len(others)))]
    first, last = _piece(other, rng, 1000)
    place = _place(data, rng)
    return data[:place] + other[first:last] + data[place:]


_KINDS = (
    _flip,
    _flip,
    _cut,
    _drop,
    _double,
    _insert,
    _insert,
    _number,
    _swap_lines,
    _lose_line,
    _indent,
    _splice,
)

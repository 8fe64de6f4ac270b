"""Reading files that a user or an earlier run wrote: plain files of bounded size, depth and encoding.

Every refusal is a ValueError or an OSError whose text fits after "cannot read FILE: ".
"""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, BinaryIO

MAX_TEXT = 4_000_000
MAX_DEPTH = 64
# Lines that a person reads are not longer; of a longer one nothing would be shown anyway.
_BLOCK = 1 << 20
# What may stand in a TOML key, so that the longest chain of dots can be found.
_NO_KEY = re.compile(r"[^\w\"' \t.\-]+")


class RefusedError(ValueError):
    """A file that is not what it should be; the text says why, without a full stop."""


def open_plain(path: Path, most: int) -> BinaryIO:
    """A plain file, open for reading; pipes, devices, folders and more than `most` bytes are refused."""
    # Without O_NONBLOCK, opening a pipe would wait for somebody to write to it. Without O_BINARY, Windows
    # would change the ends of lines, inside numbers too.
    flags = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    handle = os.open(path, os.O_RDONLY | flags)
    try:
        about = os.fstat(handle)
        if stat.S_ISDIR(about.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(about.st_mode):
            raise RefusedError("it is a pipe or a device, not a file")
        if about.st_size > most:
            raise RefusedError(f"it has {about.st_size:,} bytes, and {most:,} is the limit")
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_bytes(path: Path, most: int = MAX_TEXT) -> bytes:
    """What a file holds, never more than `most` bytes of it."""
    with open_plain(path, most) as file:
        # A file may grow while it is read, and those of /proc say that they are empty.
        data = file.read(most + 1)
    if len(data) > most:
        raise RefusedError(f"it has more than {most:,} bytes, and that is the limit")
    return data


def read_text(path: Path, most: int = MAX_TEXT) -> str:
    """The same as text; a byte-order mark is no part of it."""
    return read_bytes(path, most).decode("utf-8-sig")


def read_json(path: Path, most: int = MAX_TEXT) -> Any:
    """What a JSON file says."""
    return parse_json(read_text(path, most))


def parse_json(text: str) -> Any:
    """What JSON text says, at most `MAX_DEPTH` deep."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise RefusedError(f"it is not JSON: {error.msg} on line {error.lineno}") from None
    except RecursionError:
        raise RefusedError(_too_deep()) from None
    check_depth(data)
    return data


def parse_toml(text: str) -> dict[str, Any]:
    """What TOML text says, at most `MAX_DEPTH` deep; raises TOMLDecodeError too."""
    # Chains of dots take tomllib the square of their length.
    if max(word.count(".") for word in _NO_KEY.split(text)) > MAX_DEPTH:
        raise RefusedError(_too_deep())
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise RefusedError(_too_deep()) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise RefusedError(f"it is not TOML: {error}") from None
    check_depth(data)
    return data


def check_depth(data: Any) -> None:
    """Refuse what is nested deeper than `MAX_DEPTH`."""
    level = [data]
    for _ in range(MAX_DEPTH + 1):
        level = [
            below
            for each in level
            if isinstance(each, dict | list)
            for below in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise RefusedError(_too_deep())


def _too_deep() -> str:
    return f"it is nested deeper than {MAX_DEPTH} levels"


def read_csv(path: Path, most: int) -> list[dict[str, str]]:
    """The rows of a CSV file by column; a row that has other columns than the head is refused."""
    text = read_text(path, most)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""))
        rows = list(reader)
    except csv.Error as error:
        raise RefusedError(f"it is not CSV: {error}") from None
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise RefusedError(f"row {number} has another number of cells than the head")
    return rows


def digest_of(path: Path, most: int) -> str:
    """BLAKE2b of a plain file, in hexadecimal."""
    found = hashlib.blake2b(digest_size=32)
    with open_plain(path, most) as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()

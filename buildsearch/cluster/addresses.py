"""Where a cluster is: the address of a scheduler, or so many processes on this machine."""

from __future__ import annotations

import re
from dataclasses import dataclass

from buildsearch.model.errors import UsageError
from buildsearch.model.text import visible

_LOCAL = re.compile(r"local:([0-9]{1,4})")
# A host in letters, digits, dots and dashes, or an IPv6 address in brackets; then a port.
_REMOTE = re.compile(r"(tcp|tls|ws|wss|ucx)://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_MOST_PORTS = 65_535
_HOW = "Write tcp://HOST:8786 (or tls://) for a scheduler that runs, or local:4 for four processes here."


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, or else how many processes to begin here."""

    scheduler: str | None
    processes: int = 0

    def __str__(self) -> str:
        return self.scheduler or f"local:{self.processes}"


def read_address(text: str) -> Address:
    """Raises UsageError; what may hold a password is not repeated."""
    local = _LOCAL.fullmatch(text)
    if local is not None:
        if int(local[1]) == 0:
            raise UsageError("‹cluster› local:0 starts no worker. Use local:1 or more.")
        return Address(None, int(local[1]))
    remote = _REMOTE.fullmatch(text)
    if remote is not None and 0 < int(remote[3]) <= _MOST_PORTS:
        return Address(text)
    if "@" in text:
        raise UsageError(f"‹cluster› takes no user and no password: Dask's own configuration has TLS. {_HOW}")
    raise UsageError(f"‹cluster› `{visible(text)}` is not an address of a cluster. {_HOW}")

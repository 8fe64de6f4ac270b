"""A socket on this machine alone, and a server on it until Ctrl-C."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from buildsearch.model.errors import UsageError, reason_of
from buildsearch.server.guard import App

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """A socket that only this machine reaches; port 0 is one that is free."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
        found.listen(64)
    except OSError as error:
        found.close()
        raise UsageError(
            f"port {port} of {HOST} is not available: {reason_of(error)}. Choose another ‹port›, or none."
        ) from error
    return found


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C stays the command's: it ends at once, whoever is still listening."""
        yield


def serve_until_interrupted(app: App, on: socket.socket) -> bool:
    """Answer until Ctrl-C; says whether that ended it."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    try:
        asyncio.run(_Server(config).serve(sockets=[on]))
    except KeyboardInterrupt:
        return True
    return False

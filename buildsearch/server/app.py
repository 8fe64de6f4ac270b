"""The page, and what it may ask: JSON in, lines of JSON out as the work goes on."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from buildsearch.files.large_arrays import return_freed_memory
from buildsearch.library.rules_edits import sentences
from buildsearch.library.service import OtherRulesError, Service, Tell
from buildsearch.model.errors import BuildsearchError, Cancelled, UsageError, reason_of
from buildsearch.model.text import plain_json
from buildsearch.options.balance import BalanceOptions
from buildsearch.server.guard import App, Guard

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


Work = Callable[[Tell, threading.Event], None]
_Name = Field(max_length=300)


class _Body(BaseModel):
    """`rules`: the digest of those that the page shows."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rules: str = Field(max_length=64)


class _ScoreBody(_Body):
    numbers: dict[str, int | float] = Field(default={}, max_length=200)


class _BalanceBody(_ScoreBody):
    goals: list[str] = Field(default=[], max_length=20)
    lock: list[str] = Field(default=[], max_length=500)
    seconds: int = Field(default=20, ge=1, le=600)


class _SaveBody(_ScoreBody):
    edits: list[str] = Field(default=[], max_length=500)


def make_app(service: Service, token: str, port: int) -> App:
    """The server of one run, behind its guard."""

    async def page(_request: Request) -> Response:
        return HTMLResponse(service.shown.page.text)

    async def score(request: Request) -> Response:
        body = _ScoreBody.model_validate_json(await request.body())
        run = service.run_of(body.rules)
        edits = run.edits(body.numbers)
        return _lines(service, lambda tell, cancel: run.score(edits, tell, cancel))

    async def balance(request: Request) -> Response:
        body = _BalanceBody.model_validate_json(await request.body())
        run = service.run_of(body.rules)
        edits = run.edits(body.numbers)
        wanted = BalanceOptions(goals=tuple(body.goals), lock=tuple(body.lock), seconds=float(body.seconds))
        return _lines(service, lambda tell, cancel: run.balance(wanted, edits, tell, cancel))

    async def save(request: Request) -> Response:
        body = _SaveBody.model_validate_json(await request.body())
        run = service.run_of(body.rules)
        return _json(run.save(body.edits, run.edits(body.numbers)))

    async def changed(request: Request) -> Response:
        body = _Body.model_validate_json(await request.body())
        return _json({"changed": service.run_of(body.rules).changed()})

    async def reload(request: Request) -> Response:
        service.run_of(_Body.model_validate_json(await request.body()).rules)
        return _lines(service, service.reload)

    async def refused(_request: Request, error: Exception) -> Response:
        return _json({"problems": sentences(error)}, 409 if isinstance(error, OtherRulesError) else 422)

    async def unreadable(_request: Request, _error: Exception) -> Response:
        return _json({"problems": ["This server does not know that request."]}, 400)

    async def other(_request: Request, error: Exception) -> Response:
        return _json({"problems": ["There is no such page."]}, _status(error))

    routes = [
        Route("/", page, methods=["GET"]),
        *(
            Route(f"/api/{name}", endpoint, methods=["POST"])
            for name, endpoint in (
                ("score", score),
                ("balance", balance),
                ("save", save),
                ("changed", changed),
                ("reload", reload),
            )
        ),
    ]
    handlers: dict[Any, Any] = {
        BuildsearchError: refused,
        ValidationError: unreadable,
        404: other,
        405: other,
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    return Guard(app, token, port, service.shown.page.policy)  # type: ignore[arg-type]  # the same, by other names


def _json(answer: dict[str, Any], status: int = 200) -> Response:
    return Response(plain_json(answer), status, media_type="application/json")


def _status(error: Exception) -> int:
    return int(getattr(error, "status_code", 404))


def _lines(service: Service, work: Work) -> StreamingResponse:
    """What a work tells, a line of JSON each, while it goes on in a thread; whoever hangs up ends it."""
    cancel = service.begin()
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def tell(line: dict[str, Any] | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(waiting.put_nowait, line)

    def run() -> None:
        try:
            work(tell, cancel)
            tell({"kind": "done"})
        except Cancelled:
            tell({"kind": "cancelled"})
        except BuildsearchError as error:
            tell({"kind": "problem", "problems": sentences(error)})
        except Exception as error:
            what = f"internal error: {type(error).__name__}. Please report it."
            tell({"kind": "problem", "problems": [what]})
        finally:
            return_freed_memory()
            tell(None)

    async def lines() -> AsyncIterator[bytes]:
        try:
            while (line := await waiting.get()) is not None:
                yield plain_json(line).encode() + b"\n"
        finally:
            cancel.set()

    # A thread of its own, not one of the loop's: Ctrl-C does not wait for it.
    threading.Thread(target=run, daemon=True).start()
    return StreamingResponse(lines(), media_type="application/x-ndjson")

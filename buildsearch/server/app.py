"""The page, and what it may ask: JSON in, lines of JSON out as the work goes on."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from buildsearch.model.errors import BuildsearchError, Cancelled
from buildsearch.server.guard import App, Guard
from buildsearch.workflow.balance_search import BalanceRequest
from buildsearch.workflow.numbers import sentences
from buildsearch.workflow.service import Service, Tell

Work = Callable[[Tell, threading.Event], None]
_Name = Field(max_length=300)


class _ScoreBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

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
        return HTMLResponse(service.page.text)

    async def score(request: Request) -> Response:
        body = _ScoreBody.model_validate_json(await request.body())
        return _lines(service, lambda tell, cancel: service.score(body.numbers, tell, cancel))

    async def balance(request: Request) -> Response:
        body = _BalanceBody.model_validate_json(await request.body())
        wanted = BalanceRequest(goals=tuple(body.goals), lock=tuple(body.lock), seconds=float(body.seconds))
        return _lines(service, lambda tell, cancel: service.balance(wanted, body.numbers, tell, cancel))

    async def save(request: Request) -> Response:
        body = _SaveBody.model_validate_json(await request.body())
        return JSONResponse(service.save(body.edits, body.numbers))

    async def refused(_request: Request, error: Exception) -> Response:
        return JSONResponse({"problems": sentences(error)}, status_code=422)

    async def unreadable(_request: Request, _error: Exception) -> Response:
        return JSONResponse({"problems": ["That is not what this server can be asked."]}, status_code=400)

    async def other(_request: Request, error: Exception) -> Response:
        return JSONResponse({"problems": ["There is nothing like that here."]}, status_code=_status(error))

    routes = [
        Route("/", page, methods=["GET"]),
        *(
            Route(f"/api/{name}", endpoint, methods=["POST"])
            for name, endpoint in (("score", score), ("balance", balance), ("save", save))
        ),
    ]
    handlers: dict[Any, Any] = {
        BuildsearchError: refused,
        ValidationError: unreadable,
        404: other,
        405: other,
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    return Guard(app, token, port, service.page.policy)  # type: ignore[arg-type]  # the same, by other names


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
            tell(None)

    async def lines() -> AsyncIterator[bytes]:
        try:
            while (line := await waiting.get()) is not None:
                yield json.dumps(line, allow_nan=False).encode() + b"\n"
        finally:
            cancel.set()

    # A thread of its own, not one of the loop's: Ctrl-C does not wait for it.
    threading.Thread(target=run, daemon=True).start()
    return StreamingResponse(lines(), media_type="application/x-ndjson")

"""Who may ask: nobody but the page that was opened with the address that the command printed.

Any page that a browser shows may send requests to this machine, and a name on the network may be made to lead
here (DNS rebinding). So every request must name this very host and port, come from this page or from nowhere,
and know a secret that stands only in the address that was printed.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

TOKEN = "x-buildsearch-token"  # noqa: S105 - the name of a header
MOST_BYTES = 1 << 16
_NOTHING = "default-src 'none'"
_ALWAYS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class _Refused(Exception):  # noqa: N818 - control flow inside this file
    def __init__(self, status: int, sentence: str) -> None:
        self.status, self.sentence = status, sentence


class Guard:
    """Lets through what may be asked, with its body read up to a limit; everything else gets a sentence."""

    def __init__(self, app: App, token: str, port: int, policy: str = _NOTHING) -> None:
        self._app, self._token = app, token.encode()
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._policy = f"{policy}; frame-ancestors 'none'"

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        guarded = self._closing(send)
        try:
            self._check(scope)
            body = await _body(receive) if scope["method"] == "POST" else b""
        except _Refused as refused:
            await _say(guarded, refused)
            return
        await self._app(scope, _again(body, receive), guarded)

    def _check(self, scope: MutableMapping[str, Any]) -> None:
        headers: dict[str, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value)

        def only(name: str) -> str | None:
            given = headers.get(name, [])
            if len(given) > 1:
                raise _Refused(400, f"{name} is given twice.")
            return given[0].decode("latin-1") if given else None

        host, origin = only("host"), only("origin")
        if host is None or host.lower() not in self._hosts:
            raise _Refused(421, "This server answers to its own address only.")
        is_post = scope["method"] == "POST"
        if (origin is not None or is_post) and origin != f"http://{host.lower()}":
            raise _Refused(403, "Only the page of this server may ask.")
        site = only("sec-fetch-site")
        # `serve --open` leads here from a file. With the key, anybody may: it is a tab of its own then.
        is_tab = (only("sec-fetch-mode"), only("sec-fetch-dest")) == ("navigate", "document")
        if site not in (None, "same-origin") and (is_post or (site != "none" and not is_tab)):
            raise _Refused(403, "Only the page of this server may ask.")
        if not secrets.compare_digest(self._secret(scope, only(TOKEN)), self._token):
            raise _Refused(403, "Open the address that `buildsearch serve` printed: it holds the key.")
        if is_post:
            kind = (only("content-type") or "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise _Refused(415, "Send JSON.")
            length = only("content-length") or "0"
            if not length.isdigit() or len(length) > 9 or int(length) > MOST_BYTES:
                raise _Refused(413, f"At most {MOST_BYTES:,} bytes.")

    @staticmethod
    def _secret(scope: MutableMapping[str, Any], header: str | None) -> bytes:
        """The page brings it in its address, whatever it asks later in a header."""
        if scope["method"] == "GET" and scope["path"] == "/":
            query = scope["query_string"][:1_000].decode("latin-1")
            try:
                given: str = parse_qs(query, max_num_fields=5).get("token", [""])[0]
            except ValueError as error:  # more fields than any address of ours has
                raise _Refused(400, "The address has too many fields.") from error
            return given.encode()
        return (header or "").encode("latin-1")

    def _closing(self, send: Send) -> Send:
        """With headers that let nobody else show, load or keep the answer."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = {name.decode("latin-1").lower() for name, _ in message.get("headers", [])}
                more = {**_ALWAYS, "content-security-policy": self._policy}
                message = {
                    **message,
                    "headers": [
                        *message.get("headers", []),
                        *(
                            (name.encode(), value.encode())
                            for name, value in more.items()
                            if name not in told
                        ),
                    ],
                }
            await send(message)

        return guarded


async def _body(receive: Receive) -> bytes:
    """All of it, as long as it is not too long: a length that was promised binds nobody."""
    found = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _Refused(400, "The request ended before its end.")
        found += bytes(message.get("body", b""))
        if len(found) > MOST_BYTES:
            raise _Refused(413, f"At most {MOST_BYTES:,} bytes.")
        if not message.get("more_body", False):
            return found


def _again(body: bytes, receive: Receive) -> Receive:
    """The body that was read already, then whatever comes."""
    is_read = False

    async def receive_again() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


async def _say(send: Send, refused: _Refused) -> None:
    body = json.dumps({"problems": [refused.sentence]}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    # What of the request is not read yet is not read at all.
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

"""Whoever is not the page of the server gets nothing: other hosts, other sites, other keys, too much."""

from __future__ import annotations

import asyncio
import json

import pytest
from starlette.responses import JSONResponse
from starlette.testclient import TestClient

from buildsearch.server.guard import MOST_BYTES, TOKEN, Guard

KEY, PORT = "k" * 43, 8765
HOST = f"127.0.0.1:{PORT}"
PAGE = {
    "origin": f"http://{HOST}",
    TOKEN: KEY,
    "content-type": "application/json",
    "sec-fetch-site": "same-origin",
}


@pytest.fixture
def reached():
    """What came through."""
    return []


@pytest.fixture
def guard(reached):
    async def app(scope, receive, send):
        message = await receive()
        reached.append(message["body"])
        await JSONResponse({"fine": True})(scope, receive, send)

    return Guard(app, KEY, PORT, "default-src 'none'; script-src 'sha256-x'")


@pytest.fixture
def client(guard):
    return TestClient(guard, base_url=f"http://{HOST}")


def post(client, body=b"{}", **changed):
    headers = {name: value for name, value in (PAGE | changed).items() if value is not None}
    return client.post("/api/score", content=body, headers=headers)


def test_the_page_of_the_server_may_ask(client, reached):
    assert client.get(f"/?token={KEY}").json() == {"fine": True}
    assert post(client, b'{"numbers": {}}').json() == {"fine": True}
    assert reached == [b"", b'{"numbers": {}}']
    assert client.get(f"/?token={KEY}", headers={"host": f"localhost:{PORT}"}).status_code == 200
    there = {"host": f"localhost:{PORT}", "origin": f"http://localhost:{PORT}"}
    assert post(client, **there).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        "127.0.0.1:80",
        f"127.0.0.1.evil.example:{PORT}",
        "",
    ],
)
def test_a_name_that_was_made_to_lead_here_is_refused(client, reached, host):
    """DNS rebinding: the browser believes that it talks to another host, and says so."""
    assert client.get(f"/?token={KEY}", headers={"host": host}).status_code == 421
    assert post(client, host=host, origin=f"http://{host}").status_code == 421
    assert reached == []


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": None},
        {"origin": f"https://{HOST}"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": f"http://localhost:{PORT}"},  # the other name of this machine, but not this host
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},  # another port of this machine
        {"sec-fetch-site": "none"},
    ],
)
def test_other_sites_may_not_ask(client, reached, changed):
    answer = post(client, **changed)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert reached == []


def test_pages_of_other_sites_may_not_load_it(client, reached):
    elsewhere = {"sec-fetch-site": "cross-site"}
    frame = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
    for headers in ({"origin": "http://evil.example"}, elsewhere, elsewhere | frame):
        assert client.get(f"/?token={KEY}", headers=headers).status_code == 403
    # A tab of its own is what `serve --open` leads to; without the key it gets nothing.
    tab = elsewhere | frame | {"sec-fetch-dest": "document"}
    assert client.get("/?token=x", headers=tab).status_code == 403
    assert reached == []
    assert client.get(f"/?token={KEY}", headers=tab).status_code == 200


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""]
)
def test_simple_posts_of_forms_are_refused(client, reached, kind):
    """What a page may send to others without asking: no header of its own, and no JSON."""
    form = {"content-type": kind, TOKEN: None, "origin": "http://evil.example", "sec-fetch-site": None}
    assert post(client, b"numbers=1", **form).status_code == 403
    assert post(client, b"numbers=1", **{"content-type": kind}).status_code == 415
    assert reached == []


@pytest.mark.parametrize("key", [None, "", "k", KEY[:-1], KEY + "k", "K" * 43, "\u00e4" * 43])
def test_wrong_keys_are_refused(client, reached, key):
    assert client.get("/", params={} if key is None else {"token": key}).status_code == 403
    given = None if key is None else key.encode("latin-1")
    assert post(client, **{TOKEN: given}).status_code == 403
    # The address brings the key for the page only.
    assert (
        client.post(f"/api/score?token={KEY}", headers=PAGE | {TOKEN: "x"}, content=b"{}").status_code == 403
    )
    assert reached == []


def test_an_address_of_many_fields_gets_a_sentence(client, reached):
    answer = client.get("/?" + "&".join(f"f{number}=1" for number in range(9)) + f"&token={KEY}")
    assert (answer.status_code, answer.json()) == (400, {"problems": ["The address has too many fields."]})
    assert not reached


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "HEAD", "PATCH"])
def test_no_site_learns_that_it_might_ask(client, reached, method):
    asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    answer = client.request(method, "/api/score", headers=asked)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_bodies_have_an_end(client, guard, reached):
    assert post(client, b" " * MOST_BYTES).status_code == 200
    assert post(client, b" " * (MOST_BYTES + 1)).status_code == 413
    assert post(client, **{"content-length": "99999999999999999999"}).status_code == 413
    assert post(client, **{"content-length": "-1"}).status_code == 413

    def pieces():
        for _ in range(20):
            yield b" " * 8192

    # No length is promised, and there is no end to it.
    assert client.post("/api/score", content=pieces(), headers=PAGE).status_code == 413
    assert len(reached) == 1


def asked_raw(guard, headers, *, kind="http", messages=()):
    """A request by its bytes."""
    sent, waiting = [], list(messages) or [{"type": "http.request", "body": b"{}", "more_body": False}]
    scope = {
        "type": kind, "method": "POST", "path": "/api/score", "query_string": b"", "headers": headers,
    }  # fmt: skip

    async def receive():
        return waiting.pop(0)

    async def send(message):
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    return sent


def test_headers_that_say_two_things_are_refused(guard, reached):
    page = [(name.encode(), value.encode()) for name, value in (PAGE | {"host": HOST}).items()]
    assert asked_raw(guard, page)[0]["status"] == 200
    for name in ("host", "origin", TOKEN, "content-type", "content-length", "sec-fetch-site"):
        twice = [*page, (name.encode(), b"1"), (name.encode(), b"2")]
        assert asked_raw(guard, twice)[0]["status"] in (400, 413), name
    assert len(reached) == 1


def test_sockets_and_requests_without_an_end_are_closed(guard, reached):
    (closed,) = asked_raw(guard, [], kind="websocket")
    assert closed["type"] == "websocket.close"
    page = [(name.encode(), value.encode()) for name, value in (PAGE | {"host": HOST}).items()]
    gone = asked_raw(guard, page, messages=[{"type": "http.disconnect"}])
    assert gone[0]["status"] == 400
    assert reached == []


def test_answers_are_for_this_page_alone(client):
    for answer in (client.get(f"/?token={KEY}"), client.get("/"), post(client), post(client, origin="null")):
        policy = answer.headers["content-security-policy"]
        assert policy == "default-src 'none'; script-src 'sha256-x'; frame-ancestors 'none'"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "set-cookie" not in answer.headers
        assert json.loads(answer.content)

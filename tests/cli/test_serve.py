"""`serve` from the command line: what it says before it serves, and without what it needs."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numba
import pytest
import typer

from buildsearch.server.app import listen
from tests.server.runs import optimized, own_rules

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_it_says_how_to_install_it(run, monkeypatch, missing):
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "buildsearch.server.app", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    ended = run("serve")
    assert ended.code == 2
    assert "pip install 'buildsearch[serve]'" in ended.err


def test_only_this_machine_reaches_it_and_taken_ports_are_told(run, elsewhere):
    with listen(0) as on:
        address, port = on.getsockname()
        assert address == "127.0.0.1"
        ended = run("serve", "--port", port)
        assert ended.code == 2
        assert f"port {port} of 127.0.0.1 is not available" in ended.err
        assert "--port" in ended.err
        for family, other in ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as caller, pytest.raises(OSError, match=r".+"):
                caller.connect((other, port))


@needs_jit
def test_it_prints_its_address(run, elsewhere, monkeypatch):
    import json

    optimized(own_rules(elsewhere), elsewhere / "run", elsewhere / "cache")
    served = []
    from buildsearch.server import app

    monkeypatch.setattr(app, "serve_until_interrupted", lambda app, on: served.append(on.getsockname()))
    ended = run("serve", "run", "--json", "--cache", "cache")
    assert ended.code == 0, ended.err
    said = json.loads(ended.out)
    assert said["address"].startswith(f"http://127.0.0.1:{served[0][1]}/?token=")
    assert len(said["address"].partition("token=")[2]) >= 43
    assert said["saves"] is True
    again = run("serve", "run", "--cache", "cache", "--folder", "cache")
    assert "Ctrl-C ends it." in again.out
    assert "lies outside" in again.out
    assert said["address"] not in again.out
    # The browser is told of a file of this user's alone: everybody sees the arguments of a process.
    told = []

    def launch(uri):
        path = Path(unquote(urlsplit(uri).path))
        told.append((uri, path, path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777))

    monkeypatch.setattr(typer, "launch", launch)
    address = json.loads(run("serve", "run", "--json", "--cache", "cache", "--open").out)["address"]
    ((uri, path, text, mode),) = told
    assert uri.startswith("file:")
    assert address.partition("token=")[2] not in uri
    assert f"url={address}" in text
    assert os.name == "nt" or mode == 0o600
    assert not path.exists()

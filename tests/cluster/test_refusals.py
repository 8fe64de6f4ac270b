"""What cannot be used is refused with a sentence, and exit code 2."""

from __future__ import annotations

import sys

import pytest

from buildsearch.cluster.addresses import read_address
from buildsearch.cluster.tasks import difference, versions
from buildsearch.library.watch import on_cluster
from buildsearch.model.errors import UsageError
from tests.cluster.nodes import Nodes, free_port


@pytest.mark.parametrize(
    "text",
    [
        "",
        "local",
        "local:",
        "local:x",
        "local:-1",
        "8786",
        "host:8786",
        "http://host:8786",
        "tcp://host",
        "tcp://host:0",
        "tcp://host:70000",
        "tcp://ho st:8786",
        "tcp://host:8786/x",
        "tcp://\x1b[2Jhost:1",
    ],
)
def test_wrong_addresses(text):
    with pytest.raises(UsageError, match="is not an address of a cluster") as caught:
        read_address(text)
    assert "tcp://HOST:8786" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_right_addresses():
    assert read_address("local:4").processes == 4
    for text in ("tcp://node-1.example:8786", "tls://10.0.0.1:8786", "tcp://[::1]:8786"):
        assert read_address(text).scheduler == text
    with pytest.raises(UsageError, match="starts no worker"):
        read_address("local:0")


def test_a_password_is_not_repeated():
    with pytest.raises(UsageError, match="no user and no password") as caught:
        read_address("tcp://me:secret@host:8786")
    assert "secret" not in str(caught.value)


def test_without_the_extra(monkeypatch):
    for name in [each for each in sys.modules if each.startswith("buildsearch.cluster.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"buildsearch\[cluster\]"), on_cluster("local:2"):
        pass


def test_words_for_differences():
    here = versions()
    assert difference(here, dict(here)) is None
    assert difference(here, here | {"numpy": "1.0"}) == f"numpy 1.0 instead of {here['numpy']}"
    assert "other code" in difference(here, here | {"code of buildsearch": "0"})
    assert "buildsearch missing" in difference(here, {})


# A worker on whose machine other versions are installed.
OTHER = """
from importlib.metadata import version
from buildsearch.cluster import tasks

others = {"numpy": "1.0", "buildsearch": "0.0.1"}
tasks.version = lambda name: others.get(name) or version(name)
"""


def _said(run, address):
    ended = run("optimize", "--budget", "1", "--no-cache", "--quiet", "--cluster", address)
    assert ended.code == 2
    return " ".join(ended.err.split())


def test_no_scheduler_answers(run, monkeypatch):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr("buildsearch.cluster.dask_executor._FIRST", 0.5)
    said = _said(run, f"tcp://127.0.0.1:{free_port()}")
    assert "no scheduler answers at --cluster tcp://127.0.0.1" in said


def test_no_worker_then_one_of_other_versions(run, monkeypatch, tmp_path):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with Nodes(tmp_path) as nodes:
        nodes.scheduler()
        monkeypatch.setattr("buildsearch.cluster.dask_executor._FIRST", 2.0)
        assert "has no worker. Start some" in _said(run, nodes.address)
        monkeypatch.setattr("buildsearch.cluster.dask_executor._FIRST", 30.0)
        nodes.worker(OTHER)
        said = _said(run, nodes.address)
    assert "buildsearch 0.0.1 instead of" in said
    assert "numpy 1.0 instead of" in said
    assert "Install the same versions everywhere" in said

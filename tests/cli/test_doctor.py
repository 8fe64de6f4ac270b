"""`buildsearch doctor`: facts, and what is wrong with what to do about it."""

from __future__ import annotations

import numba
import pytest

from buildsearch.library import doctor

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="without compiled code it is ill")


@pytest.fixture
def folder(elsewhere, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(elsewhere / "cache"))
    return elsewhere


def test_what_cannot_be_written_is_wrong(run, folder, monkeypatch):
    (folder / "file").write_text("no folder")
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(folder / "file" / "cache"))
    ended = run("doctor")
    assert ended.code == 1
    said = " ".join(ended.out.split())
    assert "cannot be written, so no scores are kept between runs. Set BUILDSEARCH_CACHE" in said
    assert "Everything works" not in said


def test_kernels_that_are_not_compiled_are_wrong(run, folder, monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    ended = run("doctor")
    assert ended.code == 1
    assert "error NUMBA_DISABLE_JIT is set" in " ".join(ended.out.split())


def test_a_package_that_is_missing_is_named(run, folder, monkeypatch):
    monkeypatch.setattr(doctor, "requires", lambda _name: ["no-such-thing>=1", "ruff; extra == 'lint'"])
    ended = run("doctor")
    assert ended.code == 1
    said = " ".join(ended.out.split())
    assert "no-such-thing is missing: install it with `pip install no-such-thing`." in said
    assert "ruff" not in said


def test_kernels_that_are_kept_nowhere_are_wrong_and_said_what_to_do(run, folder, monkeypatch):
    for kind in ("ProvidedFolder", "BesideSource", "FolderOfUser"):
        monkeypatch.setattr(f"buildsearch.engines.kernel_cache.{kind}.from_function", lambda *_: None)
    monkeypatch.setattr("buildsearch.engines.jit.WHY_PLAIN", "numba 9 is not tested. Install another.")
    ended = run("doctor")
    assert ended.code == 1
    assert "with the same scores: numba 9 is not tested. Install another." in " ".join(ended.out.split())
    assert "error compiled kernels can be kept nowhere, so every run compiles" in " ".join(ended.out.split())
    assert "Set NUMBA_CACHE_DIR to a folder that can be written." in " ".join(ended.out.split())


def test_a_folder_that_cannot_be_written_and_a_full_disk_are_wrong(run, folder, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _path: type("Usage", (), {"free": 1 << 20})())
    assert "only 1.0 MB are free there; the largest runs need 2 GB." in run("doctor").out
    monkeypatch.setattr(doctor, "_can_write", lambda _folder: False)
    assert "cannot be written, so runs need another folder to go to." in run("doctor").out

"""What tests of several packages share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from buildsearch.cli.main import exit_code_of
from tests.small_games import SMALL_GAMES, finished_run, session_folder

REPOSITORY = Path(__file__).resolve().parents[1]

# No deadlines: the first call of a kernel compiles it. In CI and for coverage the examples are the same in
# every run, so that a red run is the change's doing; at a desk they are new every time, and find more.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") or os.environ.get("NUMBA_DISABLE_JIT") else "desk")


@dataclass(frozen=True)
class Ended:
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


def pytest_addoption(parser):
    parser.addoption("--bless", action="store_true", help="write tests/snapshots/ anew")


def pytest_collection_modifyitems(items):
    """On Windows, what is about other systems is left out, and told."""
    if os.name == "nt":
        for item in items:
            if item.get_closest_marker("posix"):
                item.add_marker(pytest.mark.skip(reason="about what Windows does not have"))


@pytest.fixture(scope="session", autouse=True)
def kept_scores(tmp_path_factory):
    """Scores are kept in one folder of this session, for all of its processes, and never in the user's own.

    What one test scored the next one finds; a test about scores that are not kept yet names another folder.
    """
    folder = session_folder(tmp_path_factory.getbasetemp()) / "kept-scores"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BUILDSEARCH_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def outside_the_checkout(tmp_path_factory):
    """Tests begin in an empty folder, so that no run of theirs becomes the checkout's `results/latest`."""
    before = _changeable()
    os.chdir(tmp_path_factory.mktemp("outside"))
    yield
    assert _changeable() == before, "a test wrote into the checkout"


def _changeable():
    """Runs, rules and scenarios of the checkout, which tests must leave alone: when each was last changed."""
    folders = (REPOSITORY / name for name in ("results", "rules", "scenarios"))
    return {str(path): path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*")}


@pytest.fixture
def repository():
    return REPOSITORY


@pytest.fixture
def run(capsys):
    """Runs the command line inside this process; a traceback never counts as an answer."""

    def run_(*arguments):
        capsys.readouterr()
        code = exit_code_of([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ended(code, captured.out, captured.err)

    return run_


@pytest.fixture(scope="session")
def small_run(tmp_path_factory):
    """Gives the folder of the small run of a game, which all tests share: to be read, or copied."""
    base = session_folder(tmp_path_factory.getbasetemp())
    return lambda name: finished_run(SMALL_GAMES[name], base)


@pytest.fixture(scope="session")
def v2_rules():
    from buildsearch.library.input_files import load_rules

    return load_rules(str(REPOSITORY / "rules" / "vitality-v2.yaml")).model


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def nothing_kept(elsewhere, monkeypatch):
    """For tests about what is kept: no score is, yet."""
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(elsewhere / "cache"))
    return elsewhere


@pytest.fixture
def rules_text():
    return (REPOSITORY / "rules" / "vitality-v2.yaml").read_text(encoding="utf-8")


@pytest.fixture
def quick_reports(monkeypatch):
    """Reports that commands write hold little: fights of the reference take long."""
    from functools import partial

    from buildsearch.library import report

    little = partial(report.Extent, cards=1, trigger_fights=2, sampled_fights=64)
    monkeypatch.setattr(report, "Extent", little)

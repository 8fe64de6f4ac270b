"""`buildsearch runs`, on records without scores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from buildsearch.report.latest import remember_run

RECORD = {
    "format": 3,
    "kind": "builds",
    "rules": {"id": "vitality-v2", "hash": ""},
    "parameters": {"tier": 3, "archetype": "focused", "budget": 6, "effect": "damage"},
    "incomplete": False,
    "builds": 531_438,
    "best": {"build": "area", "score": 2.517377, "score_text": "2.52 turns"},
}


def written(folder, hours=0, **more):
    """A folder with a record, some hours old."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(RECORD | more))
    (folder / "scores.parquet").write_bytes(bytes(2_000_000 if hours else 5_000))
    now = (folder / "run.json").stat().st_mtime
    os.utime(folder / "run.json", (now - 3600 * hours,) * 2)
    return folder


@pytest.fixture
def runs(elsewhere):
    """An old run with builds above its budget beside it, one of another version, and the latest elsewhere."""
    old = written("results/vitality-v2-3-b9d2905a", hours=99)
    written("results/vitality-v2-3-b9d2905a-over-budget", hours=99)
    written("results/dungeoneers-2-5c1e08aa", hours=50, format=2)
    remember_run(written(elsewhere / "away" / "mine", incomplete=True))
    return old


def test_runs_are_listed_newest_first(run, runs, elsewhere):
    ended = run("runs")
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["run", "rules", "parameters", "builds", "best", "size", "date"]
    listed = [
        line.split()
        for line in lines
        if any(each in line for each in ("mine", "5c1e08aa  ", "vitality-v2  "))
    ]
    assert [line[0] for line in listed] == ["*", "5c1e08aa", "b9d2905a"]
    assert listed[0][1:3] == ["mine", "vitality-v2"]
    assert "531,438  2.52 turns  4 MB" in ended.out  # what was scored above the budget counts
    assert lines[-1] == "* is `latest`. Read another: analyze b9d2905a. Delete: runs --delete b9d2905a"
    found = json.loads(run("runs", "--json").out)["runs"]
    assert [each["is_latest"] for each in found] == [True, False, False]
    assert [each["state"] for each in found] == ["incomplete", "of another version", ""]
    assert found[2]["best"] == "2.52 turns"


def test_a_run_is_deleted_by_the_beginning_of_its_id(run, runs, elsewhere):
    asked = run("runs", "--delete", "b9d2")
    assert asked.code == 2
    assert "Add --yes" in asked.err
    assert runs.exists()
    ended = run("runs", "--delete", "b9d2", "--yes")
    assert ended.code == 0, ended.err
    assert " ".join(ended.out.split()) == (
        "Deleted results/vitality-v2-3-b9d2905a (vitality-v2, 531,438 builds, 4 MB)."
    )
    assert [path.name for path in Path("results").iterdir() if path.is_dir()] == ["dungeoneers-2-5c1e08aa"]


def test_files_with_one_id_are_told_apart(run, elsewhere):
    written("results/vitality-v2-3-11111111", request={"rules": "rules/vitality-v2.yaml"})
    written("results/vitality-v2-3-22222222", request={"rules": "rules/mine.yaml"})
    shown = [line.split("  ")[2:4] for line in run("runs").out.splitlines()]
    assert "vitality-v2" in str(shown)
    assert "mine.yaml" in str(shown)
    files = {each["file"] for each in json.loads(run("runs", "--json").out)["runs"]}
    assert files == {"rules/vitality-v2.yaml", "rules/mine.yaml"}


@pytest.mark.parametrize("name", ["latest", "away/mine", "results", "results/notes", ".", "nothing"])
def test_nothing_but_runs_in_results_is_deleted(run, runs, elsewhere, name):
    Path("results/notes").mkdir()
    before = sorted(elsewhere.rglob("*"))
    ended = run("runs", "--delete", name, "--yes")
    assert ended.code == 2
    assert "Only those are deleted" in ended.err
    assert sorted(elsewhere.rglob("*")) == before


def test_when_the_latest_run_is_deleted_there_is_none(run, elsewhere):
    remember_run(written("results/a-11111111"))
    written("results/b-22222222", hours=2)
    written("results/c-33333333", hours=3)
    assert run("runs", "--delete", "1111", "--yes").code == 0
    ended = run("analyze")
    assert ended.code == 2
    assert "there are several runs in results: b-22222222, c-33333333. Name one." in ended.err


def test_without_runs_the_first_command_is_named(run, elsewhere):
    assert run("runs").out == "No runs in results. `buildsearch optimize` makes one.\n"


def test_the_start_screen_says_which_run_is_the_latest(run, runs, elsewhere):
    ended = run()
    assert "Latest run: vitality-v2, 531,438 builds, best 2.52 turns, today " in ended.out
    assert "Start here" not in ended.out
    assert "  buildsearch balance" in ended.out
    (elsewhere / "away" / "mine" / "run.json").write_text(
        json.dumps(RECORD | {"best": {"score_text": "\x1b[2J"}})
    )
    assert "\x1b" not in run().out
    (elsewhere / "away" / "mine" / "run.json").write_text("[]")
    assert "Start here" in run().out


def test_the_start_screen_loads_nothing_heavy():
    script = "import sys; from buildsearch.cli import main; main.exit_code_of([]); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    for heavy in ("numpy", "numba", "pyarrow", "pydantic", "rich"):
        assert f"'{heavy}'" not in done.stdout

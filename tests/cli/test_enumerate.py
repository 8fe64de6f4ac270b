from __future__ import annotations

import csv
import io
import json
from types import SimpleNamespace

import pyarrow.csv
import pyarrow.parquet
import pytest

from buildsearch.cli import progress

COLUMNS = ["build", "type", "effect", "cost", "unspent", "enhancements"]


def counted(run, *arguments):
    ended = run("enumerate", *arguments, "--count", "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_results_go_to_the_current_folder(run, elsewhere):
    ended = run("enumerate", "--budget", 2)
    target = elsewhere / "results" / "builds-vitality-v2-3-focused-2-damage.csv"
    assert "Wrote results/builds-vitality-v2" in ended.out
    assert target.is_file()
    assert len(target.read_text(encoding="utf-8").splitlines()) == 877


@pytest.mark.parametrize("effect", ["damage", "condition"])
def test_csv_and_parquet_hold_the_same(effect, run, elsewhere):
    tables = {}
    for ending, read in (("csv", pyarrow.csv.read_csv), ("parquet", pyarrow.parquet.read_table)):
        ended = run("enumerate", "--budget", 2, "--effect", effect, "--out", f"x.{ending}", "--json")
        answer = json.loads(ended.out)
        assert answer["file"] == f"x.{ending}"
        table = tables[ending] = read(elsewhere / f"x.{ending}")
        assert table.num_rows == answer["total"]
        assert table.column_names == COLUMNS
    assert tables["csv"].to_pydict() == tables["parquet"].to_pydict()
    assert set(tables["csv"]["effect"].to_pylist()) == {effect}
    assert sorted(path.name for path in elsewhere.iterdir()) == ["x.csv", "x.parquet"]


def test_standard_output(run, elsewhere):
    ended = run("enumerate", "--budget", 2, "--out", "-")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert len(rows) == 876
    assert list(rows[0]) == COLUMNS
    assert list(elsewhere.iterdir()) == []


def test_a_folder_may_be_named(run, elsewhere):
    (elsewhere / "old.results").mkdir()
    for folder in ("fresh/deep", "old.results"):
        assert run("enumerate", "--budget", 1, "--out", folder).code == 0
        assert len(list((elsewhere / folder).iterdir())) == 1


@pytest.mark.parametrize("out", ["file/x.csv", "file/deeper", "folder.csv/../file/x.parquet"])
def test_an_unwritable_place(out, run, elsewhere):
    (elsewhere / "file").write_text("x")
    (elsewhere / "folder.csv").mkdir()
    ended = run("enumerate", "--budget", 2, "--out", out)
    assert (ended.code, ended.out) == (2, "")
    assert "cannot write" in ended.err
    assert sorted(path.name for path in elsewhere.iterdir()) == ["file", "folder.csv"]


def test_nothing_fits(run, elsewhere):
    assert counted(run, "--budget", 2, "--with", "bleed")["total"] == 0
    ended = run("enumerate", "--budget", 2, "--with", "bleed", "--out", "x.csv")
    assert ended.code == 2
    assert "no build fits" in ended.err
    assert list(elsewhere.iterdir()) == []


def test_filters(run, elsewhere):
    answer = counted(run, "--budget", 4, "--type", "ranged", "--type", "area", "--with", "bloodied")
    assert list(answer["by_type"]) == ["ranged", "area"]
    without = counted(run, "--budget", 4, "--type", "ranged", "--type", "area", "--without", "bloodied")
    both = counted(run, "--budget", 4, "--type", "ranged", "--type", "area")
    assert answer["total"] + without["total"] == both["total"]


def test_parameters_and_shorthands_are_the_same(run, elsewhere):
    long = ["-p", "tier=4", "-p", "archetype=versatile_master", "-p", "effect=condition"]
    short = ["--tier", "4", "--archetype", "versatile_master", "--effect", "condition"]
    assert counted(run, *long) == counted(run, *short, "-p", "tier=4")
    assert counted(run, *long)["budget"] == 4


def test_a_shorthand_that_the_system_lacks(run, elsewhere, monkeypatch):
    from buildsearch.systems.vitality.system import VitalitySystem

    parameters = tuple(p for p in VitalitySystem.parameters if p.name != "archetype")
    monkeypatch.setattr(VitalitySystem, "parameters", parameters)
    ended = run("enumerate", "--archetype", "focused", "--count")
    assert ended.code == 2
    assert "Vitality has no parameter `archetype`." in ended.err


def test_interrupted_writing_leaves_nothing(run, elsewhere, monkeypatch):
    from buildsearch.systems.vitality.builds.space import VitalitySpace

    def interrupted(_space, _chunk):
        raise KeyboardInterrupt

    monkeypatch.setattr(VitalitySpace, "table", interrupted)
    assert run("enumerate", "--budget", 2, "--out", "x.csv").code == 130
    assert list(elsewhere.iterdir()) == []


def test_progress_is_shown_on_a_terminal_only(monkeypatch, capsys):
    with progress.progress_bar("builds", 10, quiet=False) as advance:
        advance(10)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress_bar("builds", 10, quiet=False) as advance:
        advance(4)
    run = SimpleNamespace(stage="solving", share=0.25, left=150.0)
    with progress.run_bar(run, list, quiet=False):
        pass
    shown = capsys.readouterr()
    assert "25%" in shown.err
    assert "solving (2 minutes left)" in shown.err
    assert "builds" in shown.err
    assert shown.out == ""

"""A run is whole, or it is refused: mixed, edited, half written and damaged folders."""

from __future__ import annotations

import csv
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numba
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from buildsearch import BuildsearchWarning, open_run
from buildsearch.cli.main import exit_code_of
from buildsearch.files import atomic
from buildsearch.library.report import _board
from buildsearch.library.runs import load_run
from buildsearch.library.watch import Watch
from buildsearch.model.errors import UsageError
from tests.faults import FaultyDisk

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

ASKED = ("optimize", "--type", "direct_damage", "--budget", "1", "--top", "3", "--scenario", "boss", "-q")
EXPLAIN = ("explain", "direct_damage", "--fights", "3", "--run")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two runs of the same builds: of two tiers."""
    place = tmp_path_factory.mktemp("runs")
    for name, more in (("one", ()), ("two", ("--tier", "4"))):
        assert exit_code_of([*ASKED, *more, "--out", str(place / name), "--cache", str(place / "cache")]) == 0
    return place


@pytest.fixture
def runs(made, elsewhere):
    for name in ("one", "two"):
        shutil.copytree(made / name, elsewhere / name)
    return elsewhere


def test_run_json_vouches_for_the_other_files(runs):
    about = json.loads((runs / "one" / "run.json").read_text())
    assert set(about["files"]) == {"leaderboard.csv", "leaderboard.parquet", "scores.parquet"}
    assert load_run("one").record.said() == about


def test_a_mixed_run_is_refused_and_can_be_trusted(run, runs):
    shutil.copy(runs / "two" / "scores.parquet", runs / "one")
    for command in (("explain", "direct_damage", "--run", "one"), ("analyze", "one"), ("report", "one")):
        ended = run(*command)
        assert ended.code == 2
        assert "one is not whole: scores.parquet is of another run, or was changed. Run optimize" in ended.err
        assert "--ignore-checksums" in ended.err
    ended = run(*EXPLAIN, "one", "--ignore-checksums", "--json")
    assert ended.code == 0
    assert "warning: one is not whole" in ended.err


def test_an_edited_run_json_is_refused(run, runs):
    text = (runs / "one" / "run.json").read_text()
    (runs / "one" / "run.json").write_text(text.replace('"incomplete": false', '"incomplete": true'))
    ended = run(*EXPLAIN, "one")
    assert ended.code == 2
    assert "run.json was changed" in ended.err


def test_a_run_json_in_another_layout_is_the_same(run, runs):
    about = json.loads((runs / "one" / "run.json").read_text())
    (runs / "one" / "run.json").write_text(json.dumps(about, sort_keys=True))
    assert run(*EXPLAIN, "one").code == 0


def test_a_run_without_checksums_is_refused(run, runs):
    about = json.loads((runs / "one" / "run.json").read_text())
    del about["files"]
    (runs / "one" / "run.json").write_text(json.dumps(about))
    ended = run(*EXPLAIN, "one")
    assert ended.code == 2
    assert "one has no checksums. Run optimize again, or add --ignore-checksums" in ended.err
    assert run(*EXPLAIN, "one", "--ignore-checksums").code == 0


@pytest.mark.parametrize(("format_", "age"), [(None, "an older"), (1, "an older"), (99, "a newer")])
def test_a_run_of_another_format_is_refused_even_if_it_is_trusted(run, runs, format_, age):
    about = json.loads((runs / "one" / "run.json").read_text())
    del about["format"]
    (runs / "one" / "run.json").write_text(json.dumps(about | ({"format": format_} if format_ else {})))
    ended = run(*EXPLAIN, "one", "--ignore-checksums")
    assert ended.code == 2
    assert f"one was written by {age} buildsearch (format {format_ or 1}; this one reads 3). Run" in ended.err


def test_a_table_that_was_saved_again_is_a_warning(run, runs, quick_reports):
    board = runs / "one" / "leaderboard.csv"
    with board.open(newline="") as file:
        rows = list(csv.reader(file))
    with board.open("w", newline="") as file:
        csv.writer(file, delimiter=",", quoting=csv.QUOTE_ALL).writerows(rows)
    ended = run("report", "one")
    assert ended.code == 0
    assert "warning: one/leaderboard.csv is not as the run wrote it" in ended.err


def test_a_table_that_is_no_table_is_left_out_of_a_report(runs):
    said = []
    watch = Watch(warn=said.append)
    assert len(_board(runs / "one", watch)) == 3
    (runs / "one" / "leaderboard.parquet").write_bytes(b"\xff\xfe\x00rubbish")
    assert _board(runs / "one", watch) == {}
    assert "leaderboard.parquet is left out" in said[0]


def _replaced(make):
    def damage(path):
        path.unlink()
        make(path)

    return damage


def _large(path):
    with path.open("r+b") as file:
        file.truncate(5_000_000)


DAMAGES = {
    "folder": _replaced(Path.mkdir),
    "empty": lambda path: path.write_bytes(b""),
    "deep": lambda path: path.write_text("[" * 100_000),
    "deep object": lambda path: path.write_text('{"command": ' + '{"a":' * 500 + "1" + "}" * 501),
    "large": _large,
    "latin": lambda path: path.write_bytes(b'{"a": "\xe9"}'),
    "list": lambda path: path.write_text("[1, 2]"),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-40]),
}
OF_POSIX = {"pipe": _replaced(os.mkfifo), "device": _replaced(lambda path: path.symlink_to("/dev/zero"))}


@pytest.mark.parametrize("name", ["run.json", "scores.parquet"])
@pytest.mark.parametrize(
    "damage", [*DAMAGES, *(pytest.param(each, marks=pytest.mark.posix) for each in OF_POSIX)]
)
@pytest.mark.parametrize("ignore_checksums", [(), ("--ignore-checksums",)])
def test_what_is_no_run_is_told_in_a_sentence(run, runs, name, damage, ignore_checksums):
    if name == "run.json" and ignore_checksums:
        return  # the same: what says how to read the rest cannot be trusted to
    (DAMAGES | OF_POSIX)[damage](runs / "one" / name)
    ended = run(*EXPLAIN, "one", *ignore_checksums)
    assert ended.code == 2, ended.err
    assert "optimize" in ended.err


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("request", None),
        ("request", {"rules": 7}),
        ("request", {"rules": "vitality-v2", "overrides": "bleed.cost=2"}),
        ("request", {"rules": "vitality-v2", "overrules": []}),
        ("rules", {"hash": 3}),
        ("fights", {"boss": {"weight": "1", "hash": "x"}}),
        ("fights", {"boss": {"weight": float("nan"), "hash": "x"}}),
        ("objectives", [{"name": "mean"}]),
        ("objectives", "mean"),
        ("parameters", []),
        ("seed", "0"),
        ("files", {"scores.parquet": 3}),
    ],
)
def test_values_of_a_wrong_type_are_told_without_being_shown(run, runs, key, value):
    about = json.loads((runs / "one" / "run.json").read_text())
    (runs / "one" / "run.json").write_text(json.dumps(about | {key: value}))
    ended = run(*EXPLAIN, "one", "--ignore-checksums")
    assert ended.code == 2, ended.err
    assert f"look at: {key}" in ended.err


def _with(name, values, kind):
    """Changes a column; `values` makes it of the number of rows."""

    def change(table):
        column = pa.array(values(table.num_rows), kind)
        return table.set_column(table.schema.get_field_index(name), name, column)

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.drop_columns(["code_0"]),
        lambda table: table.slice(0, 1),
        _with("score", lambda rows: ["1.5"] * rows, pa.string()),
        _with("boss_mean_turns", lambda rows: [None] * rows, pa.float64()),
        _with("code_0", lambda rows: [2**63] * rows, pa.uint64()),
        _with("group", lambda rows: ["nobody"] * rows, pa.string()),
    ],
    ids=["dropped", "fewer", "text", "nulls", "other-builds", "other-groups"],
)
def test_even_a_trusted_table_has_its_columns(run, runs, change):
    path = runs / "one" / "scores.parquet"
    pq.write_table(change(pq.read_table(path)), path)
    ended = run(*EXPLAIN, "one", "--ignore-checksums")
    assert ended.code == 2, ended.err
    assert "Run optimize again" in ended.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("leaderboard.parquet", "rank,score\n1,a\n2,b,c\n"),
        ("leaderboard.parquet", ""),
        ("run.json", None),  # without objectives
    ],
)
def test_the_library_refuses_them_in_a_sentence_too(runs, name, text):
    path = runs / "one" / name
    if text is None:
        text = json.dumps(json.loads(path.read_text()) | {"objectives": []})
    path.write_text(text)
    with (
        pytest.warns(BuildsearchWarning, match="Saved again|as `ignore_checksums` says"),
        pytest.raises(UsageError, match="Run optimize again"),
    ):
        open_run("one", ignore_checksums=True).to_pandas()


def test_other_scores_take_reports_of_older_ones_along(run, runs, made):
    (runs / "one" / "notes.txt").write_text("mine")
    (runs / "one" / "report.html").write_text("of tier 3")
    again = (*ASKED, "--out", "one", "--cache", made / "cache")
    assert run(*again).code == 0
    assert (runs / "one" / "report.html").exists()
    assert run(*again, "--tier", "4").code == 0
    assert not (runs / "one" / "report.html").exists()
    assert (runs / "one" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_failed_write_leaves_the_old_run(run, runs, made, monkeypatch, code):
    before = {path.name: path.read_bytes() for path in (runs / "one").iterdir()}
    for step in range(3, 15, 3):  # before these, only whether there is room is tried
        monkeypatch.setattr(atomic, "DISK", FaultyDisk(step, code))
        ended = run(*ASKED, "--tier", "4", "--out", "one", "--cache", made / "cache")
        assert ended.code == 2
        assert f"cannot write one: {os.strerror(code)}. What was there is as it was." in ended.err
        assert {path.name: path.read_bytes() for path in (runs / "one").iterdir()} == before


KILLED = """
import os, sys
sys.path.append(sys.argv[1])
from buildsearch.files import atomic
from buildsearch.cli.main import exit_code_of
from tests import faults
for step in sys.argv[2].split(","):
    child = os.fork()
    if not child:
        atomic.DISK = faults.FaultyDisk(int(step), faults.KILL)
        os._exit(exit_code_of(sys.argv[3:]))
    print(os.waitpid(child, 0)[1])
"""


@pytest.mark.posix
@pytest.mark.long
@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ("5,11", (*ASKED, "--tier", "4", "--out", "one")),
        ("5,19", ("analyze", "one", "--no-triggers", "-q")),
        ("1,3", ("check", "--preset", "lenient", "--budget", "1", "--update-baseline", "-q")),
    ],
)
def test_a_kill_while_results_are_written_leaves_what_was_there(runs, made, repository, steps, words):
    words = [*words, "--cache", str(made / "cache")] if words[0] != "analyze" else words
    before = _visible(runs)
    script = [sys.executable, "-c", KILLED, str(repository), steps, *words]
    ended = subprocess.run(script, capture_output=True, text=True, check=False)
    assert ended.stdout.split() == [str(int(signal.SIGKILL))] * len(steps.split(",")), ended.stderr
    assert _visible(runs) == before
    load_run("one")
    assert exit_code_of(list(words)) == 0
    assert _visible(runs) != before


def _visible(folder):
    """What a user sees: not what writes that were killed left, which a later one sweeps away."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path: (folder / path).read_bytes() for path in found if ".part" not in str(path)}


def test_one_flipped_bit_of_a_cache_changes_no_score(run, runs, made):
    shutil.copytree(made / "cache", "cache")
    expected = (runs / "one" / "scores.parquet").read_bytes()
    shards = sorted(Path("cache").rglob("*.scores"))
    for number, shard in enumerate(shards):
        data = bytearray(shard.read_bytes())
        data[(7 * number + 60) % len(data)] ^= 1 << (number % 8)
        shard.write_bytes(data)
    ended = run(*ASKED, "--out", "again", "--cache", "cache")
    assert ended.code == 0
    assert "cached scores are damaged" in ended.err
    assert (runs / "again" / "scores.parquet").read_bytes() == expected


def test_a_name_of_the_last_run_that_is_none(run, runs):
    (runs / "results").mkdir()
    for content in (b"", b"\x1b[2J", b"a" * 5000, b"\xff", b"a\nb"):
        (runs / "results" / "latest").write_bytes(content)
        ended = run("analyze")
        assert ended.code == 2
        assert "\x1b" not in ended.err
    with pytest.raises(UsageError):
        load_run(None)

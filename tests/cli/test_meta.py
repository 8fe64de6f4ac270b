"""`buildsearch meta` from words to files, and the assertions of `check` about it."""

from __future__ import annotations

import csv
import io
import json
import shutil
from contextlib import redirect_stdout

import numba
import pyarrow.parquet as pq
import pytest

from buildsearch.cli.main import exit_code_of
from tests.small_games import FILES

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

NARROW = ("--type", "eva+2", "--without", "resolve", "--scenarios", "mirror.yaml")
SMALL = ("meta", "-r", "armitage-text", *NARROW)
FEW = ("--epsilon", "0.1", "--fights", "300000", "--start", "3", "--no-cache", "--out", "found")


@pytest.fixture(scope="module")
def met(tmp_path_factory):
    """A folder with a game of matchups in `found`, and what was said of it."""
    place = tmp_path_factory.mktemp("met")
    (place / "mirror.yaml").write_text(FILES["mirror.yaml"])
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.chdir(place)
        assert exit_code_of([*SMALL, *FEW, "--json", "--jobs", "1"]) == 0
    return place, json.loads(out.getvalue())


@pytest.fixture
def folder(elsewhere, met):
    shutil.copytree(met[0], elsewhere, dirs_exist_ok=True)
    return elsewhere


def test_the_files_say_the_same(folder, met):
    told, found = dict(met[1]), folder / "found"
    written = {path.name for path in found.iterdir()}
    assert written == {"matrix.csv", "matrix.parquet", "shares.csv", "meta.json", "meta.html"}
    assert told.pop("folder") == "found"
    assert told == json.loads((found / "meta.json").read_text())
    assert sum(each["share"] for each in told["pool"]) == pytest.approx(1)
    assert told["exploitability"]["whole_space"]
    with (found / "matrix.csv").open() as file:
        cells = list(csv.DictReader(file))
    size = len(told["pool"])
    assert len(cells) == size * size == pq.read_table(found / "matrix.parquet").num_rows
    wins = {(cell["build"], cell["against"]): float(cell["wins"]) for cell in cells}
    for (first, second), chance in wins.items():
        assert chance + wins[second, first] == pytest.approx(1)
        assert first != second or chance == 0.5
    assert {cell["method"] for cell in cells} <= {"sampled", "exact", "mirror"}
    assert all(float(cell["error"]) > 0 for cell in cells if cell["method"] == "sampled")
    with (found / "shares.csv").open() as file:
        assert [row["build"] for row in csv.DictReader(file)] == [each["build"] for each in told["pool"]]
    page = (found / "meta.html").read_text()
    assert "Content-Security-Policy" in page
    assert told["pool"][0]["build"] in page


def test_the_same_seed_gives_the_same_on_any_number_of_threads(run, folder, met):
    told = json.loads(run(*SMALL, *FEW, "--json", "--jobs", "2").out)
    assert told | {"seconds": 0} == met[1] | {"seconds": 0}


def test_it_starts_from_a_run(run, folder):
    few = ("--initial-fights", "16", "--ranking-fights", "0", "--no-cache", "-q")
    made = run("optimize", "-r", "armitage-text", *NARROW, *few)
    assert made.code == 0, made.err
    ended = run(*SMALL, *FEW, "--from-run", "latest", "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["request"]["from_run"] == "latest"


def test_fights_that_do_not_suffice_are_told(run, folder):
    few = ("--epsilon", "0.001", "--fights", "20000", "--start", "2", "--no-cache", "--out", "found")
    ended = run(*SMALL, *few)
    assert ended.code == 0, ended.err
    assert "add fights" in " ".join(ended.out.split())
    assert ended.out.startswith("So far: ")


def test_a_large_space_is_searched_and_the_answer_says_so(run, folder):
    large = ("-r", "armitage", "-p", "status_cards=on", "--type", "eva+2", "--scenarios", "mirror.yaml")
    few = ("--epsilon", "0.2", "--fights", "60000", "--start", "2", "--trials", "65", "--no-cache")
    ended = run("meta", *large, *few)
    assert ended.code == 0, ended.err
    assert "builds were tried)" in " ".join(ended.out.split())


def test_ctrl_c_writes_what_was_found_beside_what_is_whole(run, folder, monkeypatch):
    whole = (folder / "found" / "meta.json").read_bytes()

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("buildsearch.meta.double_oracle._Oracle._find_counters", stop)
    ended = run(*SMALL, *FEW)
    assert ended.code == 130
    assert "Incomplete: stopped before every build was answered" in ended.out
    assert "interrupted. found-interrupted has what was found so far" in ended.err
    assert (folder / "found" / "meta.json").read_bytes() == whole
    assert json.loads((folder / "found-interrupted" / "meta.json").read_text())["incomplete"]


def test_two_builds_play_alike(run, folder):
    ended = run(*SMALL, *FEW, "--play", "greedy,lookahead")
    assert ended.code == 2
    assert "play alike" in ended.err


CONFIG = """
rules = "armitage-text"
scenarios = "mirror.yaml"
fights = 300_000

[assertions.counters]
kind = "no-counter"

[assertions.variety]
kind = "few-builds-worth-playing"
min_builds = 3

[assertions.share]
kind = "large-share"
max_share = 0.5
"""


def test_check_asserts_it(run, folder):
    (folder / "buildsearch.toml").write_text(CONFIG)
    ended = run("check", "--set", "points=1", "--set", "deck.size=6", "--cache", "cache", "--json")
    assert ended.code == 1, (ended.out, ended.err)
    told = json.loads(ended.out)
    words = {each["check"]: each["text"] for each in told["findings"]}
    assert set(words) == {"counters", "variety", "share"}
    assert "has no counter: no build wins more than" in words["counters"]
    assert "worth playing (from 1.0 to 30.0), not 3" in words["variety"]


def test_check_says_where_builds_cannot_meet(run, folder):
    (folder / "buildsearch.toml").write_text('[assertions.counters]\nkind = "no-counter"\n')
    ended = run("check", "-r", "vitality-v1", "--budget", "0", "--no-cache")
    assert ended.code == 2
    assert "assertion `counters`: `meta` plays builds against each other" in ended.err

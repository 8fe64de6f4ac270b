"""`buildsearch optimize` for characters that take several attacks."""

import csv
import json
from pathlib import Path

import numba
import pytest

LOADOUTS = ("--archetype", "dual_natured", "--tier", "4", "--budget", "2")
SMALL = (*LOADOUTS, "--type", "direct_damage", "--scenario", "boss", "--without", "near_death")


def read(folder, name):
    with (Path(folder) / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
def test_loadouts_are_ranked_with_what_their_parts_do(run, elsewhere):
    ended = run("optimize", *SMALL, "--top", "10", "--json")
    assert ended.code == 0, ended.err
    about = json.loads(ended.out)
    rows, usage = read(about["folder"], "loadouts.csv"), read(about["folder"], "usage.csv")
    assert len(rows) == 10
    assert rows[0]["status"] == "optimal"
    scores = [float(row["score"]) for row in rows]
    assert scores == pytest.approx(sorted(scores), abs=1e-9)
    for row in rows:
        assert " | " in row["loadout"]
        assert float(row["synergy_boss"]) >= -1e-9
        assert float(row["contribution_1_boss"]) >= -1e-9
        assert float(row["score"]) >= about["floor"] - 1e-9
        shares = [float(each["share"]) for each in usage if each["rank"] == row["rank"]]
        assert sum(shares) == pytest.approx(1.0)
    scored = json.loads(
        run("score", rows[0]["loadout"], *LOADOUTS, "--scenario", "boss", "--play", "optimal", "--json").out
    )
    assert scored["builds"][0]["score"] == pytest.approx(float(rows[0]["boss"]), abs=1e-9)


def test_a_dry_run_says_the_size(run, elsewhere):
    said = json.loads(run("optimize", *LOADOUTS, "--dry-run", "--json").out)
    assert said["builds"] == 876
    assert said["loadouts"] == 876 * 877 // 2
    assert "loadouts of 2" in run("optimize", *LOADOUTS, "--dry-run").out
    assert not (elsewhere / "results").exists()


def test_too_much_memory_is_refused(run, elsewhere):
    ended = run("optimize", *LOADOUTS, "--max-memory", "0.01")
    assert ended.code == 2
    assert "--max-memory" in ended.err

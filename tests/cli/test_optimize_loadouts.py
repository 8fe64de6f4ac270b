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
@pytest.mark.long
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
        assert float(row["score"]) >= about["lower_bound"] - 1e-9
        shares = [float(each["share"]) for each in usage if each["rank"] == row["rank"]]
        assert sum(shares) == pytest.approx(1.0)
    scored = json.loads(
        run("score", rows[0]["loadout"], *LOADOUTS, "--scenario", "boss", "--play", "optimal", "--json").out
    )
    assert scored["builds"][0]["score"] == pytest.approx(float(rows[0]["boss_mean_turns"]), abs=1e-9)


AREAS = (*LOADOUTS, "--type", "area", "--type", "direct_damage", "--scenario", "mixed", "--scenario", "boss")
FEW = ("--candidates", "8", "--top", "6", "--ranking-fights", "300000", "--seed", "5")


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@pytest.mark.long
def test_attacks_that_must_fight_are_ranked_beside_the_others(run, elsewhere):
    ended = [run("optimize", *AREAS, *FEW, "--jobs", jobs, "--out", f"run{jobs}") for jobs in "12"]
    assert [each.code for each in ended] == [0, 0], ended[0].err
    assert "Sampled attacks were tried beside the best: " in ended[0].out
    files = [
        (Path(f"run{jobs}") / name).read_bytes() for name in ("loadouts.csv", "usage.csv") for jobs in "12"
    ]
    assert (files[0], files[2]) == (files[1], files[3])
    rows = read("run1", "loadouts.csv")
    about = json.loads((Path("run1") / "run.json").read_text(encoding="utf-8"))
    assert 0 < about["race"]["fights"] <= 300_000
    fought = [row for row in rows if row["mixed_method"] == "lookahead"]
    assert fought
    for row in fought:
        assert (row["status"], row["boss_method"], row["boss_fights"]) == ("best found", "exact", "")
        assert float(row["score_low"]) <= float(row["score"]) <= float(row["score_high"])
        assert int(row["rank_low"]) <= int(row["rank_high"])
    first = fought[0]
    asked = ("--play", "optimal", "--fights", first["mixed_fights"], "--seed", "5", "--json")
    ended = run("score", first["loadout"], *LOADOUTS, "--scenario", "mixed", "--scenario", "boss", *asked)
    found = json.loads(ended.out)["builds"][0]["scenarios"]
    assert found["mixed"]["mean_turns"] == float(first["mixed_mean_turns"])
    assert found["mixed"]["method"] == first["mixed_method"] == "lookahead"
    assert found["boss"]["mean_turns"] == pytest.approx(float(first["boss_mean_turns"]), abs=1e-9)


def test_a_dry_run_says_the_size(run, elsewhere):
    said = json.loads(run("optimize", *LOADOUTS, "--dry-run", "--json").out)
    assert said["builds"] == 876
    assert said["loadouts"] == 876 * 877 // 2
    assert "loadouts of 2" in run("optimize", *LOADOUTS, "--dry-run").out
    assert not (elsewhere / "results").exists()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@pytest.mark.long
def test_another_question_goes_into_another_folder(run, elsewhere):
    for more in ((), ("--set", "barrage.cost=2")):
        ended = run("optimize", *SMALL, "--top", "2", *more, "-q")
        assert ended.code == 0, ended.err
    assert len(list((elsewhere / "results").glob("*loadouts*/run.json"))) == 2

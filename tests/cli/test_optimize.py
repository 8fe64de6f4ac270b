"""`buildsearch optimize` as a user meets it."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pyarrow.parquet as pq
import pytest

from buildsearch.model.evaluation import TIE
from buildsearch.report.run_files import board_rows

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
# Some hundred builds, without Ricochet, which alone takes longer to solve than all the others.
# Few rows: whoever is listed is described in full, which takes longer than ranking everybody.
SPACE = ("--type", "melee_dg", "--budget", "2", "--without", "ricochet")
SMALL = (*SPACE, "--top", "5", "--initial-fights", "32", "--ranking-fights", "200000")


def optimized(run, *arguments):
    ended = run("optimize", *arguments, "--json")
    assert ended.code == 0, ended.err
    about = json.loads(ended.out)
    return about, board_rows(Path(about["folder"]))


@needs_jit
@pytest.mark.long
def test_every_build_is_scored_and_the_best_come_first(run, elsewhere):
    about, rows = optimized(run, *SMALL, "--top", "15")
    table = pq.read_table(f"{about['folder']}/scores.parquet")
    count = json.loads(run("enumerate", *SPACE, "--count", "--json").out)
    assert table.num_rows == count["total"] == about["builds"] == about["scored"]
    scores = np.sort(table["score"].to_numpy())
    assert [float(row["score"]) for row in rows] == pytest.approx(scores[:15].tolist())
    assert [int(row["rank"]) for row in rows] == list(range(1, 16))
    assert about["by_method"]["exact"] + about["by_method"]["sampled"] == 4 * about["builds"]
    assert (elsewhere / "results" / "latest").read_text(encoding="utf-8").strip() in about["folder"]


@needs_jit
def test_a_row_is_reproduced_by_its_command(run, elsewhere):
    _, rows = optimized(run, *SMALL, "--top", "5", "--tier", "4", "--scenario", "boss", "--scenario", "swarm")
    for row in rows:
        words = row["command"].split()
        assert words[:2] == ["buildsearch", "score"]
        (found,) = json.loads(run(*words[1:], "--json").out)["builds"]
        assert found["score"] == pytest.approx(float(row["score"]), abs=TIE)
        for name in ("boss", "swarm"):
            assert found["scenarios"][name]["mean_turns"] == pytest.approx(
                float(row[f"{name}_mean_turns"]), abs=TIE
            )
            assert found["scenarios"][name]["survival"] == pytest.approx(float(row[f"{name}_survival"]))
            assert found["scenarios"][name]["method"] == row[f"{name}_method"]


@needs_jit
def test_filters_and_locks(run, elsewhere):
    about, rows = optimized(
        run, *SMALL[2:], "--complete", "melee_dg+barrage", "--without", "reliable_accuracy"
    )
    assert all("barrage" in row["build"] and "reliable_accuracy" not in row["build"] for row in rows)
    count = (*SPACE, "--with", "barrage", "--without", "reliable_accuracy")
    assert about["builds"] == json.loads(run("enumerate", *count, "--count", "--json").out)["total"]


@needs_jit
def test_costs_do_not_touch_what_is_kept_and_numbers_only_what_has_them(run, nothing_kept):
    # Without a race: how long builds race depends on who else is there.
    quick = (*SMALL[:-1], "0")
    first, _ = optimized(run, *quick)
    dearer, _ = optimized(run, *quick, "--set", "barrage.cost=2")
    stronger, _ = optimized(run, *quick, "--set", "barrage.mechanics.strikes=4")
    with_barrage = json.loads(run("enumerate", *SPACE, "--with", "barrage", "--count", "--json").out)["total"]
    assert first["cache"]["misses"] > 4 * with_barrage
    assert dearer["cache"]["misses"] == 0
    # Each of them is asked for in four scenarios, and once more where it is sampled.
    assert 4 * with_barrage <= stronger["cache"]["misses"] <= 8 * with_barrage


@needs_jit
def test_objectives_and_fronts(run, elsewhere):
    _, rows = optimized(run, *SMALL, "--objective", "damage_per_turn", "--top", "5")
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    about, rows = optimized(run, *SMALL, "--objective", "mean", "--objective", "worst")
    assert [each["name"] for each in about["objectives"]] == ["mean", "worst"]
    means = [float(row["objective_mean"]) for row in rows]
    worst = [float(row["objective_worst"]) for row in rows]
    assert means == sorted(means)
    assert worst == sorted(worst, reverse=True)


@needs_jit
def test_a_sweep_is_shown_and_written(run, elsewhere):
    ended = run("optimize", *SMALL, "--sweep-stats", "--scenario", "boss")
    assert ended.code == 0
    assert "The score ignores the attacker's death." in ended.out.splitlines()
    assert re.search(r"^attacker focus=3 +18 of 20 +melee_dg\+barrage\+charges_1$", ended.out, re.MULTILINE)
    assert "stays first under" in ended.out
    folder = next((elsewhere / "results").glob("vitality*"))
    assert {path.name for path in folder.iterdir()} >= {"sweep.csv", "readings.csv"}


@needs_jit
def test_a_loss_of_the_attacker_leaves_nothing_out(run, elsewhere):
    few = (*SMALL, "--ranking-fights", "0", "--scenario", "boss")
    ended = run("optimize", *few, "--ruling", "attacker_defeat=loss")
    assert ended.code == 0, ended.err
    assert "survival" not in ended.out.lower()
    assert "ignores" not in ended.out


@needs_jit
def test_leaderboard_csv_is_for_people_and_the_parquet_for_programs(run, elsewhere):
    about, rows = optimized(run, *SMALL, "--scenario", "boss", "--scenario", "swarm")
    with (Path(about["folder"]) / "leaderboard.csv").open(encoding="utf-8") as file:
        people = list(csv.DictReader(file))
    ends = ["boss_mean_turns", "swarm_mean_turns", "boss_survival", "swarm_survival"]
    first = ["rank", "score", "range", "build", "type", "cost", "note", "saves_turns"]
    assert list(people[0]) == [*first, *ends, "method"]
    assert people[0]["note"] == "best melee_dg" or about["best_of_types"] == []
    for person, row in zip(people, rows, strict=True):
        assert person["score"] == f"{row['score']:.6g}"
        assert max(len(cell) for name, cell in person.items() if name in ends) <= 8
        of = f"variant of {row['variant_of']}"
        assert (of in person["note"]) == (row["variant_of"] is not None)
        best = max(row["saves_turns"], key=row["saves_turns"].get)
        assert person["saves_turns"].startswith(f"{best} ")
    names = {"rank_low", "rank_high", "tie_group", "unspent", "is_best_of_type", "flags", "command"}
    assert names <= set(rows[0])
    assert {"boss_damage_per_turn", "boss_timeout_share", "boss_stdev", "boss_fights"} <= set(rows[0])


@needs_jit
def test_names_of_folders_are_told_as_they_are(run, elsewhere):
    tiny = ("--type", "direct_damage", "--budget", "0", "--top", "1", "--scenario", "boss")
    assert "Wrote results/[red]x in " in run("optimize", *tiny, "--out", "results/[red]x").out
    analysed = run("analyze", "--no-triggers").out
    assert "results/[red]x/analysis" in analysed
    assert "Wrote [b]/x.csv." in run("enumerate", *tiny[:4], "--out", "[b]/x.csv").out


@needs_jit
def test_a_scenario_may_be_called_like_a_code(run, elsewhere):
    head = "kind: scenarios\nsystem: vitality\nid: odd\nname: Odd\nenemies: {m: {hp: 10}}\nscenarios:\n"
    (elsewhere / "odd.yaml").write_text(head + "  code_red: {name: X, enemies: [m]}\n", encoding="utf-8")
    tiny = ("--type", "direct_damage", "--budget", "1", "--top", "1", "-q")
    assert run("optimize", *tiny, "--scenarios", "odd.yaml").code == 0
    analysed = run("analyze", "--no-triggers")
    assert analysed.code == 0, analysed.err


def test_a_dry_run_says_how_big_it_is_compiles_nothing_and_writes_nothing(run, elsewhere, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_CACHE", "cache")
    monkeypatch.setattr("buildsearch.systems.vitality.bulk.VitalityBulk.solver", None)
    ended = run("optimize", *SMALL, "--dry-run")
    assert ended.code == 0
    assert ended.out.startswith("234 builds in 4 scenarios. How long it takes is not known on this machine")
    told = json.loads(run("optimize", *SMALL, "--dry-run", "--json").out)
    assert (told["builds"], told["scenarios"], told["seconds"]) == (234, 4, None)
    assert told["bytes"] > 0
    assert not (elsewhere / "results").exists()


@needs_jit
def test_a_finished_run_keeps_what_its_work_takes(run, elsewhere, monkeypatch):
    """What the cache has takes no time, and says nothing of others."""
    monkeypatch.setenv("BUILDSEARCH_CACHE", "cache")
    small = (*SMALL, "--top", "1", "--ranking-fights", "0")
    ended = run("optimize", *small, "--max-minutes", "60")
    assert "--max-minutes cannot be checked" in ended.err
    times = (elsewhere / "cache" / "times.json").read_text(encoding="utf-8")
    again = run("optimize", *small, "--max-minutes", "60")
    assert re.fullmatch(r"234 builds in 4 scenarios. About \d+ s.\n", again.err)
    assert (elsewhere / "cache" / "times.json").read_text(encoding="utf-8") == times
    other = (
        *("--type", "melee_dg", "--budget", "2", "--top", "1", "--initial-fights", "32"),
        *("--ranking-fights", "0"),
    )
    sizes = [
        json.loads(run("optimize", *each, "--dry-run", "--json").out)["seconds"] for each in (small, other)
    ]
    assert 0 < sizes[0] < sizes[1]


@needs_jit
def test_what_fights_say_is_shown_with_its_bounds(run, elsewhere):
    # Whoever aims elsewhere than at the first is sampled against several; areas are solved, one at a time.
    tiny = (
        *("--budget", "1", "--initial-fights", "512", "--ranking-fights", "0", "--top", "1"),
        *("--scenario", "swarm"),
    )
    tiny = (*tiny, "--ruling", "target=lowest_hp", "--type", "melee_dg", "--type", "direct_damage")
    ended = run("optimize", *tiny, "--seed", "7")
    assert re.search(r"^      range \d\.\d\d to \d+\.\d+$", ended.out, re.MULTILINE)
    assert "Ranges of sampled scores hold for all builds together (95%)." in ended.out


@needs_jit
def test_what_is_too_much_is_refused_with_a_way_out(run, elsewhere):
    ended = run("optimize", *SMALL, "--max-memory", "0.01")
    assert ended.code == 2
    assert "above --max-memory" in ended.err
    assert "-p budget=" in ended.err
    assert "--scenario" in ended.err
    assert run("optimize", *SMALL, "-q").code == 0
    ended = run("optimize", *SMALL, "--max-minutes", "0.000001")
    assert ended.code == 2
    assert "--max-minutes allows" in ended.err


@needs_jit
def test_a_folder_that_cannot_be_written_is_told_before_the_work(run, nothing_kept):
    (nothing_kept / "file").write_text("", encoding="utf-8")
    ended = run("optimize", *SMALL, "--out", "file/run")
    assert ended.code == 2
    assert "cannot write" in ended.err
    assert not list((nothing_kept / "cache").rglob("*.scores"))


@needs_jit
def test_a_full_disk_is_told(run, nothing_kept, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("buildsearch.files.atomic.DISK.write", full)
    ended = run("optimize", *SMALL, "--out", "results/mine")
    assert ended.code == 2
    assert ended.err.count("warning: scores are no longer cached") == 1
    assert "cannot write results/mine: No space left on device. Nothing was written." in ended.err
    assert not list(nothing_kept.rglob("*.part"))
    assert not list(nothing_kept.rglob("*.parquet"))


@needs_jit
@pytest.mark.posix
@pytest.mark.long
def test_a_killed_run_goes_on_and_ends_the_same(run, tmp_path, monkeypatch):
    """kill -9 as soon as some number of files are kept, again and again; then let it end."""
    # Aiming so, builds are sampled against several.
    sampled = ("--ruling", "target=lowest_hp", "--seed", "5", "--quiet", "--jobs", "2")
    arguments = ("optimize", *SMALL, *sampled)

    def go_to(name):
        (tmp_path / name).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / name)
        monkeypatch.setenv("BUILDSEARCH_CACHE", str(tmp_path / name / "cache"))

    go_to("undisturbed")
    assert run(*arguments, "--out", "run").code == 0
    shards = len(list((tmp_path / "undisturbed" / "cache").rglob("*.scores")))
    assert shards > 6
    go_to("killed")
    cuts = sorted(np.random.default_rng(1).choice(np.arange(1, shards - 1), 2, replace=False))
    for cut in cuts:
        process = subprocess.Popen([sys.executable, "-m", "buildsearch", *arguments, "--out", "run"])
        while process.poll() is None:
            if len(list((tmp_path / "killed" / "cache").rglob("*.scores"))) >= cut:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.002)
        assert process.wait() == -signal.SIGKILL
        assert not (tmp_path / "killed" / "run" / "run.json").exists()
    assert run(*arguments, "--out", "run").code == 0
    for name in ("leaderboard.csv", "scores.parquet"):
        expected = (tmp_path / "undisturbed" / "run" / name).read_bytes()
        assert (tmp_path / "killed" / "run" / name).read_bytes() == expected
    places = [tmp_path / name / "run" / "run.json" for name in ("undisturbed", "killed")]
    one, other = (json.loads(path.read_text(encoding="utf-8")) for path in places)
    same = {"seconds": None, "cache": None}
    assert one | same == other | same


def test_the_cache_is_cleared(run, nothing_kept):
    assert json.loads(run("cache", "clear", "--json").out)["files"] == 0


def test_scenarios_keep_their_unit_under_another_objective(run, elsewhere):
    """Turns were shown as percentages where builds were ranked by survival."""
    only = ("--scenario", "boss", "--scenario", "mixed", "--type", "direct_damage")
    few = ("--initial-fights", "64", "--ranking-fights", "0")
    lines = run("optimize", "--budget", "1", "--objective", "survival", *only, *few).out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[:1] == ["rank"])
    assert lines[head].split()[1:4] == ["survival", "boss", "mixed"]
    survival, boss, mixed = lines[head + 1].split()[1:4]
    assert survival.endswith("%")
    assert min(float(boss), float(mixed)) > 1
    first = run("explain", "1").out.splitlines()
    gains = next(line.split() for line in first if line and "%" in line and not line.startswith("Rank"))
    assert gains[1].endswith("%")
    assert "%" not in gains[2] + gains[3]

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


@pytest.fixture
def place(elsewhere):
    return elsewhere


def optimized(run, *arguments):
    ended = run("optimize", *arguments, "--json")
    assert ended.code == 0, ended.err
    about = json.loads(ended.out)
    return about, board_rows(Path(about["folder"]))


@needs_jit
@pytest.mark.long
def test_every_build_is_scored_and_the_best_come_first(run, place):
    about, rows = optimized(run, *SMALL, "--top", "15")
    table = pq.read_table(f"{about['folder']}/scores.parquet")
    count = json.loads(run("enumerate", *SPACE, "--count", "--json").out)
    assert table.num_rows == count["total"] == about["builds"] == about["scored"]
    scores = np.sort(table["score"].to_numpy())
    assert [float(row["score"]) for row in rows] == pytest.approx(scores[:15].tolist())
    assert [int(row["rank"]) for row in rows] == list(range(1, 16))
    assert about["by_method"]["exact"] + about["by_method"]["sampled"] == 4 * about["builds"]
    assert (place / "results" / "latest").read_text(encoding="utf-8").strip() in about["folder"]


@needs_jit
def test_a_row_is_reproduced_by_its_command(run, place):
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
def test_filters_and_locks(run, place):
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
def test_objectives_and_fronts(run, place):
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
def test_the_terminal_shows_the_best_and_where_it_is_written(run, place):
    ended = run("optimize", *SMALL, "--sweep-stats", "--scenario", "boss")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "The best of 234 builds wins in 6.9 turns; the benchmark is 11.8 turns."
    assert lines[2].split() == ["rank", "turns", "survival", "cost"]
    assert lines[3].split()[:2] == ["1", "6.90"]
    assert lines[5].startswith("      saves turns: unreliable_3 19.0, ")
    assert "The score ignores the attacker's death." in lines
    assert "All 5 ranks are settled." in ended.out
    assert "Next     buildsearch analyze   why this is too small to judge" in lines
    assert re.search(r"^Wrote results/\S+ in \d+ s \(now `latest`\)\.$", ended.out, re.MULTILINE)
    assert re.search(r"^attacker focus=3 +18 of 20 +melee_dg\+barrage\+charges_1$", ended.out, re.MULTILINE)
    folder = next((place / "results").glob("vitality*"))
    assert (folder / "sweep.csv").exists()
    assert (folder / "readings.csv").exists()
    assert "stays first under" in ended.out


@needs_jit
def test_a_loss_of_the_attacker_leaves_nothing_out(run, place):
    ended = run("optimize", *SMALL, "--scenario", "boss", "--ruling", "attacker_defeat=loss")
    assert ended.code == 0, ended.err
    assert "survival" not in ended.out.lower()
    assert "ignores" not in ended.out


@needs_jit
def test_leaderboard_csv_is_for_people_and_the_parquet_for_programs(run, place):
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
def test_names_of_folders_are_told_as_they_are(run, place):
    tiny = ("--type", "direct_damage", "--budget", "0", "--top", "1", "--scenario", "boss")
    assert "Wrote results/[red]x in " in run("optimize", *tiny, "--out", "results/[red]x").out
    analysed = run("analyze", "--no-triggers").out
    assert "results/[red]x/analysis" in analysed
    assert "Wrote [b]/x.csv." in run("enumerate", *tiny[:4], "--out", "[b]/x.csv").out


@needs_jit
def test_a_scenario_may_be_called_like_a_code(run, place):
    head = "kind: scenarios\nsystem: vitality\nid: odd\nname: Odd\nenemies: {m: {hp: 10}}\nscenarios:\n"
    (place / "odd.yaml").write_text(head + "  code_red: {name: X, enemies: [m]}\n", encoding="utf-8")
    tiny = ("--type", "direct_damage", "--budget", "1", "--top", "1", "-q")
    assert run("optimize", *tiny, "--scenarios", "odd.yaml").code == 0
    analysed = run("analyze", "--no-triggers")
    assert analysed.code == 0, analysed.err


def test_a_dry_run_says_how_big_it_is_compiles_nothing_and_writes_nothing(run, place, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_CACHE", "cache")
    monkeypatch.setattr("buildsearch.systems.vitality.bulk.VitalityBulk.solver", None)
    ended = run("optimize", *SMALL, "--dry-run")
    assert ended.code == 0
    assert ended.out.startswith("234 builds in 4 scenarios. How long it takes is not known on this machine")
    told = json.loads(run("optimize", *SMALL, "--dry-run", "--json").out)
    assert (told["builds"], told["scenarios"], told["seconds"]) == (234, 4, None)
    assert told["bytes"] > 0
    assert not (place / "results").exists()


@needs_jit
def test_a_finished_run_keeps_what_its_work_takes(run, place, monkeypatch):
    """What the cache has takes no time, and says nothing of others."""
    monkeypatch.setenv("BUILDSEARCH_CACHE", "cache")
    small = (*SMALL, "--top", "1", "--ranking-fights", "0")
    ended = run("optimize", *small, "--max-minutes", "60")
    assert "--max-minutes cannot be checked" in ended.err
    times = (place / "cache" / "times.json").read_text(encoding="utf-8")
    again = run("optimize", *small, "--max-minutes", "60")
    assert re.fullmatch(r"234 builds in 4 scenarios. About \d+ s.\n", again.err)
    assert (place / "cache" / "times.json").read_text(encoding="utf-8") == times
    other = (
        *("--type", "melee_dg", "--budget", "2", "--top", "1", "--initial-fights", "32"),
        *("--ranking-fights", "0"),
    )
    sizes = [
        json.loads(run("optimize", *each, "--dry-run", "--json").out)["seconds"] for each in (small, other)
    ]
    assert 0 < sizes[0] < sizes[1]


@needs_jit
def test_what_fights_say_is_shown_with_its_bounds(run, place):
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
def test_what_is_too_much_is_refused_with_a_way_out(run, place):
    ended = run("optimize", *SMALL, "--max-memory", "0.01")
    assert ended.code == 2
    assert "above --max-memory" in ended.err
    assert "-p budget=" in ended.err
    assert "--scenario" in ended.err
    assert run("optimize", *SMALL, "-q").code == 0
    ended = run("optimize", *SMALL, "--max-minutes", "0.000001")
    assert ended.code == 2
    assert "--max-minutes allows" in ended.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--with", "bleed", "--without", "bleed"), "both required and excluded"),
        (("--with", "blead"), "bleed"),
        (("--type", "melee"), "unknown attack type"),
        (("--complete", "melee_dg+bleed", "--type", "ranged"), "only ranged"),
        (("--complete", "melee_dg+nothing"), "nothing"),
        (("--complete", "melee_dg | ranged"), "--complete melee_dg | ranged: error: 2 attacks"),
        (("--complete", "melee_dg:condition"), "here it could only be melee_dg (under tier 3, "),
        (("--objective", "fun"), "unknown objective"),
        (("--scenario", "bos"), "boss"),
        (("--budget", "0", "--with", "bleed"), "no legal build matches"),
        (("--jobs", "0"), "--jobs"),
        (("--top", "0"), "--top"),
        (("--max-minutes", "-1"), "--max-minutes"),
        (("--stop-after", "5"), "--stop-after is for a guided search. Add --search optuna"),
        (("--race-fights", "5"), "--race-fights is called --ranking-fights now"),
        (("--time", "5"), "--time is called --max-minutes now"),
        (("--among", "latest"), "--among is called --from-run now"),
        (("--max-minutes", "nan"), "--max-minutes"),
        (("--max-memory", "nan"), "--max-memory"),
        (("--candidates", "5"), "--candidates is for loadouts"),
        (("--cache", "here", "--no-cache"), "contradict"),
        (("--budget", "1", "--out", "", "-q"), "--out is empty"),
    ],
)
def test_contradictions_are_told(run, place, arguments, says):
    ended = run("optimize", *arguments)
    assert ended.code == 2
    assert says in ended.err
    assert not (place / "results").exists()


@needs_jit
def test_a_folder_that_cannot_be_written_is_told_before_the_work(run, nothing_kept):
    (nothing_kept / "file").write_text("", encoding="utf-8")
    ended = run("optimize", *SMALL, "--out", "file/run")
    assert ended.code == 2
    assert "cannot write" in ended.err
    assert not list((nothing_kept / "cache").rglob("*.scores"))


def test_an_interrupt_before_the_first_score_leaves_no_run(run, place, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("buildsearch.search.race.solve_all", stop)
    ended = run("optimize", *SMALL, "-q", "--out", "results/mine")
    assert ended.code == 130
    assert ended.err.endswith("buildsearch: Stopped before any build was scored. Nothing was saved.\n")
    assert list(place.rglob("*.parquet")) + list(place.rglob("run.json")) == []
    assert not (place / "results" / "latest").exists()


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
    arguments = (
        "optimize",
        *SMALL,
        *("--ruling", "target=lowest_hp"),  # against several, these are sampled
        "--seed",
        "5",
        "--quiet",
        "--jobs",
        "2",
    )

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
    abouts = [
        json.loads((tmp_path / name / "run" / "run.json").read_text(encoding="utf-8"))
        for name in ("undisturbed", "killed")
    ]
    for about in abouts:
        del about["seconds"], about["cache"]
    assert abouts[0] == abouts[1]


def test_the_deck_game_is_ranked_by_its_own_metric(run, place):
    lines = json.loads(run("enumerate", "-r", "armitage-text", "--count", "--json").out)["by_stats"]
    arguments = ("-r", "armitage-text", "--type", next(iter(lines)), "--scenario", "mirror", "--top", "4")
    few = () if not numba.config.DISABLE_JIT else ("--without", "heal")
    about, rows = optimized(run, *arguments, *few, "--initial-fights", "4", "--ranking-fights", "0")
    assert about["primary"]["name"] == "win_rate"
    assert about["objectives"][0]["higher_is_better"]
    rates = [float(row["mirror_win_rate"]) for row in rows]
    assert rates == sorted(rates, reverse=True)
    assert {"stats", "deck", "mirror_rounds", "mirror_draws"} <= set(rows[0])


def test_the_cache_command(run, nothing_kept):
    assert "0 files" in run("cache", "info").out
    assert json.loads(run("cache", "clear", "--json").out)["files"] == 0
    ended = run("cache", "cleer")
    assert ended.code == 2
    assert "clear" in ended.err


def test_scenarios_keep_their_unit_under_another_objective(run, elsewhere):
    """Turns were shown as percentages where builds were ranked by survival."""
    only = ("--scenario", "boss", "--scenario", "mixed", "--type", "direct_damage")
    lines = run("optimize", "--budget", "1", "--objective", "survival", *only).out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[:1] == ["rank"])
    assert lines[head].split()[1:4] == ["survival", "boss", "mixed"]
    survival, boss, mixed = lines[head + 1].split()[1:4]
    assert survival.endswith("%")
    assert min(float(boss), float(mixed)) > 1
    first = run("explain", "1").out.splitlines()
    gains = next(line.split() for line in first if line and "%" in line and not line.startswith("Rank"))
    assert gains[1].endswith("%")
    assert "%" not in gains[2] + gains[3]

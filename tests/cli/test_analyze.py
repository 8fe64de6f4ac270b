"""`buildsearch analyze` and `explain` as a user meets them, on made-up scores: nothing must be computed."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np
import pytest

from buildsearch.analysis.population import populate
from buildsearch.model.errors import UsageError
from buildsearch.model.request import SearchRequest
from buildsearch.report.run_files import latest_run, remember_run
from buildsearch.report.run_record import FightRecord, Rules, RunRecord
from buildsearch.workflow import runs
from buildsearch.workflow.fight_setup import setup_of
from buildsearch.workflow.search import content_hash, fight_hash
from buildsearch.workflow.watch import BuildsearchWarning
from tests.analysis.tables import PLANTED, made_up

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")


ASKED = SearchRequest(rules=str(PLANTED), parameters={"budget": "3"}, only=("boss", "mixed"))


@pytest.fixture
def finished(monkeypatch, tmp_path):
    """A run over two scenarios of the made-up ruleset."""
    setup = setup_of(ASKED)
    table = made_up(setup.space, groups=("melee_ac", "ranged"), sampled=0.2)
    scores = replace(table, fights=("boss", "mixed"))
    record = RunRecord(request=ASKED, rules=Rules(hash=""))
    found = runs.Run(tmp_path, record, setup, scores)
    monkeypatch.setattr(runs, "load_run", lambda _name, **_: found)
    monkeypatch.setattr(runs, "find_run", lambda _name: tmp_path)
    quick = tmp_path / "quick.toml"
    quick.write_text("[dead]\nfights = 1\nfights_to_be_sure = 1\n")
    return found


def test_the_report_has_findings_and_tables(run, finished):
    ended = run("analyze", "--thresholds", finished.folder / "quick.toml", "--rows", 3)
    assert ended.code == 0, ended.err
    # Budget 3 has too few builds to judge, and that is the first line.
    assert ended.out.startswith(
        "Too small at budget 3 (the rules give 6): half of the options are in at most"
    )
    assert len(ended.out.splitlines()) <= 25
    assert "Next     buildsearch optimize" in ended.out
    full = run("analyze", "--thresholds", finished.folder / "quick.toml", "--rows", 3, "--full").out
    for title in ("Options, by the mean of their 10 best builds", "Health, by group", "Pick rates"):
        assert title in full
    assert "more in options.csv" in full
    with (finished.folder / "analysis" / "pick_rates.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["option"] for row in rows} >= {"aim", "power", "blessing"}
    assert (finished.folder / "analysis" / "triggers.csv").exists()


def test_json_has_everything(run, finished):
    data = json.loads(run("analyze", "--json", "--no-triggers").out)
    assert data["builds"] == len(finished.scores)
    assert {"findings", "pick_rates", "options", "front", "dominated_options"} <= set(data)
    wanted = {"option", "viability", "best", "best_without", "mean_of_best", "cost", "fair_cost", "class"}
    assert all(wanted <= set(option) for option in data["options"])
    assert {option["option"] for option in data["options"]} >= {"aim", "power", "melee_ac"}
    assert data["measures"]["viable_options"].keys() == {"0.9", "0.8", "0.5"}
    assert data["status"] == "too small"
    assert data["headline"]
    assert data["conclusion"]
    assert not data["triggers"]


def test_markdown_is_a_report(run, finished):
    said = run("analyze", "--markdown", "--no-triggers").out
    assert said.startswith("# Analysis of")
    assert "| option | share |" in said
    assert run("analyze", "--quiet", "--no-triggers").out == ""


def test_wrong_thresholds_are_refused(run, finished, tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[verdict]\nmargn = 1\nodds = 0.5\n")
    ended = run("analyze", "--thresholds", wrong)
    assert ended.code == 2
    assert "unknown key `margn`. Did you mean `margin`?" in ended.err
    assert "`odds` must be more than 1, not 0.5" in ended.err
    ended = run("analyze", "--thresholds", "none.toml")
    assert (ended.code, "Errno" in ended.err) == (2, False)


def test_a_build_is_explained(run, finished):
    ended = run("explain", "melee_ac+aim+cruel", "--fights", 5)
    assert ended.code == 0, ended.err
    for words in ("rank ", "What each part adds", "Worst scenario", "Nearest better", "Nearest cheaper"):
        assert words in ended.out
    data = json.loads(run("explain", "melee_ac+aim+cruel", "--fights", 5, "--json").out)
    assert {part["part"] for part in data["parts"]} == {"aim", "cruel"}
    assert set(data["scenarios"]) == {"boss", "mixed"}
    fights = data["scenarios"]["boss"]
    assert fights["best_fight"]["value"] <= fights["median_fight"]["value"] <= fights["worst_fight"]["value"]


def test_sampled_numbers_have_an_interval_and_exact_ones_none(run, finished):
    population = populate(finished.scores, finished.setup.space)
    for row in (np.argmax(finished.scores.error > 0), np.argmax(finished.scores.error == 0)):
        ended = run("explain", population.name(int(row), finished.setup.space), "--fights", 5)
        is_sampled = finished.scores.error[row] > 0
        score = next(line for line in ended.out.splitlines() if line.startswith("costs "))
        assert (" to " in score, "bounds hold for all builds" in ended.out) == (is_sampled, is_sampled)
        assert "rank about" not in ended.out


def test_an_interrupted_run_is_called_so(run, finished):
    assert "It was interrupted" not in run("analyze", "--no-triggers").out
    finished.record.incomplete = True
    assert "It was interrupted" in run("analyze", "--no-triggers").out
    assert "It was interrupted" in run("analyze", "--no-triggers", "--markdown").out
    assert json.loads(run("analyze", "--no-triggers", "--json").out)["incomplete"]
    assert "It was interrupted" in run("explain", "melee_ac+aim", "--fights", 5).out


def test_the_command_that_is_told_shows_the_worst_fight(run, finished):
    data = json.loads(run("explain", "melee_ac+aim", "--fights", 5, "--json").out)
    words = shlex.split(data["worst_fight"])
    assert words[:2] == ["buildsearch", "trace"]
    traced = json.loads(run(*words[1:], "--json").out)
    assert traced["value"] == data["scenarios"][data["worst_scenario"]["scenario"]]["worst_fight"]["value"]


def test_the_worst_fight_can_be_traced(run, finished):
    data = json.loads(run("explain", "melee_ac+aim", "--fights", 5, "--json").out)
    worst = data["scenarios"]["mixed"]["worst_fight"]
    command = (
        "trace",
        "melee_ac+aim",
        "--rules",
        PLANTED,
        "--scenario",
        "mixed",
        "--seed",
        worst["seed"],
        "--json",
    )
    assert json.loads(run(*command).out)["value"] == worst["value"]


def test_a_run_whose_scenarios_have_changed_is_refused(elsewhere, repository):
    text = (repository / "scenarios" / "default.yaml").read_text(encoding="utf-8")
    (elsewhere / "mine.yaml").write_text(text, encoding="utf-8")
    request = SearchRequest(rules="vitality-v2", scenarios="mine.yaml")
    setup = setup_of(request)
    record = RunRecord(
        request=request,
        rules=Rules(hash=content_hash(setup.loaded.model)),
        fights={name: FightRecord(hash=fight_hash(fight)) for name, fight in setup.fights.items()},
    )
    (elsewhere / "run.json").write_text(json.dumps(record.said()), encoding="utf-8")
    with pytest.warns(BuildsearchWarning, match="has no checksums"):
        assert runs.reopen(elsewhere, ignore_checksums=True)[0] == record
    (elsewhere / "mine.yaml").write_text(text.replace("hp: 100", "hp: 60"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"scenarios have changed since .* was made: boss"):
        runs.reopen(elsewhere)


def test_the_last_run_is_the_last_one_wherever_it_went(run, elsewhere):
    (elsewhere / "results").mkdir()
    remember_run(Path("results/one"))
    assert latest_run() == Path("results/one")
    for name in (None, "latest", "results/latest"):
        assert runs.find_run(name) == Path("results/one")
    remember_run(Path("two"))  # not under results, though its name is as short as if it were
    with pytest.raises(UsageError, match="went to"):
        latest_run()
    remember_run(elsewhere / "away" / "two")
    with pytest.raises(UsageError, match=r"went to .*two"):
        latest_run()
    assert not (elsewhere / "away").exists()
    remember_run(Path("results/three"))
    assert latest_run() == Path("results/three")


def test_what_the_run_does_not_have_is_scored_and_placed_or_refused(run, finished):
    ended = run("explain", "melee_dg+aim")
    assert ended.code == 0, ended.err
    assert f"not among the {len(finished.scores):,} builds" in ended.out
    assert "it would have rank" in ended.out
    ended = run("explain", "melee_ac:condition+aim")
    assert ended.code == 2
    assert "melee_ac:condition+aim is not among the builds" in ended.err


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
def test_a_real_run_is_analyzed_and_its_certificates_hold(run, elsewhere, repository):
    scored = run("optimize", "--rules", PLANTED, "--budget", 2, "--scenario", "boss", "-q", "--no-cache")
    assert scored.code == 0, scored.err
    assert run("analyze", "--no-triggers", "-q").code == 0
    folder = elsewhere / "results" / (elsewhere / "results" / "latest").read_text().strip()
    script = repository / "scripts" / "check_dominance"
    checked = subprocess.run([sys.executable, script, folder], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "0 wrong" in checked.stdout


@needs_jit
def test_headroom_lets_lower_prices_be_judged(run, elsewhere):
    words = ("--rules", PLANTED, "--budget", 4, "-q", "--no-cache", "--top", 1)
    assert run("optimize", *words, "--out", "plain").code == 0
    assert run("optimize", *words, "--over-budget", 1, "--out", "roomy").code == 0
    plain, roomy = (
        {
            each["option"]: each
            for each in json.loads(run("analyze", name, "--json", "--no-triggers").out)["options"]
        }
        for name in ("plain", "roomy")
    )
    assert plain["power"]["fair_cost"] is None
    assert "not scored" in plain["power"]["fair_cost_note"]
    assert roomy["power"]["fair_cost"] < roomy["power"]["cost"]
    same = ("viability", "best", "best_without", "mean_of_best")
    assert {name: [each[key] for key in same] for name, each in plain.items()} == {
        name: [each[key] for key in same] for name, each in roomy.items()
    }
    refused = run("optimize", "--rules", "armitage", "--over-budget", 1)
    assert refused.code == 2
    assert "no parameter" in refused.err


@needs_jit
def test_readings_say_where_findings_hold(run, elsewhere):
    words = ("--rules", PLANTED, "--budget", 4, "-q", "--no-cache", "--top", 1, "--scenario", "boss")
    assert run("optimize", *words, "--set", "wide_eye.cost=4").code == 0
    data = json.loads(run("analyze", "--json", "--no-triggers", "--readings").out)
    needed = [each for each in data["findings"] if each["subjects"] == ["blessing"]]
    assert needed
    assert all("other readings" in each["holds"] for each in needed)

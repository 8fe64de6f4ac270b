"""`buildsearch analyze` and `explain` as a user meets them, on made-up scores: nothing must be computed."""

from __future__ import annotations

import csv
import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numba
import pytest

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.balancing.edited_game import open_court
from buildsearch.library import runs
from buildsearch.library.balance import edits_from, open_desk
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.search import content_hash, fight_hash
from buildsearch.library.watch import BuildsearchWarning
from buildsearch.model.errors import UsageError
from buildsearch.options.search import SearchOptions
from buildsearch.report.latest import find_run, latest_run, remember_run
from buildsearch.report.run_record import FightRecord, RulesRecord, RunRecord
from tests.analysis.tables import PLANTED, made_up

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")


ASKED = SearchOptions(rules=str(PLANTED), parameters={"budget": "3"}, only=("boss", "mixed"))


@pytest.fixture
def finished(monkeypatch, tmp_path):
    """A run over two scenarios of the made-up ruleset."""
    setup = setup_of(ASKED)
    table = made_up(setup.space, groups=("melee_ac", "ranged"), sampled=0.2)
    scores = replace(table, fights=("boss", "mixed"))
    record = RunRecord(request=ASKED, rules=RulesRecord(hash=""))
    found = runs.LoadedRun(tmp_path, record, setup, scores)
    monkeypatch.setattr(runs, "load_run", lambda _name, **_: found)
    monkeypatch.setattr(runs, "reopen", lambda _name, **_: (record, setup))
    monkeypatch.setattr("buildsearch.report.latest.find_run", lambda _name: tmp_path)
    quick = tmp_path / "quick.toml"
    quick.write_text("[dead]\nfights = 1\nfights_to_be_sure = 1\n")
    return found


def test_with_full_there_are_tables_in_every_form(run, finished):
    words = ("analyze", "--thresholds", finished.folder / "quick.toml", "--rows", 3, "--full")
    said = run(*words).out
    # Budget 3 has too few builds to judge, and that is the first line.
    assert said.startswith("Too small at budget 3 (the rules give 6): half of the options are in at most")
    for title in ("Options, by the mean of their 10 best builds", "Health, by type", "Pick rates"):
        assert title in said
    assert "more in options.csv" in said
    assert {path.name for path in (finished.folder / "analysis").iterdir()} >= {"options.csv", "triggers.csv"}
    data = json.loads(run("analyze", "--json", "--no-triggers", "--full").out)
    assert (data["builds"], data["status"]) == (len(finished.scores), "too small")
    assert data["exact_share"] == finished.scores.exact_share
    tables = data["tables"]
    assert {"pick_rates", "options", "front", "dominated_options"} <= set(tables)
    assert [*tables["options"][0]] == OPTION_COLUMNS
    assert {option["option"] for option in tables["options"]} >= {"aim", "power", "melee_ac"}
    assert not tables["triggers"]


OPTION_COLUMNS = [
    *("option", "name", "class", "cost", "fair_cost", "mean_of_best", "best", "best_without", "viability"),
    *("saves_turns", "pick_rate_top_100", "pick_rate", "builds", "best_build"),
]


def test_markdown_is_a_report(run, finished):
    said = run("analyze", "--markdown", "--no-triggers").out
    assert said.startswith("# Analysis of")
    assert "| option |" not in said
    assert "| option | cost | fair |" in run("analyze", "--markdown", "--no-triggers", "--full").out
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


def test_an_interrupted_run_is_called_so(run, finished):
    finished.record.incomplete = True
    finished.record.builds = len(finished.scores) + 7
    scored, builds = len(finished.scores), finished.record.builds
    scored = f"Incomplete: the best of {scored:,} scored builds (of {builds:,}) wins in"
    ended = run("analyze", "--no-triggers")
    assert ended.out.startswith(scored)
    assert "The run was interrupted, so the game is not judged" in ended.out
    assert "Next     buildsearch optimize" in ended.out
    assert scored in run("analyze", "--no-triggers", "--markdown").out
    data = json.loads(run("analyze", "--no-triggers", "--json").out)
    assert (data["status"], data["findings"]) == ("incomplete", [])
    assert "The run is incomplete" in run("explain", "melee_ac+aim", "--fights", 5).out


def test_the_command_that_is_told_shows_the_worst_fight(run, finished):
    data = json.loads(run("explain", "melee_ac+aim", "--fights", 5, "--json").out)
    words = shlex.split(data["worst_fight"])
    assert words[:2] == ["buildsearch", "trace"]
    traced = json.loads(run(*words[1:], "--json").out)
    assert traced["value"] == data["scenarios"][data["worst_scenario"]["scenario"]]["worst_fight"]["value"]


def test_a_run_whose_scenarios_have_changed_is_refused(elsewhere, repository):
    text = (repository / "scenarios" / "default.yaml").read_text(encoding="utf-8")
    (elsewhere / "mine.yaml").write_text(text, encoding="utf-8")
    request = SearchOptions(rules="vitality-v2", scenarios="mine.yaml")
    setup = setup_of(request)
    record = RunRecord(
        request=request,
        rules=RulesRecord(hash=content_hash(setup.loaded.model)),
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
        assert find_run(name) == Path("results/one")
    away = elsewhere / "away" / "two"
    away.mkdir(parents=True)
    (away / "run.json").write_text("{}")
    remember_run(away)
    assert latest_run() == away
    assert find_run(None) == away
    remember_run(Path("results/three"))
    assert latest_run() == Path("results/three")


def test_without_results_the_last_run_is_known_too(elsewhere, monkeypatch):
    """Another folder does not know it."""
    away, here = elsewhere / "away", elsewhere / "here"
    for folder in (away, here):
        folder.mkdir()
    (away / "run.json").write_text("{}")
    remember_run(away)
    assert latest_run() == away
    monkeypatch.chdir(here)
    with pytest.raises(UsageError, match="No run in results"):
        latest_run()


def test_a_path_that_somebody_else_wrote_is_not_followed(elsewhere, monkeypatch):
    (elsewhere / "results").mkdir()
    (elsewhere / "away").mkdir()
    (elsewhere / "away" / "run.json").write_text("{}")
    (elsewhere / "results" / "latest").write_text(f"{elsewhere / 'away'}\n")
    with pytest.raises(UsageError, match=r"went to .*away.*Name that folder"):
        latest_run()
    remember_run(elsewhere / "away")
    assert latest_run() == elsewhere / "away"
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    with pytest.raises(UsageError, match="Name that folder"):
        latest_run()


def test_a_run_that_was_copied_here_is_found(elsewhere):
    with pytest.raises(UsageError, match="No run in results"):
        latest_run()
    for name in ("a-1f00beef", "b-1f22cafe"):
        (elsewhere / "results" / name).mkdir(parents=True)
        (elsewhere / "results" / name / "run.json").write_text("{}")
        if name.startswith("a"):
            assert latest_run() == Path("results/a-1f00beef")
    with pytest.raises(UsageError, match=r"several runs in results: a-1f00beef, b-1f22cafe\. Name one"):
        latest_run()
    assert find_run("1f22") == Path("results/b-1f22cafe")
    assert find_run("a-1f00beef") == Path("results/a-1f00beef")
    with pytest.raises(UsageError, match="1f could be a-1f00beef, b-1f22cafe"):
        find_run("1f")


def test_what_the_run_does_not_have_is_scored_and_placed_or_refused(run, finished):
    ended = run("explain", "melee_dg+aim")
    assert ended.code == 0, ended.err
    assert f" of {len(finished.scores):,}: " in ended.out
    assert "does not contain this build" in " ".join(ended.out.split())
    assert ended.out.startswith("It would rank ")
    ended = run("explain", "melee_ac:condition+aim")
    assert ended.code == 2
    assert "melee_ac:condition+aim is not among the builds" in ended.err


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
def test_a_real_run_is_analyzed_and_its_certificates_hold(run, elsewhere, repository):
    scored = run("optimize", "--rules", PLANTED, "--budget", 2, "--scenario", "boss", "-q", "--no-cache")
    assert scored.code == 0, scored.err
    assert run("analyze", "--no-triggers", "--full", "-q").code == 0
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

    def options(name):
        data = json.loads(run("analyze", name, "--json", "--full", "--no-triggers").out)
        return {each["option"]: each for each in data["tables"]["options"]}

    plain, roomy = options("plain"), options("roomy")
    assert plain["power"]["fair_cost"] is None
    assert roomy["power"]["fair_cost"] < roomy["power"]["cost"]
    same = ("viability", "best", "best_without", "mean_of_best")
    assert {name: [each[key] for key in same] for name, each in plain.items()} == {
        name: [each[key] for key in same] for name, each in roomy.items()
    }


@needs_jit
def test_readings_say_where_findings_hold(run, elsewhere):
    words = ("--rules", PLANTED, "--budget", 4, "-q", "--no-cache", "--top", 1, "--scenario", "boss")
    assert run("optimize", *words, "--set", "wide_eye.cost=4").code == 0
    data = json.loads(run("analyze", "--json", "--no-triggers", "--readings").out)
    needed = [each for each in data["findings"] if each["subjects"] == ["blessing"]]
    assert needed
    assert all("other readings" in each["holds"] for each in needed)


@pytest.fixture
def broken(run, elsewhere):
    """A run of the made-up ruleset in which Wide Eye and Cruel Luck are far too good together."""
    words = ("--rules", PLANTED, "--budget", 4, "-q", "--no-cache", "--scenario", "boss")
    changed = ("--set", "cruel_luck.mechanics.critical_bonus.damage.flat=18")
    ended = run("optimize", *words, *changed, "--out", "broken")
    assert ended.code == 0, ended.err
    return elsewhere / "broken"


@needs_jit
def test_a_page_has_a_verified_fix_and_a_second_look_says_the_same(run, broken, monkeypatch):
    first = run("analyze", "broken", "--no-triggers")
    assert first.code == 0, first.err
    lines = first.out.splitlines()
    assert lines[0].startswith("Broken at budget 4 (the rules give 6): ")
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    said = " ".join(first.out.split())
    data = json.loads(run("analyze", "broken", "--no-triggers", "--json").out)
    assert data["status"] == "broken"
    assert f"Fix {data['proposal']['text']}: fixes all {data['counts']['error']} errors" in said
    errors = [each for each in data["findings"] if each["severity"] == "error"]
    assert errors
    assert all(each["fix"]["is_verified"] for each in errors)
    assert all(each["builds"][0]["rank"] == 1 for each in errors[:1])
    # The table that `balance` judges edits by says the same of these.
    desk = open_desk(runs.load_run("broken"))
    limits = read_thresholds()
    court = open_court(desk.table, limits)
    state = court.state(edits_from(desk, data["proposal"]["edits"]))
    health = data["proposal"]["after"]["health"]
    assert health["best"] == state.best
    assert health["remaining_builds"] == state.kept
    assert health["viable_options"] == state.freedom((0.8,))[0].options

    def no_work(*_args, **_more):
        raise AssertionError("a second look analyses nothing")

    monkeypatch.setattr("buildsearch.analysis.analyses.analyse", no_work)
    assert run("analyze", "broken", "--no-triggers").out == first.out
    # What was found under other thresholds, or with triggers, is another analysis.
    for words in (("--full",), ("--thresholds", broken / "other.toml")):
        (broken / "other.toml").write_text("[verdict]\nmargin = 0.3\n")
        assert run("analyze", "broken", "--no-triggers", *words).code != 0


@needs_jit
def test_a_kept_proposal_is_the_one_that_is_shown(run, broken):
    assert run("analyze", "broken", "--no-triggers").code == 0
    kept = broken / "proposal.json"
    text = kept.read_text()
    assert '"Raise' in text or "Don't allow" in text
    kept.unlink()
    said = run("analyze", "broken", "--no-triggers").out
    assert "Fix      Not searched yet: buildsearch balance (about " in said


@needs_jit
def test_one_number_for_one_thing(run, broken):
    """The page, its tables and the leaderboard show one score and one exact share for one build."""
    data = json.loads(run("analyze", "broken", "--no-triggers", "--json", "--full").out)
    with (broken / "leaderboard.csv").open(encoding="utf-8") as file:
        board = {row["build"]: row for row in csv.DictReader(file)}
    with (broken / "analysis" / "options.csv").open(encoding="utf-8") as file:
        options = {row["option"]: row for row in csv.DictReader(file)}
    best = next(iter(board.values()))
    assert data["health"]["best"] == pytest.approx(float(best["score"]), rel=1e-5)
    assert data["health"]["best_build"] == best["build"]
    for finding in data["findings"]:
        for each in finding["builds"]:
            row = board.get(each["build"])
            assert (row is None) == (each["rank"] is None)
            if row is not None:
                assert each["score"] == pytest.approx(float(row["score"]), rel=1e-5)
                assert each["rank"] == int(row["rank"])
        first, *others = finding["subjects"]
        if finding["code"] == "must-have" and first in options and not others:
            row = options[first]
            assert float(row["best_without"]) == pytest.approx(finding["numbers"]["best_without"], rel=1e-5)
    for row in options.values():
        if row["best_build"] in board:
            assert float(row["best"]) == pytest.approx(float(board[row["best_build"]]["score"]), rel=1e-5)
    shown = [each for each in data["tables"]["options"] if each["option"] == "wide_eye"]
    assert [str(shown[0]["best"])] == [options["wide_eye"]["best"]]

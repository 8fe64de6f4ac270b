"""`buildsearch check` as CI meets it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numba
import pytest
from sarif_pydantic import Sarif

from buildsearch.cli.check import accepted
from buildsearch.document.terminal import to_terminal
from buildsearch.gate.results import AssertionResult, Level, Outcome, Violation
from buildsearch.ruleset.extends import from_here
from buildsearch.views.check import Checked, check_document
from tests.analysis.tables import PLANTED
from tests.small_games import FILES

ONLY_BLESSING = (
    "--set",
    "cruel_luck.mechanics.critical_bonus.damage.flat=4",
    "--set",
    "cruel_luck.cost=1",
)
needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
BEATS = """
scenarios = "boss.yaml"
[assertions.too-fast]
kind = "build-beats-limit"
scenario = ["boss"]
limit = {limit}
level = "{level}"
"""


@pytest.fixture
def place(elsewhere, monkeypatch):
    """Where only the boss is fought: the builds of one point take seconds against several."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (elsewhere / "boss.yaml").write_text(FILES["boss.yaml"], encoding="utf-8")
    return elsewhere


def configure(place, limit, level="error", more=""):
    text = BEATS.format(limit=limit, level=level) + more
    (place / "buildsearch.toml").write_text(text, encoding="utf-8")


def checked(run, *arguments):
    ended = run("check", "--budget", "1", "--json", *arguments)
    return ended.code, json.loads(ended.out)


@needs_jit
def test_pass_fail_and_warn(run, place):
    configure(place, 1.0)
    code, data = checked(run)
    assert (code, data["status"]) == (0, "pass")
    configure(place, 10.0)
    code, data = checked(run)
    assert (code, data["status"]) == (1, "fail")
    assert all(finding["value"] < 10.0 for finding in data["findings"])
    configure(place, 10.0, "warn")
    code, data = checked(run)
    assert (code, data["status"]) == (0, "pass")
    assert data["findings"]
    configure(place, 10.0, "off")
    assert checked(run)[1]["checks"] == []


@needs_jit
@pytest.mark.long
def test_what_is_near_a_limit_fights_on_and_may_stay_open(run, place):
    """Ricochet against several enemies is sampled: a limit at its own mean cannot be decided."""
    scored = json.loads(
        run("score", "melee_dg+ricochet", "--scenario", "swarm", "--fights", "200000", "--json").out
    )
    mean = scored["builds"][0]["score"]
    text = BEATS.replace('"boss"', '"swarm"').replace("boss.yaml", "default")
    text = text.format(limit=mean, level="error")
    (place / "buildsearch.toml").write_text(text, encoding="utf-8")
    ended = run("check", "--budget", "2", "--fights", "300000", "--json")
    data = json.loads(ended.out)
    opened = [finding for finding in data["findings"] if finding["is_inconclusive"]]
    assert any("ricochet" in finding["subjects"] for finding in opened)
    assert ended.code == (1 if len(opened) < len(data["findings"]) else 4)


def shown(outcome, capsys, **more):
    answer = {
        "rules_file": "rules/x.yaml",
        "scenarios_file": "scenarios/x.yaml",
        "scenarios": (),
        "places": {},
        "titles": {},
        "builds": 1234,
        "seconds": 2.0,
    }
    to_terminal(check_document(Checked(outcome, **(answer | more))))
    return capsys.readouterr().out


def test_an_inconclusive_check_says_what_to_do(capsys):
    result = AssertionResult("fast", "build-beats-limit", Level.ERROR, "tier 3", (open_finding(),))
    said = shown(Outcome((result,), result.findings), capsys, fights=50_000_000)
    assert said.startswith("Inconclusive: 1 of 1 check is too close to the limit after 50,000,000 fights.")
    assert "rules/x.yaml: inconclusive: bleed may be too fast" in said
    assert "buildsearch check --fights 200000000   or --inconclusive pass (or fail)" in said
    said = shown(Outcome((replace(result, findings=()),), ()), capsys)
    assert said == "Pass: 1 of 1 check. 1,234 builds, 2 s.\n"


def open_finding():
    return Violation(
        assertion="fast",
        kind="build-beats-limit",
        level=Level.ERROR,
        subjects=("bleed",),
        where="tier 3",
        message="bleed may be too fast",
        value=1.5,
        limit=1.5,
        excess=0.0,
        is_open=True,
    )


@needs_jit
def test_a_baseline_accepts_and_tells_what_is_new(run, place):
    configure(place, 1.0)
    said = run("check", "--budget", "1", "--update-baseline").out
    assert said == "Nothing to accept: no findings. Wrote an empty baseline.json; commit it.\n"
    configure(place, 10.0)
    said = run("check", "--budget", "1", "--update-baseline").out
    assert said == "Accepted 1 finding in baseline.json. Add a reason and commit the file.\n"
    several = "Accepted 2 findings in b.json. Add a reason to each and commit the file."
    assert accepted(2, Path("b.json")) == several
    code, data = checked(run)
    assert (code, data["findings"]) == (0, [])
    assert data["accepted"]
    code, data = checked(run, "--set", "power_attack.modifiers.damage.tier=9")
    assert code == 1
    configure(place, 1.0)
    code, data = checked(run)
    assert code == 0
    assert data["fixed"]
    text = (place / "baseline.json").read_text(encoding="utf-8")
    (place / "baseline.json").write_text(text.replace("vitality-v2", "other"), encoding="utf-8")
    ended = run("check", "--budget", "1")
    assert ended.code == 2
    assert "baseline of other" in ended.err


@needs_jit
def test_reports_for_ci(run, place, monkeypatch):
    configure(place, 10.0)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place / "summary.md"))
    ended = run("check", "--budget", "1", "--junit", "check.xml", "--sarif", "check.sarif")
    assert ended.code == 1
    assert "::error file=" in ended.err
    assert "fail" in (place / "summary.md").read_text(encoding="utf-8")
    Sarif.model_validate_json((place / "check.sarif").read_text(encoding="utf-8"))
    assert "too-fast" in (place / "check.xml").read_text(encoding="utf-8")
    assert ended.out.startswith("Fail: ")


@needs_jit
def test_presets_run_and_a_second_check_says_the_same(run, place):
    words = ("check", "--preset", "strict", "--budget", "1", "--scenarios", "boss.yaml", "--json")
    first, second = run(*words), run(*words)
    assert first.code == second.code
    one, two = json.loads(first.out), json.loads(second.out)
    assert one["findings"] == two["findings"]
    assert {each["kind"] for each in one["checks"]} == {
        *("overpowered-combination", "must-have", "instant-win", "dominant-type", "undercosted"),
        *("overcosted", "few-viable-options", "dead-option", "strictly-worse"),
    }


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ('[assertions.x]\nkind = "no_fun"\n', (), "no-counter"),
        ("rules = 3\n", (), "rules"),
        ("rules = \n", (), "buildsearch.toml"),
        ("", ("--junit", "buildsearch.toml/x.xml"), "cannot write buildsearch.toml/x.xml"),
        ("", ("--cache", "buildsearch.toml"), "Name a folder with --cache"),
    ],
)
def test_bad_input_is_told(run, place, text, arguments, says):
    (place / "buildsearch.toml").write_text(text, encoding="utf-8")
    ended = run("check", *arguments)
    assert ended.code == 2
    assert says in ended.err


@needs_jit
def test_an_assertion_about_an_unknown_scenario_is_told(run, place):
    (place / "buildsearch.toml").write_text(
        BEATS.replace('"boss"', '"bos"').format(limit=1.0, level="error"), encoding="utf-8"
    )
    ended = run("check", "--budget", "1")
    assert ended.code == 2
    assert "boss" in ended.err


@needs_jit
def test_a_report_to_look_at(run, place, quick_reports):
    configure(place, 10.0)
    ended = run("check", "--budget", "1", "--html", "out/check.html", "--quiet")
    assert ended.code == 1
    assert "<!doctype html>" in (place / "out" / "check.html").read_text(encoding="utf-8").lower()
    (folder,) = (path for path in (place / "results").iterdir() if path.is_dir())
    assert (folder / "leaderboard.csv").exists()


@needs_jit
def test_a_run_for_each_combination_of_parameters(run, place):
    configure(
        place,
        1.0,
        more='[assertions.sevens]\nkind = "build-beats-limit"\nlimit = 1.0\nparameters = { tier = 4 }\n',
    )
    head = "parameters = { tier = [3, 4], budget = 1 }\n"
    path = place / "buildsearch.toml"
    path.write_text(head + path.read_text("utf-8"), encoding="utf-8")

    def places(*arguments):
        ended = run("check", "--json", *arguments)
        assert ended.code == 0, ended.err
        return {(each["check"], each["where"]) for each in json.loads(ended.out)["checks"]}

    both = places()
    assert {where.split(",")[0] for name, where in both if name == "too-fast"} == {"tier 3", "tier 4"}
    assert {where.split(",")[0] for name, where in both if name == "sevens"} == {"tier 4"}
    assert places("-p", "tier=3", "-p", "tier=4") == both
    assert {where.split(",")[0] for _, where in places("--tier", "3")} == {"tier 3"}


@needs_jit
def test_a_parameter_that_the_game_does_not_have_is_told(run, place):
    configure(place, 1.0, more="parameters = { teir = 3 }\n")
    ended = run("check", "--budget", "1")
    assert ended.code == 2
    assert "did you mean `tier`" in ended.err.lower()


@needs_jit
def test_a_check_that_cannot_fail_says_so(run, place):
    """Budget 1 has too few contexts; lifts end at 1 / share."""
    more = """
scenarios = "boss.yaml"
[assertions.over]
kind = "overpowered-combination"
[assertions.sat]
kind = "ubiquitous-option"
lift = 5000.0
"""
    (place / "buildsearch.toml").write_text(more, encoding="utf-8")
    ended = run("check", "--budget", "1")
    assert ended.code == 0
    assert ended.out.startswith("Pass: 0 of 2 checks, 2 skipped.")
    assert ended.out.count("Skipped 1 of 2 checks:") == 2
    assert "Skipped 1 of 2 checks:" in run("check", "--budget", "1", "--markdown").out
    data = json.loads(run("check", "--budget", "1", "--json", "--junit", "a.xml").out)
    assert (place / "a.xml").read_text("utf-8").count("<skipped message=") == 2
    assert [each["can_fail"] for each in data["checks"]] == [False] * 2
    assert all(each["remark"] for each in data["checks"])


@needs_jit
def test_check_takes_latest_from_no_other_run(run, place):
    few = ("--budget", "1", "--scenarios", "boss.yaml")
    assert run("optimize", *few, "--top", "1", "-q").code == 0
    latest = (place / "results" / "latest").read_text("utf-8")
    assert run("check", *few, "--set", "bleed.cost=1").code in (0, 1)
    assert len(list((place / "results").glob("*/run.json"))) == 2
    assert (place / "results" / "latest").read_text("utf-8") == latest


@needs_jit
def test_both_presets_fail_where_somebody_must_have_an_option(run, place):
    """A planted must-have: nobody disputes it, so both presets name it."""
    for preset in ("lenient", "strict"):
        ended = run(
            "check", "--preset", preset, "--rules", PLANTED, "--budget", "4", "--json", *ONLY_BLESSING
        )
        data = json.loads(ended.out)
        assert ended.code == 1
        assert ("must-have", ["blessing"]) in [(each["kind"], each["subjects"]) for each in data["findings"]]
        assert all(each["can_fail"] for each in data["checks"])


def test_a_bad_config_under_json_is_json(run, place):
    (place / "buildsearch.toml").write_text("[assertions.x]\nkind = 'must-hav'\n", encoding="utf-8")
    ended = run("check", "--json")
    assert ended.code == 2
    data = json.loads(ended.out)
    assert data["status"] == "error"
    assert "must-have" in data["problems"][0]["hint"]
    assert json.loads(run("check", "--json", "--preset", "laxest").out)["problems"]


def test_what_the_baseline_accepts_is_not_called_a_failure(capsys):
    finding = replace(open_finding(), is_open=False)
    result = AssertionResult("fast", "build-beats-limit", Level.ERROR, "tier 3", (finding,))
    said = shown(Outcome((result,), (), (finding,)), capsys)
    assert said.startswith("Pass: 1 of 1 check. 1,234 builds")
    assert "fail" not in said
    assert "The baseline accepts 1 finding." in said
    verbose = shown(Outcome((result,), (), (finding,)), capsys, is_verbose=True)
    assert "accepted" in verbose


def test_paths_for_code_hosts_are_the_repositorys(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    rules = tmp_path / "game" / "rules"
    rules.mkdir(parents=True)
    (rules / "mine.yaml").touch()
    monkeypatch.chdir(rules)
    assert from_here("mine.yaml") == "game/rules/mine.yaml"
    assert from_here("/usr/share/elsewhere/rules/other.yaml") == "rules/other.yaml"


@needs_jit
def test_reports_are_the_same_bytes_for_any_jobs_cache_and_hash_seed(place, nothing_kept):
    configure(place, 10.0)
    words = ("check", "--budget", "1", "--junit", "a.xml", "--sarif", "a.sarif")
    found = set()
    for jobs, seed in (("1", "1"), ("2", "2")):  # the second finds the scores of the first
        ended = subprocess.run(
            [sys.executable, "-m", "buildsearch", *words, "--json", "--jobs", jobs],
            env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        data = json.loads(ended.stdout)
        del data["seconds"]
        assert data["findings"]
        junit = re.sub(r' time="[0-9.]+"', "", Path("a.xml").read_text("utf-8"))
        found.add((json.dumps(data), junit, Path("a.sarif").read_text("utf-8")))
    assert len(found) == 1

"""`buildsearch balance --history`: a planted fault comes with one commit and goes with another."""

from __future__ import annotations

import csv
import json
import subprocess
from html import escape

import numba
import pytest

from tests.cli.test_balance import rules, scored  # noqa: F401 - fixtures

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="scores thousands of builds")

TRICK = "=SUM(A1) <script>alert(1)</script> \x1b[2J"


def git(*words):
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], check=True, capture_output=True
    )


@pytest.fixture(scope="module")
def told(rules, scored, tmp_path_factory):  # noqa: F811 - fixtures
    """A repository whose last commit is the planted file; what `balance --history` says of it."""
    from buildsearch.cli.main import exit_code_of
    from tests.cli.test_balance import _with

    text, folder = rules.read_text(encoding="utf-8"), rules.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        git("init", "-q")
        for subject, written in (
            ("dear", _with(text, "blessing.cost=3")),
            ("no rules", "kind: rules\n"),
            (TRICK, text + "# a remark\n"),
            ("cheap", text),
        ):
            rules.write_text(written, encoding="utf-8")
            git("add", rules.name)
            git("commit", "-q", "-m", subject)
        words = ("--html", folder / "page.html", "--csv", folder / "table.csv", "-q")
        assert exit_code_of(list(map(str, ("balance", scored, "--history", "HEAD~3..", *words)))) == 0
        yield folder


def rows_of(folder):
    with (folder / "table.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_has_every_revision_and_the_numbers_of_analyze(run, told, scored):  # noqa: F811
    dear, wrong, remark, cheap = rows_of(told)
    assert [row["subject"] for row in (dear, wrong, cheap)] == ["dear", "no rules", "cheap"]
    assert (
        remark["subject"] == "'=SUM(A1) <script>alert(1)</script> \\x1b[2J"
    )  # neither a formula nor an order
    assert "system" in wrong["not_measured"]
    assert wrong["best"] == ""
    now = json.loads(run("balance", scored, "--try", "blessing.cost=3", "--json").out)
    for row, said in ((cheap, now["health"]), (remark, now["health"]), (dear, now["after"]["health"])):
        assert float(row["best"]) == said["best"]
        assert float(row["benchmark"]) == said["benchmark"]
        assert int(row["viable_options"]) == said["viable_options"]
        assert (int(row["must_haves"]) + int(row["overpowered_builds"]) > 0) == (said["errors"] > 0)
    assert cheap["method"] == "exact"


def test_who_broke_it_is_named(run, told, scored, monkeypatch):  # noqa: F811
    monkeypatch.chdir(told)
    found = json.loads(run("balance", scored, "--history", "HEAD~3..", "--json").out)
    rows = found["revisions"]
    assert found["trend"] == "worse"
    assert {"code": "must-have", "since": rows[2]["revision"], "from_the_start": False} in found["broken"]
    assert "became worse" in found["headline"]
    # The way back is the opposite, and both ends of a range may be named.
    assert json.loads(run("balance", scored, "--history", "HEAD..", "--json").out)["trend"] == "same"
    markdown = run("balance", scored, "--history", "HEAD~3..HEAD", "--markdown").out
    assert "| =SUM(A1) `<script>alert(1)</script>` `\\x1b[2J` |" in markdown
    assert markdown.count("\n| ") == 5  # a head and four revisions
    shown = run("balance", scored, "--history", "HEAD~3..").out
    assert "\x1b[2J" not in shown
    assert "was not measured" in shown
    assert "in every revision" not in shown


def test_the_page_draws_it_and_runs_nothing_of_it(told):
    page = (told / "page.html").read_text(encoding="utf-8")
    for subject in ("dear", "no rules", escape("<script>"), "cheap"):
        assert subject in page
    assert "<script>alert(1)" not in page

"""A served workbench in a real browser, from a changed number to rules that are saved and analysed."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from buildsearch.analysis.analyses import judge
from buildsearch.analysis.population import populate
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.cli.serve import _LEADS_ON
from buildsearch.library.analyze import subject_of
from buildsearch.library.report import make_workbench
from buildsearch.library.runs import load_run
from tests.browser.benches import said_by
from tests.browser.looking import PHONE, WIDE, violations
from tests.browser.test_workbench import figure, read, settle
from tests.server.runs import BLESSED, optimized, own_rules

pytestmark = pytest.mark.browser
CRITICAL = "critical.bonus.damage.tier"


class Served:
    """The command, running."""

    def __init__(self, folder):
        self.folder = folder
        program = [sys.executable, "-m", "buildsearch", "serve", "run", "--json", "--cache", "cache"]
        self.process = subprocess.Popen(program, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read().decode()
        self.said = json.loads(line)

    @property
    def address(self):
        return self.said["address"]

    def end(self):
        """Ctrl-C, and how long it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=20)
        return self.process.returncode, err.decode(), time.monotonic() - begun


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serve")
    optimized(own_rules(folder), folder / "run", folder / "cache")
    return folder


@pytest.fixture
def served(place):
    own_rules(place)
    found = Served(place)
    yield found
    if found.process.poll() is None:
        found.process.kill()
        found.process.communicate()


def put(page, path, value):
    """Type a number, and wait until every build is scored under it."""
    box = page.locator(f"input[data-number='{path}']")
    box.fill(str(value))
    box.press("Enter")
    page.wait_for_function("() => document.documentElement.dataset.whole", timeout=60_000)
    page.wait_for_function("() => !document.querySelector('#notes .warning')", timeout=60_000)


def verdict_of(run):
    subject = subject_of(run.setup, run.scores, run.objective, triggers=False)
    return judge(subject, populate(run.scores, run.setup.space), read_thresholds()).verdict


def says(page, run):
    """The page says what `analyze` says of a run."""
    figures, reaches, musts = said_by(verdict_of(run))
    said = read(page)
    assert {name: said["figures"][name] for name in figures} == pytest.approx(figures)
    assert set(said["reaches"]) == set(reaches)
    for name, numbers in reaches.items():
        assert said["reaches"][name] == pytest.approx(numbers), name
    assert said["musts"] == pytest.approx(musts)


def test_from_a_number_to_rules_that_are_saved(opened, served, tmp_path):
    found = opened(served.address, WIDE)
    page = found.page
    says(page, load_run(str(served.folder / "run")))
    before = figure(page, "best")
    put(page, BLESSED, -2)
    assert float(figure(page, "best")) > float(before)  # turns to win
    assert figure(page, "best", "before") == before
    assert "numbers=" in page.url
    assert "All builds are scored under the new values" in page.locator("#notes").inner_text()
    one = read(page)["figures"]
    put(page, CRITICAL, 4)
    both = read(page)["figures"]
    assert one != both

    # Undo takes the last number back, and redo has it again.
    settle(page, lambda: page.locator("#undo").click())
    page.wait_for_function("() => !document.documentElement.dataset.whole")
    page.wait_for_function("() => document.documentElement.dataset.whole", timeout=60_000)
    page.wait_for_function("() => !document.querySelector('#notes .warning')")
    assert read(page)["figures"] == one
    page.locator("#redo").click()
    page.wait_for_function(
        "() => document.documentElement.dataset.whole.includes('critical')", timeout=60_000
    )
    page.wait_for_function("() => !document.querySelector('#notes .warning')")
    assert read(page)["figures"] == both

    page.locator("#goal").fill("best >= 8; builds >= 0.5")
    page.locator("#seconds").fill("3")
    page.locator("#balance").click()
    page.wait_for_function("() => !document.getElementById('balance').disabled", timeout=60_000)
    assert page.locator("#balance-told").inner_text()
    assert page.locator("#proposals li").count() > 0

    price = page.locator("input[data-option='aim']")
    price.focus()
    settle(page, lambda: page.keyboard.press("ArrowRight"))
    page.locator("#write").click()
    page.wait_for_selector("#patch:not([hidden])")
    assert "Saved to" in page.locator("#saved").inner_text()
    rules = served.folder / "rules" / "planted.yaml"
    text = rules.read_text(encoding="utf-8")
    assert "# Planted: far too good for its cost." in text
    assert "damage: {flat: -2}" in text
    says(page, optimized(rules, tmp_path / "again", tmp_path / "cache"))
    assert found.complaints == []
    assert [
        url for url in found.requests if not url.startswith((served.address[:20], "data:", "blob:"))
    ] == []
    assert page.locator("#link").count() == 0


def test_commands_of_the_page_take_the_file_that_it_saves(opened, place, run, monkeypatch):
    """`diff` and `balance --try`, as the page says to type them."""
    rules = own_rules(place)
    monkeypatch.chdir(place)
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(place / "cache"))
    page, _ = make_workbench(load_run("run"))
    at = "edits=blessing.cost%3D3;ban%20aim%2Btrade"
    bench = opened(f"{page.resolve().as_uri()}#{at}", WIDE).page
    with bench.expect_download() as download:
        bench.locator("#save").click()
    rules.with_name(download.value.suggested_filename).write_bytes(download.value.path().read_bytes())
    explain, diff = bench.locator("#commands").inner_text().splitlines()
    words = shlex.split(diff)
    assert words[:2] == ["buildsearch", "diff"]
    ended = run(*words[1:], "--json")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert {edit["subject"] for edit in found["edits"] if edit.get("subject")} >= {"blessing"}
    assert str(found["builds"]["a"]) == figure(bench, "builds", "before")
    assert str(found["builds"]["b"]) == figure(bench, "builds")
    by_words = json.loads(run(*shlex.split(explain)[1:], "--json").out)
    by_file = json.loads(
        run("balance", "run", "--try", f"./rules/{download.value.suggested_filename}", "--json").out
    )
    assert by_words == by_file
    assert by_file["after"]["health"]["best"] == pytest.approx(float(figure(bench, "best")))


def test_a_file_that_somebody_else_changes_is_told_and_can_be_reloaded(opened, served):
    found = opened(served.address, WIDE)
    page, rules = found.page, served.folder / "rules" / "planted.yaml"
    put(page, BLESSED, -2)
    edited = read(page)["figures"]
    text = rules.read_text(encoding="utf-8")
    rules.write_text("{", encoding="utf-8")
    page.wait_for_selector("#reload")
    assert str(rules.name) in page.locator("#files").inner_text()
    assert violations(page) == []
    assert found.overflow() <= 0
    put(page, BLESSED, 3)
    put(page, BLESSED, -2)
    assert read(page)["figures"] == edited
    page.locator("#reload").click()
    page.wait_for_function(
        "() => document.getElementById('reload-told').textContent.includes('planted.yaml, line 2')"
    )
    assert read(page)["figures"] == edited
    # Once it is as it was, there is nothing to tell; a change of it is shown with its own scores.
    rules.write_text(text, encoding="utf-8")
    page.wait_for_selector("#files", state="hidden")
    rules.write_text(text.replace("4}, damage: {flat: 5}", "4}, damage: {flat: -2}"), encoding="utf-8")
    page.wait_for_selector("#reload")
    with page.expect_navigation(timeout=60_000):
        page.locator("#reload").click()
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.locator(f"input[data-number='{BLESSED}']").input_value() == "-2"
    assert "numbers=" not in page.url
    assert read(page)["figures"] == edited
    assert page.locator("#files").is_hidden()
    assert found.complaints == []


def test_wrong_numbers_are_told_and_nothing_changes(opened, served):
    page = opened(served.address, WIDE).page
    before = read(page)["figures"]
    put(page, "critical.range", -500)
    assert "critical.range" in page.locator("#number-told").inner_text()
    assert read(page)["figures"] == before
    put(page, "critical.range", 20)
    assert page.locator("#number-told").inner_text() == ""
    # An address that anybody may have written.
    page.evaluate("location.hash = 'numbers=nobody.home%3D3;critical.range%3Dfive'")
    page.wait_for_function("() => document.getElementById('notes').textContent.includes('nobody.home')")
    assert read(page)["figures"] == before


def test_a_new_number_takes_the_place_of_the_old_one(opened, served):
    page = opened(served.address, WIDE).page
    box = page.locator(f"input[data-number='{BLESSED}']")
    for value in (9, 1, -1, 3):
        box.fill(str(value))
        box.press("Enter")
    page.wait_for_function("() => document.documentElement.dataset.whole.includes(':3')", timeout=60_000)
    page.wait_for_function("() => !document.querySelector('#notes .warning')")
    last = read(page)["figures"]
    put(page, BLESSED, 5)
    put(page, BLESSED, 3)
    assert read(page)["figures"] == last


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_it_can_be_used_by_everybody(opened, served, viewport, scheme):
    found = opened(served.address, viewport, scheme)
    page = found.page
    put(page, BLESSED, 7)
    assert found.overflow() <= 0
    assert violations(page) == []
    page.locator("#find-number").focus()
    page.keyboard.type("blessing damage")
    assert page.locator(".numbers li:visible").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.number") == BLESSED
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.documentElement.dataset.whole.includes(':8')", timeout=60_000)
    assert found.complaints == []


def test_nobody_else_gets_in(opened, served, browser):
    """What Chromium itself sends from pages of other sites."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route("http://evil.example/*", lambda route: route.fulfill(body="<p>evil", content_type="text/html"))
    page.goto("http://evil.example/")
    tried = page.evaluate(
        """async (address) => {
          const one = (how) => how().then((answer) => `${answer.type} ${answer.status}`, () => "failed");
          const api = new URL("/api/save", address).href;
          return [
            await one(() => fetch(address)),
            await one(() => fetch(api, { method: "POST", body: "{}" })),
            await one(() => fetch(api, { method: "POST", body: "{}", headers: {
              "Content-Type": "application/json",
              "X-Buildsearch-Token": new URL(address).searchParams.get("token") } })),
          ];
        }""",
        served.address,
    )
    assert tried == ["failed"] * 3
    context.close()
    # From the file that `serve --open` shows, it is a tab like any other.
    lead = served.folder / "lead.html"
    lead.write_text(_LEADS_ON.format(served.address), encoding="utf-8")
    assert opened(lead.as_uri(), WIDE).page.url.startswith("http:")
    where = urlsplit(served.address)
    for host, path in (
        ("evil.example", f"/?{where.query}"),
        (where.netloc, "/?token=x"),
        (where.netloc, "/"),
    ):
        connection = HTTPConnection(where.hostname, where.port)
        connection.request("GET", path, headers={"Host": host})
        assert connection.getresponse().status in (403, 421)
        connection.close()


def test_ctrl_c_ends_it_at_once_also_at_work(opened, served):
    page = opened(served.address, WIDE).page
    page.locator("#seconds").fill("60")
    page.locator("#goal").fill("viable@90% >= 99%")
    page.locator("#balance").click()
    time.sleep(0.5)
    code, err, took = served.end()
    assert (code, "Traceback" in err) == (0, False), err
    assert took < 4 if os.environ.get("CI") else took < 10

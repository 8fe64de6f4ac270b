"""The workbench in a real browser: what it says is what `analyze` says of the edited rules."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from urllib.parse import quote

import numpy as np
import pytest

from buildsearch.analysis.analyses import judge
from buildsearch.analysis.instant_wins import decided_at_once
from buildsearch.analysis.population import populate
from buildsearch.balancing.edit_table import table_of, taken
from buildsearch.balancing.edits import edits_between, read_edits
from buildsearch.library.input_files import load_rules
from tests.balancing.benches import lenient
from tests.browser.benches import Bench, said_by
from tests.browser.looking import PHONE, WIDE, violations
from tests.report.html.sources import HOSTILE, SHOWN

pytestmark = pytest.mark.browser

GAMES = {
    "points": {"parameters": {"budget": "3"}, "sets": [f"blessing.name='{HOSTILE}'"], "sampled": 0.1},
    "decks": {"rules": "armitage", "sets": ["deck.size=4"]},
    "gear": {"rules": "dungeoneers", "parameters": {"points": "2", "gear": "2", "max_spells": "1"}},
}


@pytest.fixture(scope="session")
def benches(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workbench")
    found = {name: Bench(**given) for name, given in GAMES.items()}
    return {name: (bench, bench.write(folder / f"{name}.html")) for name, bench in found.items()}


@pytest.fixture
def look(opened, benches):
    return lambda kind="points", viewport=WIDE, scheme="light", at="": opened(
        benches[kind][1].as_uri() + (f"#{at}" if at else ""), viewport, scheme
    )


def at(edits):
    return "edits=" + ";".join(quote(edit.text, safe="") for edit in edits)


def settle(page, how):
    """Do something, and wait until the page has answered."""
    before = page.evaluate("document.documentElement.dataset.settled")
    how()
    page.wait_for_function("(was) => document.documentElement.dataset.settled !== was", arg=before)


def figure(page, name, side="after"):
    return page.locator(f"[data-figure='{name}']").get_attribute(f"data-{side}")


def read(page):
    """Everything that the page says in numbers."""
    return page.evaluate(
        """() => ({
          figures: Object.fromEntries([...document.querySelectorAll("[data-figure]")].map((each) =>
            [each.dataset.figure, Number(each.dataset.after)])),
          reaches: Object.fromEntries([...document.querySelectorAll(".option")].filter((each) =>
            each.dataset.viability !== "").map((each) =>
            [each.dataset.choice,
              [Number(each.dataset.best), Number(each.dataset.viability), Number(each.dataset.mean)]])),
          musts: Object.fromEntries([...document.querySelectorAll("[data-must]")].map((each) =>
            [each.dataset.choices, Number(each.dataset.factor)])),
          silent: document.getElementById("silent")?.textContent ?? null,
        })"""
    )


def _sets(bench, number):
    rng = random.Random(7)  # noqa: S311 - no secret
    known = [lever for lever in bench.levers if any(map(bench.table.knows, lever.edits))]
    seen = [[]]
    while len(seen) <= number:
        some = rng.sample(known, rng.randint(1, 4))
        edits = [rng.choice([edit for edit in lever.edits if bench.table.knows(edit)]) for lever in some]
        if edits not in seen and bench.table.is_closed(edits) and bench.table.legal(edits).sum() > 20:
            seen.append(edits)
    return seen


@pytest.mark.parametrize("kind", GAMES)
def test_the_page_says_what_analyze_says_of_the_edited_rules(look, benches, kind):
    bench, _ = benches[kind]
    page = look(kind).page
    for edits in _sets(bench, 12):
        if edits:
            settle(page, lambda: page.evaluate("(to) => { location.hash = to; }", at(edits)))  # noqa: B023
        verdict = bench.judged(edits, lenient()).verdict
        figures, reaches, musts = said_by(verdict)
        said, words = read(page), [edit.text for edit in edits]
        assert {name: said["figures"][name] for name in figures} == pytest.approx(figures), words
        assert set(said["reaches"]) == set(reaches), words
        for name, numbers in reaches.items():
            assert said["reaches"][name] == pytest.approx(numbers), (words, name)
        assert said["musts"] == pytest.approx(musts), words
        assert (said["silent"] is None) == (verdict.too_small is None and verdict.flat is None), words
        assert "Unknown" not in page.locator("#notes").inner_text()


def test_other_weights_are_another_score(look, benches):
    """The same as a run with these weights, within the seven digits of scores of fights."""
    bench, _ = benches["points"]
    page = look(at="weights=1;0.25").page
    scores = bench.scores
    weights = np.array([0.8, 0.2])
    other = replace(
        scores,
        score=weights @ scores.fight_means,
        error=np.sqrt(weights**2 @ scores.fight_errors**2),
        weights=weights,
    )
    subject = bench.subject(bench.loaded.model, bench.space, other)
    figures, reaches, _ = said_by(judge(subject, populate(other, bench.space), lenient()).verdict)
    said = read(page)
    assert {name: said["figures"][name] for name in figures} == pytest.approx(figures, rel=1e-5)
    assert {name: each[0] for name, each in said["reaches"].items()} == pytest.approx(
        {name: each[0] for name, each in reaches.items()}, rel=1e-5
    )
    assert figure(page, "best", "before") == str(float(scores.score.min()))


def test_fights_decided_at_once_are_told_where_means_prove_it(opened, tmp_path):
    bench = Bench(parameters={"budget": "3"}, sampled=0.1)
    subject = bench.subject(bench.loaded.model, bench.space, bench.scores)
    limits, counts = lenient(), set()
    verdict = bench.judged([], limits).verdict
    best = np.sort(bench.scores.fight_means[1])
    # The second fight has most of the weight; its least number of turns is moved past the best builds.
    for least in ([0.0, float(best[0])], [0.0, float(best[20])], [0.0, 0.0]):
        bench.table = table_of(
            replace(subject, least=least), bench.loaded.system.accounts(bench.loaded.model, bench.space)
        )
        page = opened(bench.write(tmp_path / "decided.html").as_uri(), WIDE).page
        found = decided_at_once(verdict.contest, least, lambda _row, _fight: None, limits.verdict)
        sure = sum(each.accuses for each in found)
        assert page.locator("#decided").get_attribute("data-found") == str(sure)
        counts.add(sure)
    assert len(counts) > 1
    assert 0 in counts


def test_drag_ban_undo_and_share(look, opened, benches):
    found = look()
    page = found.page
    price = page.locator("input[data-option='cruel_luck']")
    before, was = figure(page, "best"), int(price.input_value())
    price.focus()
    settle(page, lambda: page.keyboard.press("ArrowRight"))
    assert int(price.input_value()) == was + 1
    assert page.locator("#edits li").count() == 1
    settle(page, lambda: page.locator("#ban").click())
    assert page.locator("#edits li").count() == 2
    both, address = read(page)["figures"], page.url
    assert "edits=" in address

    settle(page, lambda: page.keyboard.press("Control+z"))
    settle(page, lambda: page.locator("#undo").click())
    assert page.locator("#edits li").count() == 0
    assert figure(page, "best") == before
    assert page.url.endswith("#")
    settle(page, lambda: page.locator("#redo").click())
    settle(page, lambda: page.keyboard.press("Control+y"))
    assert read(page)["figures"] == both
    # Whoever opens the link sees the same.
    again = opened(address, WIDE).page
    again.wait_for_selector("html[data-settled]", state="attached")
    assert read(again)["figures"] == both
    assert found.complaints == []


def test_a_mouse_drags_a_price_as_one_step(look):
    page = look().page
    slider = page.locator("input[data-option='cruel_luck']")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.3, middle)
    page.mouse.down()
    for part in (0.5, 0.7, 0.9):
        page.mouse.move(box["x"] + box["width"] * part, middle)
    settle(page, page.mouse.up)
    assert page.locator("#edits li").count() == 1
    assert "moved" in page.locator("[data-choice='cruel_luck']").get_attribute("class")
    settle(page, lambda: page.locator("#undo").click())
    assert page.locator("#edits li").count() == 0
    assert page.locator("#undo").is_disabled()


def test_locks_keep_an_option_as_it_is(look, tmp_path):
    page = look().page
    settle(page, lambda: page.get_by_role("button", name="Lock Cruel Luck").click())
    assert page.locator("input[data-option='cruel_luck']").is_disabled()
    assert "locks=cruel_luck" in page.url
    proposals = tmp_path / "proposals.json"
    edits = [{"edit": "cruel_luck.cost=4"}, {"edit": "blessing.cost=3"}]
    unknown = {"edits": [{"edit": HOSTILE}]}
    proposals.write_text(json.dumps({"proposals": [{"edits": edits}, unknown]}), encoding="utf-8")
    page.set_input_files("#import", proposals)
    page.wait_for_selector("#proposals li")
    assert SHOWN in page.locator("#proposals").inner_text()
    settle(page, lambda: page.get_by_role("button", name="Take proposal 1").click())
    assert page.locator("#edits li").count() == 1
    assert "Locked, so left as it is: cruel_luck.cost=4" in page.locator("#notes").inner_text()


def test_what_is_saved_is_what_was_moved(look, benches, tmp_path):
    bench, _ = benches["points"]
    edits = [edit for edits in _sets(bench, 2)[1:] for edit in edits]
    edits = list({edit.lever: edit for edit in edits}.values())
    page = look(at=at(edits)).page
    with page.expect_download() as download:
        page.locator("#save").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert text == page.locator("#yaml").inner_text()
    # The run of a test has no folder: its rules are found by their path.
    parent, child = str(bench.loaded.path), tmp_path / "edited.yaml"
    child.write_text(text.replace(f'"{bench.loaded.model.id}"', json.dumps(parent), 1), encoding="utf-8")
    before, after = (load_rules(str(path)).document.root.plain() for path in (parent, child))
    found = edits_between(before, after, bench.levers)
    assert {edit.text for edit in found} == {edit.text for edit in edits}


def test_what_a_cut_lets_in_is_unknown_unless_it_was_scored(look, opened, benches, tmp_path):
    cut = "edits=cruel_luck.cost%3D0"
    assert "Unknown" in look(at=cut).page.locator("#notes").inner_text()
    bench = Bench(parameters={"budget": "3"})
    wider = Bench(parameters={"budget": "5"})
    beyond = taken(wider.scores, np.flatnonzero(wider.scores.cost > 3))
    subject = bench.subject(bench.loaded.model, bench.space, bench.scores)
    subject = replace(subject, beyond=(beyond, wider.space))
    bench.table = table_of(subject, bench.loaded.system.accounts(bench.loaded.model, bench.space))
    page = opened(bench.write(tmp_path / "headroom.html").as_uri() + f"#{cut}", WIDE).page
    assert page.locator("#notes").inner_text() == ""
    edits = read_edits(["cruel_luck.cost=0"], bench.levers)
    legal = bench.table.legal(edits)
    assert figure(page, "builds") == str(int(legal.sum()))
    assert int(figure(page, "builds")) > int(figure(page, "builds", "before"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_is_wrong_loaded_or_cut_off(look, viewport, scheme):
    found = look("points", viewport, scheme, at="edits=blessing.cost%3D3;nonsense")
    page = found.page
    page.wait_for_selector("#edits li")
    assert found.overflow() <= 0
    assert "These rules have no such edit: nonsense" in page.locator("#notes").inner_text()
    assert SHOWN in page.locator("#edits").inner_text()
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert violations(page) == []
    assert found.complaints == []
    assert [url for url in found.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_everything_can_be_reached_with_the_keyboard(look):
    page = look().page
    wanted = {"options", "bans", "weights", "leaderboard", "share"}
    for _ in range(120):
        page.keyboard.press("Tab")
        wanted.discard(page.evaluate("document.activeElement.closest('section')?.id"))
        if not wanted:
            break
    assert wanted == set()


def test_builds_that_were_left_out_are_told(opened, benches, tmp_path):
    bench, _ = benches["points"]
    page = opened(bench.write(tmp_path / "few.html", most=300).as_uri(), WIDE).page
    assert "are not in this file" in page.locator("#notes").inner_text()
    verdict = bench.judged([], lenient()).verdict
    sure = {reach.choice.name: reach.score for reach in verdict.reaches}
    said = read(page)["reaches"]
    names = "(all) => all.map((each) => each.dataset.choice)"
    marked = page.locator(".option", has_text="\u2265").evaluate_all(names)
    assert {name: each[0] for name, each in said.items() if name not in marked} == pytest.approx(
        {name: score for name, score in sure.items() if name in said and name not in marked}
    )
    assert len(marked) < len(said)

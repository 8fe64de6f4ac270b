"""The workbench in a real browser: what it says is what `analyze` says of the edited rules."""

from __future__ import annotations

import json
import random
from urllib.parse import quote

import pytest

from tests.balance.benches import lenient
from tests.browser.benches import Bench, said_by
from tests.browser.looking import PHONE, WIDE, violations
from tests.report.html.sources import HOSTILE

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
            [each.dataset.choice, [Number(each.dataset.best), Number(each.dataset.viability)]])),
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

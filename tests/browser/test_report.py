"""The report in a real browser. `make test-browser` runs these; they need chromium and playwright."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from buildsearch.cli.main import exit_code_of
from buildsearch.library.report import write_loadout_report
from buildsearch.report.html.whole_page import write_document, write_page
from tests.browser.looking import PHONE, WIDE, violations
from tests.cli.test_diff import CHEAPER, DICE, FEW
from tests.report.html.metas import hostile_meta_page
from tests.report.html.sources import HOSTILE, SHOWN, SMALL, deck_source, loadout_folder, subset_source

pytestmark = pytest.mark.browser

KINDS = ("enhancements", "decks", "loadouts", "difference", "meta")
# Pages without a leaderboard, whose rows could be opened.
BARE = ("difference", "meta")


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    written = {}
    subsets = _with_variants(_with_an_open_rank(subset_source(earlier=True)))
    for kind, source in (("enhancements", subsets), ("decks", deck_source())):
        written[kind] = folder / f"{kind}.html"
        write_page(source, written[kind], SMALL)
    written["loadouts"] = write_loadout_report(loadout_folder(folder))
    written["difference"] = _difference(folder)
    written["meta"] = folder / "meta.html"
    write_document(hostile_meta_page()[2], written["meta"])
    return written


def _with_an_open_rank(source):
    """Sampled builds have wide bounds, so that exact ones between them are not decided."""
    scores = source.scores
    half = np.where(scores.error > 0, 0.1 * np.abs(scores.score), 0.0)
    return replace(source, scores=replace(scores, low=scores.score - half, high=scores.score + half))


def _with_variants(source):
    """The second and the third best build are variants of the best."""
    population = source.analysis.population
    first = [population.name(int(row), source.space) for row in population.best_first[:3]]
    board = {first[0]: {"rank": 1, "variant_of": None}}
    board |= {name: {"rank": rank, "variant_of": 1} for rank, name in enumerate(first[1:], start=2)}
    return replace(source, board=board)


def _difference(folder):
    text = (Path(__file__).parents[2] / "rules" / "vitality-v2.yaml").read_text(encoding="utf-8")
    for old, new in (DICE, CHEAPER, ("name: Power Attack", f"name: {HOSTILE}")):
        assert old in text
        text = text.replace(old, new, 1)
    changed, page = folder / "changed.yaml", folder / "difference.html"
    changed.write_text(text, encoding="utf-8")
    words = ("diff", "vitality-v2", str(changed), *FEW, "--no-cache", "-q", "--html", str(page))
    assert exit_code_of(list(words)) == 0
    return page


@pytest.fixture
def look(opened, reports):
    return lambda kind="enhancements", viewport=WIDE, scheme="light": opened(
        reports[kind].as_uri(), viewport, scheme
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wrong_loaded_or_cut_off(look, kind, viewport, scheme):
    """Everything is open, also a build; axe finds no serious violation."""
    opened = look(kind, viewport, scheme)
    page = opened.page
    assert opened.overflow() <= 0
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert violations(page) == []
    if kind not in BARE:
        page.locator(".board .name").first.click()
        page.wait_for_selector("dialog[open]")
        assert opened.overflow() <= 0
        wider = "(dialog) => dialog.scrollWidth - dialog.clientWidth"
        assert page.locator("dialog").evaluate(wider) <= 0
        assert violations(page) == []
        page.keyboard.press("Escape")
        assert page.locator("dialog[open]").count() == 0
    assert opened.complaints == []
    assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("kind", ["enhancements", "loadouts"])
def test_builds_are_compared_with_one_of_them(look, kind):
    """Every other row says how much better or worse it is, in the score and in each scenario."""
    opened = look(kind)
    page = opened.page
    assert page.locator(".against").count() == 0
    page.select_option("#compare-with", "0")  # the best: the next rows may be folded under it
    rows = page.locator(".board tbody tr")
    assert rows.nth(0).locator(".against").count() == 0
    columns = page.locator(".board th").count()
    told = rows.nth(1).locator(".against").all_inner_texts()
    assert 2 <= len(told) < columns
    assert all(each.endswith(("better", "worse", "as good")) for each in told)
    scores = [float(rows.nth(i).locator("strong").first.inner_text()) for i in (0, 1)]
    assert abs(float(told[0].split()[0])) == pytest.approx(abs(scores[0] - scores[1]), abs=0.011)
    assert told[0].split(maxsplit=1)[1] != "better"
    assert opened.overflow() <= 0
    page.select_option("#compare-with", "")
    assert page.locator(".against").count() == 0


def test_sorting_and_filtering_change_the_rows(look):
    opened = look()
    page, first = opened.page, opened.rows()
    page.get_by_role("button", name="Score").click()
    assert opened.rows()[0] == first[0]
    page.get_by_role("button", name="Score").click()
    assert opened.rows()[0] != first[0]
    assert page.locator("th[aria-sort]").inner_text().startswith("Score")
    page.select_option("#order", "rank")
    assert opened.rows() == first

    page.fill("#search", "cruel luck")
    assert opened.rows() != first
    assert all("Cruel Luck" in row for row in opened.rows())
    page.fill("#search", "")
    page.select_option("#group", label="Ranged Attack")
    assert opened.rows()
    assert all("Ranged Attack" in row for row in opened.rows())
    page.select_option("#group", "")
    page.select_option("#with", label="Precise")
    assert opened.rows()
    assert all("Precise" in row for row in opened.rows())
    page.select_option("#with", "")
    page.select_option("#without", label="Precise")
    assert opened.rows()
    assert not any("Precise" in row for row in opened.rows())
    page.select_option("#without", "")
    page.fill("#cost-to", "1")
    assert {row.split("\t")[2].strip() for row in opened.rows()} <= {"0", "1"}
    page.fill("#search", "no such build")
    assert opened.rows() == []
    assert page.locator("#count").inner_text().startswith("0 builds")


def test_variants_fold_under_their_idea(look):
    opened = look()
    page = opened.page
    buttons = page.locator(".board button.variants")
    folded = opened.rows()
    assert buttons.count() >= 1
    many = int(buttons.first.inner_text().split()[1])
    buttons.first.click()
    assert page.locator(".board tr.variant").count() == many
    page.locator(".board button.variants").first.click()
    assert opened.rows() == folded
    # What is searched for is shown, be it a variant.
    page.fill("#search", "trade")
    assert page.locator(".board button.variants").count() == 0


def test_an_exact_build_may_have_an_open_rank(look):
    cells = [row.split("\t") for row in look().rows()]
    open_ = [row for row in cells if "\N{EN DASH}" in row[0]]
    # Numbers in brackets are bounds: a sampled build has them, an exact one has none.
    assert any(" to " in " ".join(row[3:]) for row in open_)
    assert any(" to " not in " ".join(row[3:]) for row in open_)


def test_a_click_opens_the_details(look):
    page = look().page
    page.locator(".board tbody tr").first.click()
    text = page.locator("dialog[open]").inner_text()
    for word in ("What its parts do", "Scenario by scenario", "Triggers in", "A sample fight", "Turn 1"):
        assert word in text
    assert page.locator("dialog figure svg").count() == 2
    page.get_by_role("button", name="Close").click()
    assert page.locator("dialog[open]").count() == 0


def test_everything_can_be_reached_with_the_keyboard(look):
    page = look().page
    page.locator(".board .name").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("dialog[open]").count() == 1
    assert page.evaluate("document.activeElement.textContent") == "Close"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className") == "name"
    wanted = set(
        page.evaluate("[...document.querySelectorAll('section[data-title]')].map((each) => each.id)")
    )
    assert {"summary", "leaderboard", "options", "saturation", "front", "spread", "earlier"} <= wanted
    wanted.discard("about")  # it has nothing to press
    at = "document.activeElement.closest('section')?.id"
    for _ in range(300):
        page.keyboard.press("Tab")
        wanted.discard(page.evaluate(at))
        if not wanted:
            break
    assert wanted == set()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in BARE])  # those pages are tables
def test_every_chart_has_its_table(look, kind):
    page = look(kind).page
    sections = page.locator("#charts section")
    assert sections.count() >= 3
    for number in range(sections.count()):
        section = sections.nth(number)
        if section.locator("figure").count():
            assert section.locator("figure svg[role=img][aria-label]").count() == 1
            section.locator("details > summary").first.click()
        rows = section.locator("table tbody tr")
        assert rows.count() > 0
        before = rows.all_inner_texts()
        section.locator("thead th button").first.click()
        section.locator("thead th button").first.click()
        assert rows.count() == len(before)


def test_share_or_lift_and_the_axes_redraw_the_charts(look):
    page = look().page
    heat = page.locator("#saturation figure")
    share = heat.inner_html()
    page.get_by_role("button", name="Lift").click()
    assert heat.inner_html() != share
    cloud = page.locator("#front figure").inner_html()
    page.locator("#front select").first.select_option(label="First")
    assert page.locator("#front figure").inner_html() != cloud


def test_names_on_the_left_of_charts_are_not_cut_off_at_their_beginning(look):
    for kind in KINDS:
        page = look(kind, PHONE).page
        outside = page.evaluate(
            """[...document.querySelectorAll('#charts figure svg')].flatMap((svg) =>
                 [...svg.querySelectorAll('text')]
                   .filter((text) => text.textContent
                     && text.getBoundingClientRect().left < svg.getBoundingClientRect().left - 1)
                   .map((text) => text.textContent))"""
        )
        assert outside == []


def test_columns_of_a_heat_map_have_room_on_a_phone(look):
    page = look(viewport=PHONE).page
    boxes = page.evaluate(
        """[...document.querySelectorAll('#saturation figure g text')]
             .filter((text) => /^top /.test(text.textContent))
             .map((text) => text.getBoundingClientRect()).map((box) => [box.left, box.right])"""
    )
    assert len(boxes) >= 2
    for (_, right), (left, _) in pairwise(boxes):
        assert right <= left + 1
    # More rows than a screen has are for the table.
    assert page.locator("#saturation figure").bounding_box()["height"] < PHONE["height"]


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_one_picture_has_a_dot_for_every_option_inside_its_frame(look, viewport):
    page = look(viewport=viewport).page
    dots = page.locator("#picture circle.dot")
    page.locator("#picture-table > summary").click()
    assert dots.count() == page.locator("#picture-table tbody tr").count() > 10
    outside = page.evaluate(
        """[...document.querySelectorAll('#picture svg')].flatMap((svg) => {
             const frame = svg.getBoundingClientRect();
             return [...svg.querySelectorAll('circle, text')]
               .map((node) => [node.textContent, node.getBoundingClientRect()])
               .filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1)
               .map(([text]) => text);
           })"""
    )
    assert outside == []


def test_loadouts_show_what_is_used_and_what_each_attack_adds(look):
    page = look("loadouts").page
    assert "50%" in page.locator("#usage figure").inner_text()
    shown = page.locator("#contributions figure").inner_html()
    page.locator("#contributions select").select_option(index=1)
    assert page.locator("#contributions figure").inner_html() != shown
    page.select_option("#with", label="Cooldown")
    assert page.locator(".board tbody tr").count() == 2
    page.select_option("#group", label=SHOWN)
    assert page.locator(".board tbody tr").count() == 1
    page.locator(".board .name").first.click()
    text = page.locator("dialog[open]").inner_text()
    for word in ("What its attacks do", "What they do together", "What is done how often", "--show-policy"):
        assert word in text


def test_a_difference_shows_before_and_after(look):
    page = look("difference").page
    text = page.locator("body").inner_text()
    assert "Reliable Accuracy cost 2 \u2192 1" in text
    assert "Effect of each edit on the best build" in text
    assert "only together" in text
    assert page.locator("#leaderboard").count() == 0


def test_names_are_text(look):
    opened = look()
    page = opened.page
    page.fill("#search", SHOWN.lower())
    assert SHOWN in page.locator(".board .name").first.inner_text()
    page.locator(".board .name").first.click()
    assert SHOWN in page.locator("#card-title").inner_text()
    assert SHOWN in page.locator("#options table").inner_text()
    assert opened.complaints == []


def test_colours_can_be_changed_by_hand_and_paper_is_white(look):
    page = look(scheme="dark").page
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.locator("#theme").click()
    assert page.evaluate(ground) != dark
    page.locator("#theme").click()
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    # A sheet of paper is narrow, and still shows a table.
    page.set_viewport_size({"width": 700, "height": 1000})
    assert (
        page.locator(".board tbody tr").first.evaluate("(row) => getComputedStyle(row).display")
        == "table-row"
    )
    assert not page.get_by_text("The numbers as a table").first.is_visible()
    page.emulate_media(media="screen")
    assert page.locator(".board tbody tr").first.evaluate("(row) => getComputedStyle(row).display") == "grid"

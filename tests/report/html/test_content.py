"""What the page is told: against the tables that it comes from."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from buildsearch.model.evaluation import Estimate, Evaluation
from buildsearch.report.html.cards import bars
from buildsearch.report.html.charts import first_cause
from buildsearch.report.html.run_page import page_content, row_data
from buildsearch.report.html.source import Extent
from buildsearch.report.html.summary import findings
from buildsearch.report.html.whole_page import as_json, render
from tests.report.html.sources import HOSTILE, SHOWN, SMALL, deck_source, subset_source


def content_of(source):
    return page_content(source, SMALL, lambda _stage: None)


@pytest.fixture(scope="module")
def subsets():
    source = subset_source(earlier=True, fights=False)
    return source, content_of(source)


@pytest.fixture(scope="module")
def decks():
    source = deck_source(fights=False)
    return source, content_of(source)


def rows_by_name(source):
    population = source.analysis.population
    return {population.name(row, source.space): row for row in range(len(population))}


@pytest.mark.parametrize("which", ["subsets", "decks"])
def test_ranks_and_scores_are_those_of_the_table(which, request):
    source, content = request.getfixturevalue(which)
    where, loss = rows_by_name(source), source.analysis.population.loss
    rows = content["data"]["rows"]
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    for row in rows:
        at = where[row["build"]]
        assert row["rank"] == 1 + int((loss < loss[at] - 1e-9).sum())
        assert row["score"] == pytest.approx(source.scores.score[at], rel=1e-5)
        assert row["cost"] == source.scores.cost[at]
        parts = {content["data"]["parts"][part]["id"]: level for part, level in row["parts"]}
        (build,) = source.space.builds(source.analysis.population.chunk(at))
        assert parts == {feature.name: feature.level for feature in source.space.features(build)}
    assert len({row["build"] for row in rows}) == len(rows)


def test_ranks_on_a_front_are_no_ranks_among_all_builds():
    plain = subset_source(fights=False)
    board = np.zeros(len(plain.scores), np.int64)
    board[:3] = 901, 902, 903
    source = replace(plain, scores=replace(plain.scores, rank=board))
    assert [row["rank"] for row in row_data(source, np.arange(3))] == [901, 902, 903]
    record = source.record.model_copy(update={"objectives": 2 * source.record.objectives})
    ranges = plain.scores.rank_ranges()
    rows = {row["build"]: row for row in row_data(replace(source, record=record), np.arange(3))}
    for build, row in rows_by_name(source).items():
        if row < 3:
            ranks = ranges.of(row)
            assert (rows[build]["rank"], rows[build]["ranks"]) == (ranks.rank, [ranks.best, ranks.worst])


@pytest.mark.parametrize("which", ["subsets", "decks"])
def test_every_filter_finds_the_best_build_of_its_kind(which, request):
    source, content = request.getfixturevalue(which)
    population, rows = source.analysis.population, content["data"]["rows"]
    for part in population.free.tolist():
        for has in (True, False):
            fitting = np.flatnonzero(population.has(part) == has)
            if len(fitting) == 0:
                continue  # a part that every build has some of
            best = population.name(int(fitting[np.argmin(population.loss[fitting])]), source.space)
            found = [row["build"] for row in rows if (part in dict(row["parts"])) == has]
            assert found[0] == best


def test_contributions_are_what_a_build_loses_without_a_part(subsets):
    source, content = subsets
    where, score = rows_by_name(source), source.scores.score
    for row in content["data"]["rows"][:10]:
        build = source.space.parse(row["build"])
        for part, loss, swapped in row["gains"]:
            without = source.space.drop(build, content["data"]["parts"][part]["id"])
            expected = score[where[source.space.name(without)]] - score[where[row["build"]]]
            assert loss == pytest.approx(expected, rel=1e-4, abs=1e-9)
            assert not swapped


def test_contributions_of_decks_are_what_the_best_replacement_loses(decks):
    source, content = decks
    where, loss, space = rows_by_name(source), source.analysis.population.loss, source.space
    for row in content["data"]["rows"][:5]:
        build = space.parse(row["build"])
        mine = dict(space.features(build))
        assert row["gains"]
        for part, found, swapped in row["gains"]:
            name = content["data"]["parts"][part]["id"]
            rivals = [
                space.name(other)
                for other in space.neighbours(build)
                if dict(space.features(other)).get(name, 0) < mine[name]
            ]
            best = min(loss[where[rival]] for rival in rivals if rival in where)
            assert found == pytest.approx(best - loss[where[row["build"]]], rel=1e-4, abs=1e-9)
            assert swapped


def test_the_head_has_the_verdict_the_numbers_and_every_finding(subsets):
    source, content = subsets
    head, verdict = content["head"], source.analysis.verdict
    assert head["verdict"].endswith("options are viable")
    assert head["is_broken"] == head["verdict"].startswith("Broken")
    assert source.analysis.words.say(verdict.best) in head["numbers"]
    assert source.analysis.words.say(verdict.reference.score) in head["numbers"]
    assert len(head["findings"]) == len(source.analysis.findings)
    assert head["fix"] == ""  # none is kept for this run, and the page says how to find one
    assert "Not searched yet" in render(content)
    facts = dict(content["facts"])
    assert facts["Exact builds"] == f"{source.scores.exact_share:.1%}"
    assert facts["Scenarios"] == "first (25%), second (75%)"
    assert facts["Seed"] == "3"


def test_charts_repeat_the_analysis(subsets):
    source, content = subsets
    data, analysis = content["data"], source.analysis
    assert len(data["saturation"]["curves"]) == len(analysis.saturation.curves)
    assert data["front"]["size"] == len(analysis.dominance.front)
    assert sum(row["builds"] for row in data["spread"]) == len(source.scores)
    assert [row["quantiles"][0] for row in data["spread"]] == pytest.approx(
        [source.scores.score[source.scores.cost == row["cost"]].min() for row in data["spread"]], rel=1e-5
    )
    assert [row["mean"] for row in data["options"]["rows"]] == pytest.approx(
        sorted(worth.mean_of_best for worth in analysis.verdict.worths.values()), rel=1e-4
    )


def test_the_picture_has_every_option_at_its_best_build(subsets):
    """Every option that the verdict counts is a dot; none is left out where there are many."""
    source, content = subsets
    told, verdict = content["data"]["picture"], source.analysis.verdict
    (row,) = told["rows"]
    counted = {source.say(each.choice.name): each for each in verdict.reaches if each.counts}
    assert {dot["name"] for dot in row["dots"]} == set(counted)
    for dot in row["dots"]:
        assert dot["score"] == pytest.approx(counted[dot["name"]].score, rel=1e-4)
    low, high = row["band"]
    assert low == pytest.approx(row["benchmark"] * 0.85, rel=1e-3)
    assert high == pytest.approx(row["benchmark"] / 0.85, rel=1e-3)
    cause = first_cause(verdict)
    assert bool(told["cause"]) == bool(cause)
    if cause:
        population = source.analysis.population
        has = np.logical_and.reduce([choice.has(population, np.arange(len(population))) for choice in cause])
        assert [dot["hasCause"] for dot in row["dots"]] == [
            bool(has[counted[dot["name"]].row]) for dot in row["dots"]
        ]
    assert {each["part"] for each in content["data"]["options"]["rows"]} >= set(counted)


def test_before_and_after(subsets):
    source, content = subsets
    earlier, before = content["data"]["earlier"], source.earlier.scores
    first = min(earlier["builds"], key=lambda row: row["before"][0])
    assert first["before"] == [1, pytest.approx(before.score.min(), rel=1e-5)]
    assert earlier["builds"][0]["after"][0] == 1


def test_cards_have_distributions_triggers_and_a_fight():
    content = content_of(subset_source())
    cards = [row["card"] for row in content["data"]["rows"] if "card" in row]
    assert len(cards) == SMALL.cards
    for card in cards:
        assert card["replay"]["lines"]
        for fight in card["fights"]:
            assert sum(fight["bars"]["shares"]) == pytest.approx(1, abs=0.01)
            assert fight["method"] in ("exact", "sampled", "reference")


def test_the_size_of_a_report_does_not_grow_with_the_run():
    few, many = (subset_source(budget=budget, fights=False) for budget in (4, 8))
    assert len(many.scores) > 10 * len(few.scores)
    extent = Extent(rows=60, cards=0)
    sizes = [len(as_json(page_content(each, extent, lambda _stage: None)["data"])) for each in (few, many)]
    # What a page holds is counted out: rows, points, pairs. Somewhat longer names may be in it.
    assert sizes[1] < 1.3 * sizes[0] < 200_000


def test_a_flood_of_findings_is_cut(subsets):
    source, _ = subsets
    finding = source.analysis.findings[0]
    flooded = replace(source, analysis=replace(source.analysis, findings=(finding,) * 5_000))
    shown = findings(flooded)
    assert len(shown) == 201
    assert shown[-1]["text"].startswith("4,800 findings")


def test_bars_keep_all_that_is_seen():
    distribution = np.zeros(300)
    distribution[100:250] = 1
    exact = Estimate(0, 0, 0, 0)
    found = bars(Evaluation("sampled", "x", {"x": exact}, 0.0, {}, distribution, 150, 0, step=0.5))
    assert (found["from"], found["width"], found["step"]) == (50, 2, 0.5)
    assert sum(found["shares"]) == pytest.approx(1, abs=1e-5)


def test_names_cannot_leave_their_place(subsets):
    _, content = subsets
    page = render(content)
    assert HOSTILE[:-1] not in page
    assert "\u202e" not in page
    block = page.partition('id="data">')[2].partition("</script>")[0]
    assert SHOWN in {part["name"] for part in json.loads(block)["parts"]}
    assert not set("<>&") & set(block)
    assert json.loads(as_json({"name": "</script><!-- &amp;"})) == {"name": "</script><!-- &amp;"}


def test_the_page_asks_nobody_for_anything(subsets, decks):
    for _, content in (subsets, decks):
        page = render(content)
        assert "default-src 'none'; script-src 'sha256-" in unescape(page)
        assert page.count("<script>") == 3
        assert "<link" not in page.replace('<link rel="icon" href="data:,">', "")
        assert "src=" not in page.partition("</head>")[0]

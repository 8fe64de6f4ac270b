"""What goes into a workbench: every build that can matter, in arrays that say what the table says."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re

import numpy as np
import pytest

from buildsearch.balancing.edits import edited_data, edits_between
from buildsearch.model.errors import UsageError
from buildsearch.report.html.workbench.packing import kept, never_best, pack
from buildsearch.report.html.workbench.page import made
from tests.browser.benches import Bench
from tests.report.html.sources import HOSTILE, SHOWN


@pytest.fixture(scope="module")
def bench():
    return Bench(parameters={"budget": "4"}, sets=[f"blessing.name='{HOSTILE}'"])


def _some(bench, rng):
    levers = rng.sample(list(bench.levers), rng.randint(1, 5))
    edits = [rng.choice(lever.edits) for lever in levers]
    return [edit for edit in edits if not edit.lets_in and bench.table.knows(edit)]


def _bests(table, legal):
    """The best score with each part, and without it, among some builds."""
    score = table.population.scores.score
    found = []
    for levels in table.population.levels:
        for has in (levels > 0, levels == 0):
            some = score[legal & has]
            found.append(float(some.min()) if len(some) else None)
    return found


def test_what_is_left_out_is_never_the_best_with_a_part_or_without_one(bench):
    table = bench.table
    spare = never_best(table.population)
    assert 0 < spare.sum() < len(spare)
    rng = random.Random(1)  # noqa: S311 - no secret
    for _ in range(60):
        legal = table.legal(_some(bench, rng))
        assert _bests(table, legal) == _bests(table, legal & ~spare)


def test_a_limit_says_down_to_where_everything_is_known(bench):
    table = bench.table
    score = table.population.scores.score
    needed = int((~never_best(table.population)).sum())
    assert kept(table, len(score)).left_out == 0
    enough = kept(table, needed)
    assert (enough.left_out, enough.sure) == (len(score) - needed, None)
    few = kept(table, needed // 2)
    assert few.left_out + len(few.rows) == len(score)
    missing = np.setdiff1d(np.arange(len(score)), few.rows)
    assert few.complete == score[missing].min()
    assert few.sure >= few.complete
    rng = random.Random(2)  # noqa: S311 - no secret
    chosen = np.isin(np.arange(len(score)), few.rows)
    for _ in range(30):
        legal = table.legal(_some(bench, rng))
        for here, there in zip(_bests(table, legal & chosen), _bests(table, legal), strict=True):
            assert here == there or there >= few.sure


def test_where_all_points_are_spent_no_smaller_build_stands_in():
    table = Bench("armitage", sets=["deck.size=4"]).table
    few = kept(table, 50)
    assert few.rows.tolist() == list(range(50))
    assert few.sure == few.complete


def test_arrays_say_what_the_table_says(bench):
    table = bench.table
    rows = np.arange(0, len(table.population), 3)
    parcel = pack(table, rows)
    body = gzip.decompress(base64.b64decode(parcel.text()))
    found, begin = {}, 0
    for section in parcel.sections:
        kind = np.dtype(section["type"].lower()).newbyteorder("<")
        end = begin + section["length"] * kind.itemsize
        shuffled = np.frombuffer(body[begin:end], np.uint8).reshape(kind.itemsize, -1)
        found[section["name"]] = np.ascontiguousarray(shuffled.T).view(kind).ravel()
        begin = end
    assert begin == len(body)
    scores = table.population.scores
    assert found["score"].tolist() == scores.score[rows].tolist()
    assert found["group"].tolist() == scores.group[rows].tolist()
    for fight in range(len(scores.fights)):
        assert found[f"mean {fight}"] == pytest.approx(scores.fight_means[fight, rows], rel=1e-6)
    for part in table.population.free:
        bits = np.unpackbits(found[f"part {part} bit 0"].view(np.uint8), bitorder="little")[: len(rows)]
        assert bits.tolist() == table.population.levels[part, rows].tolist()


def test_names_cannot_break_out_of_the_page_and_only_its_own_script_runs(bench):
    page = made(bench.source(), kept(bench.table, 100)).text
    assert HOSTILE[:-1] not in page
    assert "\u202e" not in page
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
    assert "default-src &#39;none&#39;" in policy
    assert "unsafe-eval" not in policy
    assert policy.endswith("worker-src blob:")
    assert len(re.findall(r"<script>", page)) == 1
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert SHOWN in {part["name"] for part in data["parts"]}


def test_edits_are_found_again_in_edited_rules(bench):
    before = bench.loaded.document.root.plain()
    rng = random.Random(3)  # noqa: S311 - no secret
    for _ in range(20):
        edits = list({edit.lever: edit for edit in _some(bench, rng)}.values())
        after = edited_data(before, edits) | {"id": "other", "name": "Other", "extends": "this"}
        assert {each.text for each in edits_between(before, after, bench.levers)} == {e.text for e in edits}
    with pytest.raises(UsageError, match="more than costs"):
        edits_between(before, before | {"default_scenarios": "others"}, bench.levers)

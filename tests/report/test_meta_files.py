"""The files of a meta: safe, whole, and in words that say what was found."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest

from buildsearch.meta.double_oracle import Rules, find_meta
from buildsearch.report.html.whole_page import render
from buildsearch.report.meta_files import meta_data, write_meta
from buildsearch.report.meta_sentences import (
    say_cycles,
    say_effective,
    say_exploitability,
    say_holding,
    verdict,
)
from tests.meta.toys import ROCK_PAPER_SCISSORS, ladder, toy
from tests.report.html.metas import hostile_meta, hostile_meta_content
from tests.report.html.sources import HOSTILE, SHOWN


def found(wins, start=(0,), *, exact=True, **asked):
    return find_meta(toy(wins, exact=exact)[0], start, Rules(**{"epsilon": 0.1} | asked), lambda _done: None)


def test_names_can_do_no_harm(tmp_path):
    meta = hostile_meta()
    write_meta(tmp_path / "found", meta, {"x": 1}, HOSTILE, [("Rules", HOSTILE)], 4)
    page = (tmp_path / "found" / "meta.html").read_text(encoding="utf-8")
    assert HOSTILE[:-1] not in page
    assert "\u202e" not in page
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1)
    assert any(SHOWN in one["build"] for one in json.loads(block)["pool"])
    for name in ("matrix.csv", "shares.csv"):
        with (tmp_path / "found" / name).open(encoding="utf-8") as file:
            assert all(row["build"].startswith("'=") for row in csv.DictReader(file)), name


def test_a_page_has_what_it_draws():
    data = hostile_meta_content()["data"]
    assert sorted(data["order"]) == [0, 1, 2, 3]
    assert len(data["cells"]) == 16
    assert len(data["cycles"]) == 1
    assert '"kind":"meta"' in render(hostile_meta_content())


def test_data_is_json():
    for meta in (found(ROCK_PAPER_SCISSORS), found(ladder(6), exact=False, budget=500_000)):
        told = json.loads(json.dumps(meta_data(meta, 6), allow_nan=False))
        assert told["effective_builds"]["low"] <= told["effective_builds"]["value"]
        assert told["says"][-1].startswith("An equilibrium is no forecast")


def test_the_last_word_is_one_to_act_on():
    assert verdict(found(ladder(6))).startswith("One build is the whole game: b0 has no counter.")
    circle = verdict(found(ROCK_PAPER_SCISSORS))
    assert circle.startswith("About 3 builds are worth playing, and they keep one another in check")
    even = verdict(found(np.full((3, 3), 0.5), (0, 1, 2)))
    assert even.startswith("Nobody beats b0, and it is as good as whatever else holds its own")
    open_ = verdict(found(ladder(12, 0.01), exact=False, budget=5_000, epsilon=0.001))
    assert open_.startswith("As far as the fights went: ")


def test_who_was_not_looked_at_is_told():
    meta = found(ROCK_PAPER_SCISSORS)
    assert "for all 3 builds" in say_exploitability(meta, 3)
    assert "3 of 900 builds were looked at, only those that were tried" in say_exploitability(meta, 900)


def test_what_is_proved_of_the_number_of_builds_is_told():
    proved = found(ROCK_PAPER_SCISSORS)
    assert say_effective(proved) == "Effective number of builds: 3.0."
    assert say_holding(proved).endswith("No equilibrium is more even than this one: proved.")
    sampled = found(ROCK_PAPER_SCISSORS, exact=False, budget=500_000)
    assert say_effective(sampled).endswith(", of this mixture.")
    assert "another seed may give another" in say_holding(sampled)
    crowded = found(np.full((4, 4), 0.5), most=2)
    assert "3 of them are not in the matrix" in say_holding(crowded)


def test_circles_in_words():
    assert "1 of 1 decided triples (100.0 %; chance would give 25 %)" in say_cycles(
        found(ROCK_PAPER_SCISSORS)
    )
    assert "fewer than three builds" in say_cycles(found(ladder(2)))
    even = say_cycles(found(np.full((3, 3), 0.5), (0, 1, 2)))
    assert even == "Cycles: no three builds with every pair decided; of 3 pairs 3 are even or not decided."


@pytest.mark.parametrize("size", [60])
def test_a_heat_map_is_broken_and_not_cut(size):
    from buildsearch.cli.meta_view import heat_map

    lines = heat_map(found(ladder(size, 0.005), tuple(range(size)), epsilon=0.4))
    assert max(map(len, lines)) <= 60
    assert len(lines) == 2 * (size + 2)

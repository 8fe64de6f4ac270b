"""The files of a meta: safe, whole, and in words that say what was found."""

from __future__ import annotations

import json
from html import escape

import numpy as np
import pytest

from buildsearch.document.blocks import Text
from buildsearch.document.terminal import to_terminal
from buildsearch.meta.double_oracle import MetaLimits, find_meta
from buildsearch.report.meta_files import meta_data, write_meta
from buildsearch.views.meta import (
    matchups,
    say_best_counter,
    say_break_even,
    say_cycles,
    say_next,
    say_result,
    say_worth_playing,
)
from tests.meta.toys import ROCK_PAPER_SCISSORS, ladder, toy
from tests.report.html.metas import hostile_meta_page
from tests.report.html.sources import HOSTILE, SHOWN


def found(wins, start=(0,), *, exact=True, **asked):
    return find_meta(
        toy(wins, exact=exact)[0], start, MetaLimits(**{"epsilon": 0.1} | asked), lambda _done: None
    )


def test_a_page_has_every_pair_and_every_cycle(tmp_path):
    meta, about, page = hostile_meta_page()
    matrix = next(table for table in page.tables if table.name == "matrix")
    assert len(matrix.rows) == 4
    for i, row in zip(meta.structure.order, matrix.rows, strict=True):
        assert list(row[1:]) == [meta.means[i, j] for j in meta.structure.order]
    assert sum(" > " in block.text for block in page.blocks if isinstance(block, Text)) == 1
    write_meta(tmp_path / "found", meta, about, page)
    text = (tmp_path / "found" / "meta.html").read_text(encoding="utf-8")
    assert HOSTILE[:-1] not in text
    assert escape(SHOWN) in text


def test_data_is_json():
    for meta in (found(ROCK_PAPER_SCISSORS), found(ladder(6), exact=False, budget=500_000)):
        told = json.loads(json.dumps(meta_data(meta, 6), allow_nan=False))
        assert told["builds_worth_playing"]["low"] <= told["builds_worth_playing"]["value"]
        assert told["says"][-1].startswith("This is not a forecast.")


def test_the_last_word_is_one_to_act_on():
    best = found(ladder(6))
    assert say_result(best) == "One build has no counter: b0"
    assert say_next(best) == "Weaken it or add a counter, then run meta again."
    circle = found(ROCK_PAPER_SCISSORS)
    assert say_result(circle).startswith("About 3 builds are worth playing, and they counter each other: b")
    assert "a change that removes its counter ends the variety" in say_next(circle)
    even = found(np.full((3, 3), 0.5), (0, 1, 2))
    assert say_result(even).startswith("b0 has no counter; 3.0 builds are worth playing: b0 (33%)")
    assert "change one, or end the draws" in say_next(even)
    open_ = say_result(found(ladder(12, 0.01), exact=False, budget=5_000, epsilon=0.001))
    assert open_.startswith("So far: ")


def test_builds_that_were_not_tried_are_counted():
    meta = found(ROCK_PAPER_SCISSORS)
    assert "(95% confidence, all 3 builds)." in say_best_counter(meta, 3)
    assert "(95% confidence, 3 of 900 builds were tried)." in say_best_counter(meta, 900)


def test_what_is_proved_of_the_number_of_builds_is_told():
    proved = found(ROCK_PAPER_SCISSORS)
    assert say_worth_playing(proved) == "Builds worth playing: 3.0."
    assert say_break_even(proved).endswith("No metagame is more even (proved).")
    sampled = found(ROCK_PAPER_SCISSORS, exact=False, budget=500_000)
    assert say_worth_playing(sampled).endswith("; another mixture may have more.")
    assert "another seed may give other shares" in say_break_even(sampled)
    crowded = found(np.full((4, 4), 0.5), most=2)
    assert "3 of them are not in the matchup table" in say_break_even(crowded)


def test_cycles_in_words():
    circle = "1 of 1 settled triples are rock-paper-scissors cycles (100.0%; chance would give 25%)."
    assert say_cycles(found(ROCK_PAPER_SCISSORS)) == circle
    assert say_cycles(found(ladder(2))) == "Cycles need three builds; the table has fewer."
    assert say_cycles(found(ladder(6), (0, 1, 2))) == "No rock-paper-scissors cycles."
    even = say_cycles(found(np.full((3, 3), 0.5), (0, 1, 2)))
    assert even == "No three builds have settled matchups. 3 of 3 pairs are even or not settled."


@pytest.mark.parametrize("size", [3, 60])
def test_the_page_is_short_and_the_data_have_every_build(size, capsys):
    meta = found(ladder(size, 0.005), tuple(range(size)), epsilon=0.4)
    page = matchups(meta, "Ladder", size, meta_data(meta, size), "found")
    to_terminal(page)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 36
    assert all(len(line) <= 80 for line in lines)
    assert len(page.data["pool"]) == len(meta.names)

"""Tables in windows of any width."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.table import Table

from buildsearch.cli.score_view import say_estimate
from buildsearch.cli.widths import print_fitting
from buildsearch.model.evaluation import Estimate
from buildsearch.model.text import count

ROWS = {"boss": ("19.2602 ± 0.0213", "74.03%"), "the_gang_at_the_gate": ("22.0015", "17.08%")}


def shown(width):
    table = Table(show_edge=False)
    table.add_column("scenario")
    for head in ("turns to win", "survival"):
        table.add_column(head, justify="right")
    for name, numbers in ROWS.items():
        table.add_row(name, *numbers)
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    print_fitting(console, table)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [30, 40, 50, 60, 80, 200])
def test_no_number_is_ever_cut(width):
    said = shown(width)
    assert "…" not in said
    assert max(map(len, said.splitlines())) <= width
    for numbers in ROWS.values():
        for number in numbers:
            assert number in re.sub(r"\s+", " ", said), number


def test_a_wide_window_has_a_table_and_a_narrow_one_a_list():
    assert "┃" in shown(80)
    assert "turns to win: 22.0015; survival: 17.08%" in re.sub(r"\s+", " ", shown(38))


def test_one_is_not_many():
    assert (count(1, "build"), count(0, "build"), count(1234, "build")) == (
        "1 build",
        "0 builds",
        "1,234 builds",
    )


def test_a_row_without_a_name_goes_on_with_the_one_above():
    table = Table()
    for head in ("scenario", "", "A", "B"):
        table.add_column(head, justify="right" if head in ("A", "B") else "left")
    table.add_row("boss", "turns to win", "8.39729", "8.61649")
    table.add_row("", "survival", "99.95%", "99.94%")
    console = Console(file=io.StringIO(), width=30, highlight=False, markup=False)
    print_fitting(console, table)
    said = console.file.getvalue()
    assert said.count("scenario") == 0
    assert "turns to win; A: 8.39729" in said


def test_no_interval_goes_beyond_its_metric():
    assert say_estimate(Estimate(1.0, 0.001, 1.0, 1.003)) == "1.0000 (1.0000 to 1.0030)"
    assert say_estimate(Estimate(9.4, 0.05, 9.3, 9.5)) == "9.40 ± 0.10"
    assert say_estimate(Estimate(2.5e-19, 0.0, 2.5e-19, 2.5e-19)) == "about 0"
    assert say_estimate(Estimate(0.0, 0.0, 0.0, 0.0)) == "0"

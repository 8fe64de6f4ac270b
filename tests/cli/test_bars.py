"""The pictures that commands end with."""

from __future__ import annotations

import io

from rich.console import Console

from buildsearch.analysis.reach import Freedom
from buildsearch.cli.bars import Bar, freedom_of, parts_of, print_bars
from buildsearch.model.space import Feature


def drawn(bars, encoding="utf-8"):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    print_bars(Console(file=out, width=80), "Title", bars)
    out.flush()
    return out.buffer.getvalue().decode(encoding)


def test_the_longest_is_forty_wide_and_nothing_is_nothing():
    lines = drawn([Bar("a", 1.0, "4"), Bar("longer", 0.001, "1"), Bar("b", 0.0, "0")]).splitlines()
    assert lines[1:] == ["Title", f"  a       {40 * '█'} 4", "  longer  █ 1", "  b       0"]
    assert drawn([]) == ""


def test_terminals_without_blocks_get_marks():
    assert f"  a  {40 * '#'} 1" in drawn([Bar("a", 1.0, "1")], "ascii")


def test_names_drive_no_terminal():
    assert "\x1b" not in drawn([Bar("a\x1b[2Jb", 1.0, "1")])


def test_freedom_before_and_after():
    assert freedom_of([("today", Freedom(0.8, 3, 12)), ("1", Freedom(0.8, 6, 12))]) == [
        Bar("today", 0.25, "3 of 12"),
        Bar("1", 0.5, "6 of 12"),
    ]


def test_parts_count_once_a_build():
    builds = [(Feature("a"), Feature("b", 2)), (Feature("a"), Feature("a", 2))]
    assert parts_of(builds) == [Bar("a", 1.0, "2 of 2"), Bar("b", 0.5, "1 of 2")]

"""Names that would turn a terminal's writing around, or break its lines."""

from __future__ import annotations

import csv

import pytest

from buildsearch.model.text import TRICKS, visible, without_tricks

NAME = "Bl\u202eeed\u2028now\u2066"
SHOWN = r"Bl\u202eeed\u2028now\u2066"


@pytest.fixture
def rules(rules_text, elsewhere):
    path = elsewhere / "mine.yaml"
    path.write_text(rules_text.replace("name: Bleed", f'name: "{NAME}"'), encoding="utf-8")
    return path


def test_terminals_see_escapes(run, rules):
    for command in (("show", rules, "bleed"), ("list", "options", "--rules", rules), ("validate", rules)):
        ended = run(*command)
        assert not set(TRICKS) & set(ended.out + ended.err), command
    assert SHOWN in run("show", rules, "bleed").out


def test_errors_see_escapes(run, elsewhere):
    for word in (f"a{NAME}", "a\x1b[2Jb"):
        ended = run("show", word, "bleed")
        assert ended.code == 2
        assert not set(TRICKS + "\x1b") & set(ended.err)


def test_tables_see_escapes(run, rules, elsewhere):
    from buildsearch.document.table_files import write_table

    write_table([{"name": [NAME, "=1", None], "n": [1, 2, 3]}], elsewhere / "a.csv")
    with (elsewhere / "a.csv").open(encoding="utf-8", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == [SHOWN, "'=1", ""]


def test_other_writing_stays():
    text = "naïve שלום 東京 \x1b[31mred\x1b[0m\n\ttab"
    assert without_tricks(text) == text
    assert visible("a\x1b\u202eb") == r"a\x1b\u202eb"

"""Every block in every renderer: nothing is cut at 80 columns, no text becomes markup or a formula."""

import csv
import io
import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from buildsearch.document import numbers
from buildsearch.document.blocks import (
    BLANK,
    Bar,
    Bars,
    Change,
    Code,
    Column,
    Document,
    Heading,
    Kind,
    Labelled,
    More,
    Sampled,
    Show,
    Step,
    Table,
    Text,
)
from buildsearch.document.data import table_rows, to_data, write_csv
from buildsearch.document.html import to_html
from buildsearch.document.markdown import to_markdown
from buildsearch.document.numbers import as_share, in_column, in_file
from buildsearch.document.terminal import to_terminal
from buildsearch.model import evaluation

HOSTILE = "<script>x</script> =1+1 @team \x1b[31m \u202e | `a` https://example.org"
BUILD = "melee_dg+reliable_accuracy+barrage+explosive_critical+timid+charges_2+passive+channeled+brutal"


def page(*blocks, width=80):
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, no_color=True)
    to_terminal(Document("title", tuple(blocks)), console)
    return console.file.getvalue().splitlines()


def leaderboard(rows=3):
    columns = (
        Column("rank", Kind.COUNT),
        Column("mean_turns", head="turns"),
        Column("survival", Kind.PERCENT),
        Column("note", Kind.TEXT),
        Column("build", Kind.BUILD, show=Show.OWN_LINE),
        Column("secret", show=Show.FILE),
    )
    cells = [
        (i + 1, 2.517384 + i, 0.998, "best area" if i == 0 else "", BUILD, 0.1234567) for i in range(rows)
    ]
    return Table("leaderboard", "", columns, cells, shown=2)


def all_blocks(text):
    return (
        Heading(text),
        Text(text),
        BLANK,
        Labelled("error", text, code="must-have"),
        Step("buildsearch analyze", text),
        Table("t", text, (Column("a", Kind.TEXT, head=text), Column("b")), [(text, 1.5)], note=text),
        Bars(text, (Bar(text, 0.5, text),)),
        Code(text),
    )


def test_a_row_has_its_build_on_a_line_of_its_own():
    assert page(leaderboard()) == [
        "rank  turns  survival  note",
        "   1   2.52      >99%  best area",
        f"      {BUILD}",
        "   2   3.52      >99%",
        f"      {BUILD}",
        "and 1 more in leaderboard.csv",
    ]


def test_files_and_json_have_every_row_and_column_with_six_digits(tmp_path):
    assert to_data(Document("d", (leaderboard(),), {"status": "broken"}))["leaderboard"][2] == {
        "rank": 3,
        "mean_turns": 4.51738,
        "survival": 0.998,
        "note": "",
        "build": BUILD,
        "secret": 0.123457,
    }
    rows = list(csv.DictReader(write_csv(leaderboard(), tmp_path).read_text().splitlines()))
    assert [row["mean_turns"] for row in rows] == ["2.51738", "3.51738", "4.51738"]


def test_a_sampled_number_shows_its_range_and_has_three_columns_in_a_file():
    table = Table("t", "", (Column("score"),), [(Sampled(6.234, 6.11, 6.35),)])
    assert page(table)[1] == "6.23 (6.11 to 6.35)"
    assert table_rows(table) == [{"score": 6.234, "score_low": 6.11, "score_high": 6.35}]


def test_few_wide_rows_are_turned_around():
    columns = (Column("measure", Kind.BUILD), *(Column(f"some_long_column_{i}") for i in range(6)))
    assert page(Table("t", "", columns, [("now", *range(6)), ("after", *range(6))]))[:2] == [
        "measure             now  after",
        "some long column 0    0      0",
    ]


def test_wide_columns_go_first_and_long_text_folds():
    columns = (Column("a", Kind.TEXT), Column("b", show=Show.WIDE), Column("c"))
    rows = [("word " * 14, 1.0, 2.0)] * 5
    lines = page(Table("t", "", columns, rows), width=60)
    assert " b" not in lines[0]
    assert max(map(len, lines)) <= 60
    assert " b" in page(Table("t", "", columns, rows), width=100)[0]


def test_columns_move_together_before_one_goes():
    columns = (Column("aaaa", show=Show.WIDE), Column("bbbb"), Column("cccc"))
    rows = [(1.0, 2.0, 3.0)] * 5
    assert [page(Table("t", "", columns, rows), width=each)[0] for each in (16, 15, 14, 13)] == [
        "aaaa  bbbb  cccc",
        "aaaa bbbb cccc",
        "aaaa bbbb cccc",
        "bbbb cccc",
    ]


@given(
    st.lists(st.text("ab+_ ", min_size=1, max_size=60), min_size=1, max_size=7),
    st.integers(1, 6),
    st.integers(60, 140),
)
def test_no_table_is_wider_than_the_window_but_for_a_single_word(texts, rows, width):
    columns = tuple(Column(f"c{i}", Kind.TEXT) for i in range(len(texts)))
    for line in page(Table("t", "", columns, [texts] * rows), width=width):
        assert len(line) <= width or max(map(len, line.split())) > width - 8


def test_a_finding_has_its_code_and_a_hanging_indent():
    assert page(
        Labelled(
            "warning",
            "6 options miss the benchmark by more than 30%: Near Death, Unbreakable",
            code="overcosted",
        )
    ) == [
        "warning  6 options miss the benchmark by more than 30%: Near Death, Unbreakable",
        "         [overcosted]",
    ]


def test_hostile_text_does_nothing_on_a_terminal():
    text = "\n".join(page(*all_blocks(HOSTILE)))
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_hostile_text_is_text_in_html():
    tags = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            tags.append(tag)

    html = to_html(Document(HOSTILE, all_blocks(HOSTILE)))
    Reader().feed(html)
    assert "script" not in tags
    assert "\u202e" not in html
    assert Document(HOSTILE, all_blocks(HOSTILE))._repr_html_() == html


def test_hostile_text_is_code_in_markdown():
    text = to_markdown(Document(HOSTILE, all_blocks(HOSTILE)[:-1]))
    for word in ("<script>x</script>", "@team", "https://example.org"):
        assert text.count(word) == text.count(f"`{word}`") + text.count(f"`{word}'")
    assert "\x1b" not in text


def test_a_fence_is_longer_than_any_in_the_code():
    assert to_markdown(Document("t", (Code("```\nx", "yaml"),))).splitlines()[-4:] == [
        "````yaml",
        "```",
        "x",
        "````",
    ]


@given(st.floats(1e-9, 1e9))
def test_a_number_in_a_file_is_rounded_once(value):
    written = in_file(value)
    assert written == pytest.approx(value, rel=5.1e-6, abs=5.1e-7)
    assert round(written, 6) == written
    if value < 0.1:  # where tables have six decimals, it is what they have
        assert written == round(value, 6)


def test_decimals_are_those_of_scores():
    assert numbers.DECIMALS == evaluation.DECIMALS


def test_a_number_that_ends_in_a_five_is_not_rounded_twice():
    assert in_file(0.0532145487) == 0.053215


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0%"), (0.004, "<1%"), (0.5, "50%"), (0.996, ">99%"), (1, "100%"), (0.01, "1%")]
)
def test_a_share_is_not_rounded_to_nothing_or_to_all(share, text):
    assert as_share(share) == text


def test_numbers_in_sentences_columns_and_files():
    assert [in_column(cell, Column("x")) for cell in (None, float("nan"), 5778, 6.26474, True)] == [
        "-",
        "-",
        "5,778",
        "6.26",
        "yes",
    ]
    assert [in_file(value) for value in (float("inf"), 6.264741234)] == [None, 6.26474]
    assert json.dumps(to_data(Document("d", (), {"a": 1}))) == '{"a": 1}'


def before_and_after():
    columns = (
        Column("option", Kind.TEXT, head="Bleed"),
        Column("best", head="its best build, turns"),
        Column("viability", Kind.PERCENT),
        Column("wins", Kind.RATE),
        Column("builds", Kind.COUNT),
    )
    rows = (("now", 6.78, 0.37, 0.984, 5778), ("after", Sampled(6.23, 6.11, 6.35), 0.4, 0.9999, None))
    return Table("bleed", "", columns, rows, is_transposed=True)


def test_a_transposed_table_has_a_line_for_each_column():
    assert page(before_and_after()) == [
        "Bleed                    now   after",
        "its best build, turns   6.78    6.23 (6.11 to 6.35)",
        "viability                37%     40%",
        "wins                   98.4%  >99.9%",
        "builds                 5,778       -",
    ]
    lines = to_markdown(Document("t", (before_and_after(),))).splitlines()
    assert any("Bleed" in line and "now" in line and "after" in line for line in lines)
    assert any("viability" in line and "37%" in line and "40%" in line for line in lines)
    assert '<th scope="row">viability</th>' in to_html(Document("t", (before_and_after(),)))
    assert table_rows(before_and_after())[1]["best_low"] == 6.11


def test_a_change_is_an_arrow_for_people_and_two_values_for_programs():
    table = Table("t", "", (Column("edit", Kind.TEXT), Column("best")), [("cost", Change(6.7, 2.517384))])
    assert "6.70 -> 2.52" in "\n".join(page(table))
    assert "6.70 → 2.52" in to_markdown(Document("t", (table,)))
    assert "6.70 → 2.52" in to_html(Document("t", (table,)))
    assert table_rows(table) == [{"edit": "cost", "best_before": 6.7, "best_after": 2.51738}]


def test_a_finding_with_a_place_begins_with_it():
    block = Labelled(
        "error", "Without Barrage " + "the best build needs more " * 3, code="must-have", place="a.yaml:7"
    )
    first, *others = page(block)
    assert first.startswith("a.yaml:7: error: Without Barrage")
    assert others
    assert all(line.startswith("  ") for line in others)
    assert "`must-have` `a.yaml:7`" in to_markdown(Document("t", (block,)))


def test_more_is_folded_away_where_pages_fold():
    document = Document("t", (More("3 more", (Text("hidden"), before_and_after())),))
    assert "hidden" in "\n".join(page(*document.blocks))
    assert "<details><summary>3 more</summary>" in to_html(document)
    assert "<details><summary>3 more</summary>\n\nhidden" in to_markdown(document)
    assert [table.name for table in document.tables] == ["bleed"]

"""Text of others in Markdown: read back by a parser, it is text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from buildsearch.model.text import as_text, table_lines

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What GitHub makes links and notifications of wherever it stands as text, escaped or not.
LINKED = re.compile(r"@|//|www\.|#\d|GH-\d", re.IGNORECASE)
WORDS = ("@name", "http://e", "www.e", "#1", "GH-1", "o/r#1", "`", "``", "|", "\\", "<b>", "*", "_", "[x](y)")
LETTERS = st.sampled_from([*WORDS, *"~!-:.> \n\t\x1b\u202e$az1"])


@given(st.lists(LETTERS, max_size=12).map("".join))
@example("x @name http://e")
@example("`a\\| @name` b `c | <img src=x>")
@example("a `b`c`d` @e `f`.@g")
def test_nothing_in_a_cell_is_markup(words):
    tokens = PARSER.parse("\n".join(table_lines(("a", "b"), [(words, "end")])))
    cells = [each for each in tokens if each.type == "inline"]
    assert [each.content for each in (*cells[:2], *cells[3:])] == ["a", "b", "end"]
    for each in cells[2].children:
        assert each.type in ("text", "code_inline")
        assert each.type == "code_inline" or not LINKED.search(each.content)
        assert each.content.isprintable()


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("bleed costs 2 (+1), was 1 -> line 7.", "bleed costs 2 (+1), was 1 -> line 7."),
        ("`balance --apply 1` writes melee_dg.", "`balance --apply 1` writes `melee_dg.`"),
        ("x @name http://e", "x `@name` `http://e`"),
    ],
)
def test_only_what_could_be_markup_looks_like_code(words, shown):
    assert as_text(words) == shown

from __future__ import annotations

from pathlib import Path

import pytest

from buildsearch.gate.config import KINDS, PRESETS, preset, read_config
from buildsearch.gate.results import Level
from buildsearch.model.errors import InputError, UsageError

GOOD = """
rules = "vitality-v2"
parameters = { tier = [3, 4], archetype = "focused" }

[assertions.fast-boss]
kind = "build-beats-limit"
scenario = ["boss"]
limit = 1.5
level = "warn"
"""


def problems_of(text, path):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_config(path)
    return caught.value.problems


def test_a_file_is_read(tmp_path):
    path = tmp_path / "buildsearch.toml"
    path.write_text(GOOD, encoding="utf-8")
    config, found = read_config(path)
    assert found == path
    assert config.parameters == {"tier": (3, 4), "archetype": ("focused",)}
    assert config.assertions["fast-boss"].limit == 1.5
    assert config.assertions["fast-boss"].level is Level.WARN


def test_the_usual_places_in_their_order(elsewhere):
    assert read_config(None)[1] is None
    Path("pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    assert read_config(None)[1] is None
    Path("pyproject.toml").write_text('[tool.buildsearch]\nrules = "a"\n', encoding="utf-8")
    config, path = read_config(None)
    assert (config.rules, str(path)) == ("a", "pyproject.toml")
    Path("buildsearch.toml").write_text('rules = "b"\n', encoding="utf-8")
    assert read_config(None)[0].rules == "b"


def test_every_one_of_many_unknown_keys_has_its_line(tmp_path):
    text = "".join(f"key{number} = 1\n" for number in range(2_000))
    found = problems_of(text + GOOD, tmp_path / "buildsearch.toml")
    assert [problem.line for problem in found] == list(range(1, 2_001))


def test_problems_are_told_in_plain_words_in_the_order_of_the_file(tmp_path):
    text = 'preset = "lenint"\n[assertions.x]\nkind = "build-beats-limit"\nlimit = "a"\nlevel = "warning"\n'
    found = problems_of(text, tmp_path / "buildsearch.toml")
    assert [problem.line for problem in found] == [1, 4, 5]
    assert "`limit` must be a number, not 'a'" in [problem.message for problem in found]
    assert "lenient" in found[0].hint
    assert not [problem for problem in found if "Input should" in str(problem)]


@pytest.mark.parametrize("limit", ["nan", "inf"])
def test_a_limit_that_nothing_can_reach_is_no_limit(tmp_path, limit):
    text = f'[assertions.x]\nkind = "build-beats-limit"\nlimit = {limit}\n'
    assert "finite" in problems_of(text, tmp_path / "buildsearch.toml")[0].message


def test_all_problems_at_once_with_line_and_hint(tmp_path):
    text = GOOD + '[assertions.typo]\nkind = "ubiquitous-optoin"\n\n'
    text += '[assertions.short]\nkind = "ubiquitous-option"\nlft = 3\n'
    found = problems_of(text + "[extra]\n", tmp_path / "buildsearch.toml")
    by_path = {problem.path: problem for problem in found}
    assert by_path["assertions.typo.kind"].line == 11
    assert "ubiquitous-option" in by_path["assertions.typo.kind"].hint
    assert by_path["assertions.short.lft"].line == 15
    assert "lift" in by_path["assertions.short.lft"].hint
    assert by_path["assertions.short.lift"].line == 13
    assert "extra" in by_path


def test_what_is_no_toml_is_told_with_its_line(tmp_path):
    (problem,) = problems_of('rules = "a"\nfights = [3\nx', tmp_path / "buildsearch.toml")
    assert problem.line is not None


def test_what_cannot_be_read_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read_config(tmp_path / "none.toml")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"no \[tool.buildsearch\]"):
        read_config(tmp_path / "pyproject.toml")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_configs(name):
    assert {assertion.kind for assertion in preset(name).assertions.values()} <= set(KINDS)


def test_an_unknown_preset_is_told():
    with pytest.raises(UsageError, match="strict"):
        preset("stict")


def test_a_kind_that_is_gone_names_its_successor(tmp_path):
    text = '[assertions.x]\nkind = "no_outliers"\n'
    assert "overpowered-combination" in problems_of(text, tmp_path / "buildsearch.toml")[0].hint

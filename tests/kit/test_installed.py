"""A game in an installed package: found by the name that rules files give, and loaded only then."""

from __future__ import annotations

import sys

import pytest

from buildsearch.cli.main import exit_code_of
from buildsearch.systems import registry


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package as pip leaves it: a folder of code beside one of metadata."""
    assert exit_code_of(["new", "wanderers", "--out", str(tmp_path / "wanderers")]) == 0
    (tmp_path / "wanderers" / "__init__.py").write_text("", encoding="utf-8")
    about = tmp_path / "wanderers-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: wanderers\nVersion: 1.0\n", encoding="utf-8"
    )
    points = "[buildsearch.games]\nwanderers = wanderers.game:game\n"
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    registry._installed.cache_clear()
    yield tmp_path / "wanderers"
    registry._installed.cache_clear()
    for name in [each for each in sys.modules if each.split(".")[0] == "wanderers"]:
        del sys.modules[name]


def test_rules_that_name_it_find_it(installed, capsys):
    capsys.readouterr()
    assert exit_code_of(["enumerate", "--count", "--rules", str(installed / "rules.yaml")]) == 0
    assert "819 legal builds" in capsys.readouterr().out


def test_other_rules_do_not_load_it(installed):
    assert exit_code_of(["show", "dungeoneers", "mace"]) == 0
    assert "wanderers.game" not in sys.modules


def test_it_can_be_named(installed, capsys):
    assert exit_code_of(["show", "rules", "sword", "--game", "wanderers"]) in (0, 2)
    assert registry.named_game().id == "wanderers"
    assert exit_code_of(["show", "rules", "sword"]) == 0
    assert "Sword" in capsys.readouterr().out

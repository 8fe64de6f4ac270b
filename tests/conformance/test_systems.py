"""Every registered system and every shipped ruleset keeps what `buildsearch.testing` asks."""

from __future__ import annotations

import pytest

from buildsearch.library.input_files import inspect, load_rules
from buildsearch.ruleset.locate import list_files
from buildsearch.systems.registry import SYSTEMS
from buildsearch.testing import RulesetSuite, SystemSuite

# The smallest space of each system that still says something, so that all of it can be listed.
SMALL = {
    "vitality": {"budget": "2"},
    "armitage": {},
    "dungeoneers": {"points": "2", "gear": "2", "max_spells": "1"},
    "animon": {"stage": "basic", "elements": "fire+water"},
}

# A larger one of the same builds, most of which the small one must refuse.
LARGE = {
    "vitality": {"budget": "4"},
    "armitage": {"spend": "any", "status_cards": "on"},
    "dungeoneers": {"points": "2", "gear": "4", "rank": "B"},
    "animon": {"stage": "basic", "elements": "fire+water+light", "bond_level": "2"},
}


def _shipped(shelf):
    """The files by paths that hold anywhere: tests run in another folder than they are collected in."""
    return [path.resolve() for path in list_files(shelf).values()]


class TestEverySystem(SystemSuite):
    @pytest.fixture(params=SYSTEMS, ids=lambda system: system.id)
    def system(self, request):
        return request.param


class TestEveryRuleset(RulesetSuite):
    @pytest.fixture(params=_shipped("rules"), ids=lambda path: path.stem)
    def loaded(self, request):
        return load_rules(str(request.param))

    @pytest.fixture
    def small(self, loaded):
        return SMALL[loaded.system.id]

    @pytest.fixture
    def large(self, loaded):
        return LARGE[loaded.system.id]


def test_ids_are_unique():
    ids = [system.id for system in SYSTEMS]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("path", _shipped("scenarios"), ids=lambda path: path.stem)
def test_shipped_scenarios_have_no_remarks(path):
    loaded, problems = inspect(path, kind="scenarios")
    assert problems == []
    assert loaded.model.id == path.stem

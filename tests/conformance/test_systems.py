"""What every registered system must keep, whatever its game: one suite for all of them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from buildsearch.cli.loading import inspect, load_rules
from buildsearch.model.space import Wanted
from buildsearch.ruleset.locate import list_files
from buildsearch.systems.registry import SYSTEMS

# The smallest space of each system that still says something, so that all of it can be listed.
SMALL = {"vitality": {"budget": "2"}}

EVERY_SYSTEM = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.id)


def _rulesets():
    for path in list_files("rules").values():
        loaded = load_rules(str(path))
        yield pytest.param(loaded, id=loaded.model.id)


EVERY_RULESET = pytest.mark.parametrize("loaded", list(_rulesets()))


@pytest.fixture
def space(loaded):
    return loaded.system.space(loaded.model, SMALL[loaded.system.id])


@pytest.fixture
def sampled(space):
    return space.sample(Wanted(), 40, np.random.default_rng(7))


def test_ids_are_unique():
    ids = [system.id for system in SYSTEMS]
    assert len(set(ids)) == len(ids)


@EVERY_SYSTEM
def test_every_system_ships_rules_and_scenarios(system):
    for shelf in ("rules", "scenarios"):
        loaded = [inspect(path) for path in list_files(shelf).values()]
        assert any(file is not None and file.system is system for file, _ in loaded)


@EVERY_SYSTEM
def test_metrics(system):
    names = [metric.name for metric in system.metrics]
    assert names
    assert len(set(names)) == len(names)
    for metric in system.metrics:
        assert metric.label
        assert isinstance(metric.higher_is_better, bool)
        assert metric.low is None or metric.high is None or metric.low < metric.high


@EVERY_SYSTEM
def test_parameters_and_columns(system):
    names = [parameter.name for parameter in system.parameters]
    assert len(set(names)) == len(names)
    assert all(parameter.help for parameter in system.parameters)
    assert len(set(system.leaderboard_columns)) == len(system.leaderboard_columns)
    assert system.title


@EVERY_RULESET
def test_shipped_rules_have_no_remarks(loaded):
    assert loaded.warnings == ()
    assert loaded.path.stem == loaded.model.id


@pytest.mark.parametrize("path", list_files("scenarios").values(), ids=lambda path: path.stem)
def test_shipped_scenarios_have_no_remarks(path):
    loaded, problems = inspect(path, kind="scenarios")
    assert problems == []
    assert loaded.model.id == path.stem


@EVERY_RULESET
def test_options(loaded):
    options = loaded.system.options(loaded.model)
    ids = [option.id for option in options]
    assert len(set(ids)) == len(ids) > 0
    for option in options:
        assert option.summary
        assert option.name
        assert option.kind
        assert all(label and text for label, text in option.facts)


@EVERY_RULESET
def test_parameters_in_force_can_be_given_back(loaded, space):
    again = {name: str(value) for name, value in space.parameters.items()}
    assert set(again) <= {parameter.name for parameter in loaded.system.parameters}
    assert loaded.system.space(loaded.model, again).parameters == space.parameters


@EVERY_RULESET
def test_names_read_back(loaded, space, sampled):
    for build in sampled:
        name = space.name(build)
        assert space.parse(name) == build
        assert space.name(space.parse(name)) == name
    assert len({space.name(build) for build in set(sampled)}) == len(set(sampled))


@EVERY_RULESET
def test_samples_are_legal_and_repeatable(loaded, space, sampled):
    assert len(sampled) == 40
    for build in sampled:
        assert space.reasons_against(build) == []
    assert space.sample(Wanted(), 40, np.random.default_rng(7)) == sampled


@EVERY_RULESET
def test_every_build_is_listed_once_and_counted(loaded, space):
    counts = space.count(Wanted())
    listed = {}
    for chunk in space.chunks(Wanted(), 100):
        assert 0 < len(chunk) <= 100
        builds = list(space.builds(chunk))
        assert len(builds) == len(chunk)
        listed.setdefault(chunk.group, []).extend(builds)
    assert {group: len(builds) for group, builds in listed.items()} == {
        group: number for group, number in counts.items() if number
    }
    everything = [build for builds in listed.values() for build in builds]
    assert len(set(everything)) == len(everything)
    for build in everything[::17]:
        assert space.reasons_against(build) == []


@EVERY_RULESET
def test_groups_filter(loaded, space):
    counts = space.count(Wanted())
    for group, number in counts.items():
        wanted = Wanted(groups=(group,))
        assert space.count(wanted) == {group: number}
        assert {chunk.group for chunk in space.chunks(wanted, 1000)} <= {group}


@EVERY_RULESET
def test_features_filter(loaded, space, sampled):
    groups = set(space.count(Wanted()))
    names = {feature.name for build in sampled for feature in space.features(build)} - groups
    for name in sorted(names)[:5]:
        with_it = Wanted(with_features=(name,))
        for chunk in space.chunks(with_it, 1000):
            for build in space.builds(chunk):
                assert name in {feature.name for feature in space.features(build)}
        without_it = Wanted(without_features=(name,))
        split = [sum(space.count(wanted).values()) for wanted in (Wanted(), with_it, without_it)]
        assert split[0] == split[1] + split[2]


@EVERY_RULESET
def test_tables_have_a_row_for_each_build(loaded, space):
    for chunk in islice(space.chunks(Wanted(), 50), 5):
        columns = space.table(chunk)
        assert {len(column) for column in columns.values()} == {len(chunk)}
        assert [str(name) for name in columns["build"]] == [
            space.name(build) for build in space.builds(chunk)
        ]


@EVERY_RULESET
def test_features_have_levels(loaded, space, sampled):
    for build in sampled:
        features = space.features(build)
        assert len({feature.name for feature in features}) == len(features) > 0
        assert all(feature.level >= 1 for feature in features)
        assert space.cost(build) >= 0


@EVERY_RULESET
def test_neighbours_are_legal_and_mutual(loaded, space, sampled):
    for build in sampled[:8]:
        neighbours = list(space.neighbours(build))
        assert neighbours
        assert build not in neighbours
        assert len(set(neighbours)) == len(neighbours)
        for neighbour in neighbours[::7]:
            assert space.reasons_against(neighbour) == []
            assert build in set(space.neighbours(neighbour))

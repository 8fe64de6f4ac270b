"""What every ruleset of a system must keep: its space of builds, its engines, its replays."""

from __future__ import annotations

import json
import math
from itertools import islice

import numpy as np
import pytest
from numba import config

from buildsearch.engines.stated_game import PlainEvaluator
from buildsearch.library.input_files import load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.model.system import Meets


class RulesetSuite:
    """Needs the fixtures `loaded`, `small` and `large`: rules, and parameters of two spaces."""

    @pytest.fixture
    def space(self, loaded, small):
        return loaded.system.space(loaded.model, small)

    @pytest.fixture
    def sampled(self, space):
        return space.sample(Wanted(), 40, np.random.default_rng(7))

    def test_shipped_rules_have_no_remarks(self, loaded):
        # But for numbers that the text itself has wrong, which a file states as they are stated.
        assert [each.path for each in loaded.warnings if not each.path.startswith("expectations")] == []
        assert loaded.path.stem == loaded.model.id

    def test_options(self, loaded):
        options = loaded.system.options(loaded.model)
        ids = [option.id for option in options]
        assert len(set(ids)) == len(ids) > 0
        for option in options:
            assert option.summary
            assert option.name
            assert option.kind
            assert all(label and text for label, text in option.facts)

    def test_parameters_in_force_can_be_given_back(self, loaded, space):
        again = {name: str(value) for name, value in space.parameters.items()}
        assert set(again) <= {parameter.name for parameter in loaded.system.parameters}
        assert loaded.system.space(loaded.model, again).parameters == space.parameters

    def test_what_one_wins_the_other_loses_where_builds_meet(self, loaded, space, sampled):
        """Both directions of a pair are sampled apart, and mirrors: sums are 1 but for noise."""
        system, rules, fights = loaded.system, loaded.model, 400
        if not isinstance(system, Meets):
            assert not hasattr(system, "match")
            return
        bulk = system.bulk(rules, space)
        parameters = {name: str(value) for name, value in space.parameters.items()}

        def wins(build, against):
            match = system.match(rules, against, parameters, {})
            assert bulk.outcome_range(bulk.outcomes[0], match) == (0.0, 1.0)
            samples = bulk.sample(space.encode(build), match, 0, fights)
            exact = bulk.solve(space.encode(build), match)[0]
            mean = samples.totals[0, 0] / fights
            assert math.isnan(exact) or abs(exact - mean) < 4 * 0.5 / math.sqrt(fights)
            return mean

        few = sampled[:2]
        for i, first in enumerate(few):
            assert wins(first, first) == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(fights))
            for second in few[:i]:
                both = wins(first, second) + wins(second, first)
                assert both == pytest.approx(1.0, abs=4 * math.sqrt(0.5 / fights))

    def test_a_kept_score_is_found_again_for_its_own_fight_alone(self, loaded, space, sampled, fights):
        """Scores are kept by the context of a fight and the key of a build: equal ones have equal scores."""
        system, builds = loaded.system, sampled[:3]
        bulk = system.bulk(loaded.model, space)
        parameters = {name: str(value) for name, value in space.parameters.items()}
        opponents = sampled[:6] if isinstance(system, Meets) else []
        met = [system.match(loaded.model, each, parameters, {}) for each in opponents]
        kept = {}
        for fight in [*fights.values(), *met]:
            for build in builds:
                chunk = space.encode(build)
                samples = bulk.sample(chunk, fight, 0, 32)
                content = (bulk.context(chunk.group, fight), bulk.keys(chunk).tobytes())
                score = (bulk.solve(chunk, fight).tobytes(), samples.totals.tobytes())
                assert kept.setdefault(content, score) == score
        assert len(kept) > len(builds)

    def test_names_read_back(self, loaded, space, sampled):
        for build in sampled:
            name = space.name(build)
            assert space.parse(name) == build
            assert space.name(space.parse(name)) == name
        assert len({space.name(build) for build in set(sampled)}) == len(set(sampled))

    def test_samples_are_legal_and_repeatable(self, loaded, space, sampled):
        assert len(sampled) == 40
        for build in sampled:
            assert space.reasons_against(build) == []
        assert space.sample(Wanted(), 40, np.random.default_rng(7)) == sampled

    def test_every_build_is_listed_once_and_counted(self, loaded, space):
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

    def test_groups_filter(self, loaded, space):
        counts = space.count(Wanted())
        for group, number in counts.items():
            wanted = Wanted(groups=(group,))
            assert space.count(wanted) == {group: number}
            assert {chunk.group for chunk in space.chunks(wanted, 1000)} <= {group}

    def test_features_filter(self, loaded, space, sampled):
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

    def test_legality_equals_enumeration(self, loaded, space, large):
        """What lies one change beyond the listed builds is illegal, unless it is listed too."""
        listed = {build for chunk in space.chunks(Wanted(), 1000) for build in space.builds(chunk)}
        assert listed
        others = loaded.system.space(loaded.model, large)
        for build in others.sample(Wanted(), 300, np.random.default_rng(3)):
            assert (space.reasons_against(build) == []) == (build in listed)

    def test_tables_have_a_row_for_each_build(self, loaded, space):
        for chunk in islice(space.chunks(Wanted(), 50), 5):
            columns = space.table(chunk)
            assert {len(column) for column in columns.values()} == {len(chunk)}
            assert [str(name) for name in columns["build"]] == [
                space.name(build) for build in space.builds(chunk)
            ]
            costs = [space.cost(build) for build in space.builds(chunk)]
            assert space.costs(chunk).tolist() == columns["cost"].to_pylist() == costs

    def test_features_have_levels(self, loaded, space, sampled):
        for build in sampled:
            features = space.features(build)
            assert len({feature.name for feature in features}) == len(features) > 0
            assert all(feature.level >= 1 for feature in features)
            assert space.cost(build) >= 0

    def test_any_parts_are_put_together_to_a_legal_build(self, loaded, space):
        """Whatever is asked for, what comes out is listed; and the parts of a build give that build."""
        rng = np.random.default_rng(5)
        for wanted in (Wanted(), Wanted(with_features=(space.parts(Wanted())[0],))):
            parts, groups = (
                space.parts(wanted),
                [group for group, count in space.count(wanted).items() if count],
            )
            listed = {build for chunk in space.chunks(wanted, 1000) for build in space.builds(chunk)}
            for _ in range(150):
                some = rng.choice(parts, size=int(rng.integers(0, 20))).tolist()
                assert space.assembled(wanted, str(rng.choice(groups)), some) in listed
            for build in space.sample(wanted, 40, rng):
                has = [
                    each.name
                    for each in space.features(build)
                    for _ in range(each.level)
                    if each.name in parts
                ]
                assert len(has) <= space.most_parts(wanted)
                assert (
                    space.assembled(wanted, space.encode(build).group, rng.permutation(has).tolist()) == build
                )

    def test_neighbours_are_legal_and_mutual(self, loaded, space, sampled):
        for build in sampled[:8]:
            neighbours = list(space.neighbours(build))
            assert neighbours
            assert build not in neighbours
            assert len(set(neighbours)) == len(neighbours)
            for neighbour in neighbours[::7]:
                assert space.reasons_against(neighbour) == []
                assert build in set(space.neighbours(neighbour))

    @pytest.fixture
    def fights(self, loaded, small):
        scenarios = load_scenarios(loaded.model.default_scenarios)
        assert scenarios.system is loaded.system
        return loaded.system.fights(loaded.model, scenarios.model, small, {})

    def test_metrics_are_declared_and_within_range(self, loaded, sampled, fights):
        metrics = {metric.name: metric for metric in loaded.system.metrics}
        for build, fight in _pairs(sampled, fights):
            assert fight.weight > 0
            for evaluator in loaded.system.evaluators(loaded.model):
                # Solving takes minutes without compiled code; tests of the exact engines do it on tiny rules.
                is_slow = config.DISABLE_JIT and evaluator.method == "exact"
                if is_slow or evaluator.why_not(build, fight) is not None:
                    continue
                found = evaluator.evaluate(build, fight, Sampling(12))
                assert found.method == evaluator.method
                assert found.primary == loaded.system.metrics[0].name
                assert set(found.estimates) <= set(metrics)
                assert found.distribution.sum() == pytest.approx(found.fights or 1)
                outcomes = np.arange(len(found.distribution)) * found.step
                mean = found.distribution @ outcomes / found.distribution.sum()
                assert found.estimates[found.primary].value == pytest.approx(mean)
                for name, estimate in found.estimates.items():
                    metric = metrics[name]
                    assert metric.low is None or estimate.value >= metric.low
                    assert metric.high is None or estimate.value <= metric.high
                    assert estimate.low <= estimate.value <= estimate.high
                if found.fights is None:
                    assert all(estimate.se == 0 for estimate in found.estimates.values())

    def test_some_engine_plays_every_build(self, loaded, sampled, fights):
        evaluators = loaded.system.evaluators(loaded.model)
        # Several may have one method (attacks alone, loadouts): the first that can is taken.
        # The last plays all.
        assert evaluators[-1].method == "reference"
        for build, fight in _pairs(sampled, fights):
            assert any(evaluator.why_not(build, fight) is None for evaluator in evaluators)

    def test_results_depend_on_the_seed_alone(self, loaded, sampled, fights):
        fight = next(iter(fights.values()))
        (evaluator,) = (each for each in loaded.system.evaluators(loaded.model) if each.method == "sampled")
        number = 50 if config.DISABLE_JIT else 20_000
        moved = False
        for build in sampled[:4]:
            first, *others = (
                evaluator.evaluate(build, fight, Sampling(number, seed=4, jobs=jobs)) for jobs in (1, 2, 8)
            )
            for result in others:
                assert result.estimates == first.estimates
                assert (result.distribution == first.distribution).all()
            other = evaluator.evaluate(build, fight, Sampling(number, seed=5))
            moved |= other.estimates != first.estimates
        assert moved  # some builds have nothing to roll, but not all

    def test_the_kernel_agrees_with_the_reference(self, loaded, sampled, fights):
        evaluators = {each.method: each for each in loaded.system.evaluators(loaded.model)}
        for build, fight in _pairs(sampled, fights)[:4]:
            if evaluators["sampled"].why_not(build, fight) is not None:
                continue
            few, many = (20, 50) if config.DISABLE_JIT else (150, 20_000)
            reference = evaluators["reference"].evaluate(build, fight, Sampling(few, seed=1))
            kernel = evaluators["sampled"].evaluate(build, fight, Sampling(many, seed=1))
            for name, estimate in reference.estimates.items():
                other = kernel.estimates[name]
                # What a few fights never saw may still happen to a few in so many.
                error = math.hypot(estimate.se, other.se, other.value / few, 1 / few)
                assert abs(estimate.value - other.value) < 4.5 * error, name

    def test_plain_and_compiled_fights_are_the_same(self, loaded, sampled, fights):
        """Of a game whose fight is a statement: fight by fight, since both run the same source and stream."""
        *_, compiled, reference = loaded.system.evaluators(loaded.model)
        if not isinstance(reference, PlainEvaluator):
            pytest.skip("its reference is another reading of the rules")
        for build, fight in _pairs(sampled, fights)[:8]:
            for fights_of_it in range(1, 6):
                sampling = Sampling(fights_of_it, seed=2)
                found = [each.evaluate(build, fight, sampling).estimates for each in (compiled, reference)]
                assert found[0] == found[1]

    def test_replays(self, loaded, sampled, fights):
        replayer = loaded.system.replayer(loaded.model)
        for build, fight in _pairs(sampled, fights)[:3]:
            replay = replayer.replay(build, fight, 3)
            assert replay == replayer.replay(build, fight, 3)
            assert replay.value == replayer.value(build, fight, 3)
            assert replay.lines
            assert all(event["event"] for event in json.loads(json.dumps(replay.events)))
            rates = replayer.triggers(build, fight, 5, 1)
            assert all(0 <= rate.fired <= 1 for rate in rates.values())


def _pairs(sampled, fights):
    """Some builds, each in one of the fights."""
    return list(zip(sampled, [*fights.values()] * len(sampled), strict=False))[: 2 * len(fights)]

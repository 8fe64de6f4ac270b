"""Guided search on a game whose every score is known."""

from __future__ import annotations

import multiprocessing
import sys
from dataclasses import replace

import numpy as np
import pytest

from buildsearch.model.errors import UsageError
from buildsearch.model.space import Wanted
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.guided.sampler import LegalSampler
from buildsearch.search.guided.search import Guidance, bulk_score, guide
from buildsearch.search.guided.space import BuildCoder
from buildsearch.search.guided.study import Records, open_study
from buildsearch.search.objectives import read_objectives
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import Effort
from tests.search.fakes import FIGHTS, METRICS, FakeBulk, FakeSpace

GUIDANCE = Guidance("tpe", 150, None, 0, None, "study")


class LargeSpace(FakeSpace):
    """16,384 builds a group."""

    bits = 14


class LargeBulk(FakeBulk):
    """Bits help or harm, and some pairs of them help only together; one build is the best."""

    def solve(self, chunk, fight):
        self.solved += len(chunk)
        bits = (chunk.codes[:, :1] >> np.arange(14, dtype=np.uint64)) & np.uint64(1)
        bits = bits.astype(float)
        single = bits @ np.resize([1.0, -1.5, 0.7, -0.4, -0.9], 14)
        pairs = 4.0 * bits[:, 2] * bits[:, 9] + 3.0 * bits[:, 4] * bits[:, 13]
        return 30.0 + single - pairs * fight.slope + (0.5 if chunk.group == "b" else 0.0)


def best_of_all():
    bulk, codes = LargeBulk(), np.arange(1 << 14, dtype=np.uint64)[:, None]
    from buildsearch.model.space import Chunk

    costs = sum(bulk.solve(Chunk("a", codes), fight) * fight.weight for fight in FIGHTS.values()) / 4
    return float(costs.min())


def effort(objectives=()):
    return Effort(read_objectives(objectives, METRICS), 10, 64, 0, 0)


def search(guidance=GUIDANCE, space=None, bulk=None, wanted=None, objectives=()):
    space, bulk, wanted = space or LargeSpace(), bulk or LargeBulk(), wanted or Wanted()
    counts = space.count(wanted)
    coder = BuildCoder(space, wanted, list(counts))
    asked = effort(objectives)
    score = bulk_score(CachedScorer(bulk, ScoreCache(None)), FIGHTS, asked)
    found = guide(coder, sum(counts.values()), asked.objectives, guidance, score, lambda done: None)
    return found, score(found.chunks), bulk


def codes(found):
    return [(chunk.group, int(code)) for chunk in found.chunks for code in chunk.codes[:, 0]]


@pytest.mark.parametrize("sampler", ["tpe", "nsga2"])
def test_the_best_of_32_768_builds_is_found(sampler):
    found, costs, _ = search(replace(GUIDANCE, sampler=sampler, trials=500))
    assert costs.min() == pytest.approx(best_of_all())
    assert found.builds == len(set(codes(found))) == 500
    assert not found.is_partial


@pytest.mark.parametrize("sampler", ["tpe", "nsga2"])
def test_the_same_seed_gives_the_same_builds(sampler):
    guidance = replace(GUIDANCE, sampler=sampler, trials=200)
    first, again = (codes(search(guidance)[0]) for _ in range(2))
    other = codes(search(replace(guidance, seed=1))[0])
    assert first == again
    assert set(first) != set(other)


def test_no_build_is_scored_twice():
    found, _, _ = search()
    bulk = LargeBulk()
    search(bulk=bulk)
    # The second look at all of them, in `search`, is answered by the cache.
    assert bulk.solved == 2 * found.builds


def test_a_small_space_is_tried_to_its_end():
    found, _, _ = search(space=FakeSpace(), bulk=FakeBulk(), guidance=replace(GUIDANCE, trials=None))
    assert sorted(codes(found)) == [(group, code) for group in "ab" for code in range(64)]


def test_filters_hold():
    wanted = Wanted(("b",), ("bit3",), ("bit5",))
    found, _, _ = search(wanted=wanted)
    for group, code in codes(found):
        assert group == "b"
        assert code >> 3 & 1
        assert not code >> 5 & 1


def test_several_objectives_find_their_front():
    found, costs, _ = search(
        replace(GUIDANCE, sampler="nsga2", trials=None), FakeSpace(), FakeBulk(), objectives=("mean", "speed")
    )
    assert costs.shape == (2, found.builds)
    assert found.builds == 128


def test_time_ends_a_search():
    found, _, _ = search(replace(GUIDANCE, trials=None, seconds=0.3))
    assert 0 < found.builds < 32_768


def test_builds_without_a_score_are_left_out():
    class Unscored(LargeBulk):
        def solve(self, chunk, fight):
            means = super().solve(chunk, fight)
            return np.where(chunk.codes[:, 0] % np.uint64(3) == 0, np.nan, means)

        def sample(self, chunk, fight, seed, fights):
            samples = super().sample(chunk, fight, seed, fights)
            samples.totals[:] = np.nan
            return samples

    found, costs, _ = search(replace(GUIDANCE, trials=150), bulk=Unscored())
    assert not np.isnan(costs).any()
    assert 0 < found.builds < 150


def test_an_interrupted_search_gives_what_it_has():
    class Interrupting(LargeBulk):
        def solve(self, chunk, fight):
            if self.solved > 200:
                raise KeyboardInterrupt
            return super().solve(chunk, fight)

    space, asked = LargeSpace(), effort()
    coder = BuildCoder(space, Wanted(), ["a", "b"])
    score = bulk_score(CachedScorer(Interrupting(), ScoreCache(None)), FIGHTS, asked)
    found = guide(coder, 32_768, asked.objectives, GUIDANCE, score, lambda done: None)
    assert found.is_partial
    assert 0 < found.builds < 150


@pytest.mark.parametrize("scheme", ["{}/deep/study.journal", "sqlite:///{}/study.db"])
def test_a_study_is_gone_on_with(tmp_path, scheme):
    # A database writes each parameter by itself: slow, so few builds with few parts.
    space = FakeSpace()
    guidance = replace(GUIDANCE, trials=12, storage=scheme.format(tmp_path))
    first, _, _ = search(guidance, space)
    more, _, _ = search(replace(guidance, trials=18), space)
    assert first.builds == 12
    assert more.builds == 18
    assert more.scored_here == 6
    assert set(codes(first)) <= set(codes(more))
    other, _, _ = search(replace(guidance, trials=2, study="another"), space)
    assert other.scored_here == 2


def _join(guidance, space, out):
    found, _, _ = search(guidance, space)
    out.put((found.builds, found.scored_here))


def searched_by_two(guidance, space=None):
    """Two processes on one study: the builds that each knows in the end, and how many it scored itself."""
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    processes = [context.Process(target=_join, args=(guidance, space, out)) for _ in range(2)]
    for process in processes:
        process.start()
    ended = [out.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
        assert process.exitcode == 0
    return ended


def test_two_processes_share_a_study(tmp_path):
    guidance = replace(GUIDANCE, trials=200, storage=str(tmp_path / "study.journal"))
    ended = searched_by_two(guidance)
    # Whoever is last sees all; rounds that were under way may add to what was asked for.
    assert max(builds for builds, _ in ended) >= 200
    assert all(here > 0 for _, here in ended)
    found, _, _ = search(guidance)
    assert found.scored_here == 0
    assert len(set(codes(found))) == found.builds
    # The same seed in both, and still hardly anything twice: a round at most, where both began at once.
    assert sum(here for _, here in ended) <= found.builds + 64


def test_a_storage_that_cannot_be_opened_is_told(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    sampler = LegalSampler(BuildCoder(FakeSpace(), Wanted(), ["a"]), "tpe", 0, lambda key: False)
    for address in (str(tmp_path / "file" / "study"), "nosuchdatabase://host/name"):
        with pytest.raises(UsageError, match="cannot use the storage"):
            open_study(address, "study", sampler, (1.0,))


def test_a_build_that_a_killed_process_left_is_free_again(monkeypatch):
    coder = BuildCoder(FakeSpace(), Wanted(), ["a", "b"])
    records = Records(coder, (1.0,))
    study = open_study(None, "study", LegalSampler(coder, "tpe", 0, records.is_known), (1.0,))
    trial = study.ask()
    for name, choices in coder.choices.items():
        trial.suggest_categorical(name, choices)
    key = coder.key_of(trial.params)
    records.refresh(study)
    assert records.is_known(key)
    monkeypatch.setattr(
        sys.modules["buildsearch.search.guided.study"], "_LOST", -sys.modules["datetime"].timedelta(1)
    )
    records.refresh(study)
    assert not records.is_known(key)

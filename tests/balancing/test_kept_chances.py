"""What engines said about fights that are decided at once outlives a search."""

from __future__ import annotations

from buildsearch.library.rescoring import KeptChances
from buildsearch.search.score_cache import ScoreCache
from tests.search.fakes import FIGHTS, FakeBulk, FakeSpace


def test_chances_are_kept_by_build_and_fight(tmp_path):
    chunks = list(FakeSpace().chunks(None, 64))
    keys = [
        (chunk.group, code.tobytes(), name) for chunk in chunks for code in chunk.codes for name in FIGHTS
    ]
    said = dict(zip(keys, [0.25, None, 1.0, 0.0], strict=False))
    first = KeptChances(FakeBulk(), FIGHTS, ScoreCache(tmp_path))
    first.update(said)
    again = KeptChances(FakeBulk(), FIGHTS, ScoreCache(tmp_path))
    assert {key: again[key] for key in said} == said
    assert keys[len(said)] not in again

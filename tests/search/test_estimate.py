"""The estimate of a search takes a moment, however many scenarios there are."""

from __future__ import annotations

from buildsearch.model.space import Wanted
from buildsearch.search.estimate import estimate
from tests.search.fakes import FakeBulk, FakeFight, FakeSpace


def test_some_of_a_thousand_scenarios_stand_for_all():
    asked = set()

    class Counting(FakeBulk):
        def solve(self, chunk, fight):
            asked.add(fight.name)
            return super().solve(chunk, fight)

    def size_of(number):
        fights = {f"f{i}": FakeFight(f"f{i}", 1.0, 1.0) for i in range(number)}
        space, bulk = FakeSpace(), Counting()
        counts = space.count(Wanted())
        return estimate(
            space,
            Wanted(),
            counts,
            fights,
            bulk,
            words=1,
            floor=4,
            race_fights=0,
            jobs=1,
            everywhere=False,
        )

    found = size_of(1000)
    assert {"f0", "f999"} <= asked
    assert len(asked) <= 16
    assert found.exact_share == 0.5
    assert found.bytes > size_of(4).bytes

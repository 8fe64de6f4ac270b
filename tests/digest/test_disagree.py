"""The campaign finds what is planted, shrinks it, and draws the same case for the same number."""

from __future__ import annotations

from dataclasses import replace

import numba
import pytest

from tests.digest import disagreements
from tests.digest.cases import Case
from tests.digest.disagreements import finds_in
from tests.digest.drawing import draw
from tests.digest.engines import EXACT_BULK, GAMES, SAMPLED, answer
from tests.digest.shrinking import shrunk

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="scores builds by every engine")

LARGE = Case(
    "vitality-v2",
    "melee_dg+bleed+brutal",
    overrides=("upgrades.brutal.mechanics.brutal.per=3",),
    rulings=("target=lowest_hp",),
    parameters={"tier": "4"},
    fight={"enemies": "12,9"},
    number=0,
)


@pytest.mark.parametrize(
    ("role", "engines", "by"),
    [(EXACT_BULK, "exact = exact in bulk", 1e-5), (SAMPLED, "exact ~ sampled", 1.0)],
)
def test_a_planted_error_is_found_and_shrunk(monkeypatch, role, engines, by):
    def wrong(case, asked, *rest):
        found = answer(case, asked, *rest)
        if found is None or asked != role or "bleed" not in case.build:
            return found
        return replace(found, means={name: mean + by for name, mean in found.means.items()})

    assert finds_in(LARGE) == []
    monkeypatch.setattr(disagreements, "answer", wrong)
    find = next(each for each in finds_in(LARGE) if each.engines == engines)
    small = shrunk(find).case
    assert (small.overrides, small.rulings, small.parameters) == ((), (), {})
    assert small.build.endswith("+bleed")
    assert small.fight["enemies"] in ("12", "9")


@pytest.mark.parametrize("game", GAMES)
def test_a_case_depends_on_its_number_alone(game):
    one, other = draw(game, 5, 3), draw(game, 5, 11)
    assert one.setting != other.setting
    assert draw(game, 5, 3) == one
    assert Case.read(one.written()) == one

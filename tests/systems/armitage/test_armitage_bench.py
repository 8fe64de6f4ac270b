"""The benchmark must measure the duel that it speaks of."""

from __future__ import annotations

import runpy

import pytest
from armitage_support import REPOSITORY, rules

SCRIPT = runpy.run_path(str(REPOSITORY / "scripts" / "benches" / "duels.py"))


@pytest.mark.parametrize(("status_cards", "cards"), [(False, 24), (True, 32)])
def test_the_figures_add_up(status_cards, cards):
    fighters = SCRIPT["sample_duel"](rules(), status_cards=status_cards)
    figures = SCRIPT["bench"](rules(), fighters, fights=4, repeats=1)
    assert figures["cards"] == cards
    assert 1 <= figures["rounds"] <= 100
    assert figures["ratio"] == pytest.approx(figures["duels_per_second"] / figures["plain_per_second"])

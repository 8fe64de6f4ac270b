"""Numbers that change fights: what is proposed is what brute force over every edit and every build finds."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest

from buildsearch.analysis.analyses import judge
from buildsearch.analysis.population import populate
from buildsearch.model.errors import InputError
from buildsearch.model.levers import number_lever
from buildsearch.proposals.lever_choice import LeverRequest, choose
from buildsearch.proposals.sampled_builds import Settled
from buildsearch.proposals.table import table_of
from tests.proposals.benches import Game, lenient
from tests.proposals.test_proofs import best_at_least, searched

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="many verdicts")

OPTIONS = ("trade", "careful_aim", "precise", "cruel", "wide_eye", "blessing")


class Numbered(Game):
    """Each step of an option's number makes builds with it a tenth slower, or faster. It is a lab too."""

    def __init__(self, **more):
        super().__init__(parameters={"budget": "3"}, **more)
        self.levers = tuple(
            number_lever(f"{name}.bonus", name, 5, range(2, 9), (name, "bonus"), f"Change {name}")
            for name in OPTIONS
        )

    def changed(self, scores, edits):
        """The scores under edited rules."""
        factor = np.ones(len(scores))
        for edit in edits:
            way = 5 - int(edit.text.partition("=")[2])
            for rows, chunk in scores.chunks():
                place = self.space.feature_names.index(edit.about[0])
                factor[rows] *= 1 + 0.1 * way * (self.space.levels(chunk)[:, place] > 0)
        return replace(scores, score=scores.score * factor, fight_means=scores.fight_means * factor)

    def rescored(self, table, edits, rows):
        from buildsearch.proposals.table import taken

        scores = self.changed(taken(table.population.scores, rows), edits)
        return table_of(self.subject(self.loaded.model, self.space, scores), table.accounts)

    def settle(self, table, rows, fights, edits=()):
        return Settled(table, 0, 0)

    def brute_force(self, holds):
        found = set()
        for lever in self.levers:
            for edit in lever.edits:
                scores = self.changed(self.scores, [edit])
                subject = self.subject(self.loaded.model, self.space, scores)
                if holds(judge(subject, populate(scores, self.space), lenient())):
                    found.add(edit.text)
        return found


@pytest.mark.parametrize("seed", [0, 2])
def test_every_number_that_keeps_the_goal_is_proposed(seed):
    game = Numbered(seed=seed)
    limit = round(float(np.sort(game.scores.score)[:2].mean()), 6)
    expected = game.brute_force(best_at_least(limit))
    _, answer = searched(game, [f"best >= {limit:.6f}"], LeverRequest(kinds=("numbers",)), lab=game)
    assert not answer.is_kept_already
    alone = {each.edits[0].text for each in answer.proposals if len(each.edits) == 1}
    assert expected
    assert alone <= expected
    assert len(alone) == min(10, len(expected))
    for each in answer.proposals:
        assert each.after.best > limit - 1e-5
        assert each.after.shift > 0
        assert each.after.kept == 1
    assert "not proved" in answer.proof


def test_numbers_are_moved_by_themselves():
    game = Numbered()
    with pytest.raises(InputError, match="by themselves"):
        choose(game.levers, game.table, LeverRequest(kinds=("numbers", "prices")), "Vitality")

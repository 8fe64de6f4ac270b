"""Numbers that change fights: what is proposed is what brute force over every edit and every build finds."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import combinations

import numba
import numpy as np
import pytest

from buildsearch.analysis.analyses import judge
from buildsearch.analysis.population import populate
from buildsearch.balancing.answers import BalanceEffort
from buildsearch.balancing.edit_table import table_of
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import read_goals
from buildsearch.balancing.levers import LeverRequest, choose
from buildsearch.balancing.search import Search
from buildsearch.balancing.settle import SettledTable
from buildsearch.model.errors import InputError
from buildsearch.model.levers import number_lever
from tests.balancing.benches import Game, lenient
from tests.balancing.test_proofs import searched, within_aim

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="many verdicts")

real = time.monotonic
OPTIONS = ("trade", "careful_aim", "precise", "cruel", "wide_eye", "blessing")


class Numbered(Game):
    """Each step of an option's number makes builds with it a tenth slower, or faster. It is a lab too."""

    def __init__(self, grows=1, **more):
        super().__init__(parameters={"budget": "3"}, **more)
        self.levers = tuple(
            number_lever(
                f"{name}.bonus", name, 5, range(2, 9), (name, "bonus"), f"Change {name}", grows=grows
            )
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
        from buildsearch.balancing.edit_table import taken

        scores = self.changed(taken(table.population.scores, rows), edits)
        return table_of(self.subject(self.loaded.model, self.space, scores), table.accounts)

    def scored_again(self, table, edits, rows):
        from buildsearch.balancing.edit_table import taken

        return self.changed(taken(table.population.scores, rows), edits)

    def grown(self, table, edits, rows, rounds=None):
        return self.rescored(table, edits, np.arange(len(table.population)))

    def settle(self, table, rows, fights, edits=()):
        return SettledTable(table, 0, 0)

    def brute_force(self, holds, size, *, weaker=False):
        """Every set of so many edits under whose scores, of every build, a goal is kept."""
        edits = [e for lever in self.levers for e in lever.edits if not weaker or e.strength < 0]
        return {
            frozenset(edit.text for edit in some)
            for some in combinations(edits, size)
            if len({edit.lever for edit in some}) == size and holds(self.changed(self.scores, some))
        }

    def no_overpowered(self, scores):
        """By a verdict of `analyze` from the beginning."""
        subject = self.subject(self.loaded.model, self.space, scores)
        return within_aim(judge(subject, populate(scores, self.space), lenient()))


def best_at_least(limit):
    return lambda scores: scores.score.min() >= limit - 1e-9


def nearest(found, game):
    """Of sets of the same levers those with the fewest steps."""
    steps = {edit.text: edit.steps for lever in game.levers for edit in lever.edits}
    by_levers = {}
    for some in found:
        far = sum(steps[text] for text in some)
        key = frozenset(text.partition("=")[0] for text in some)
        by_levers[key] = min(by_levers.get(key, far), far)
    return by_levers


def proposed(answer):
    return {frozenset(e.lever for e in each.edits): each.steps for each in answer.proposals}


@pytest.mark.parametrize("seed", [0, 2])
def test_every_number_that_keeps_the_goal_is_proposed(seed):
    """By itself, and of its steps the nearest that is enough."""
    game = Numbered(seed=seed)
    limit = round(float(np.sort(game.scores.score)[:2].mean()), 6)
    expected = game.brute_force(best_at_least(limit), 1)
    assert expected
    _, answer = searched(game, [f"best >= {limit:.6f}"], LeverRequest(kinds=("values",)), lab=game)
    assert not answer.is_kept_already
    assert proposed(answer) == nearest(expected, game)
    for each in answer.outcomes:
        assert frozenset(edit.text for edit in each.edits) in expected
        assert each.after.best > limit - 1e-5
        assert each.after.shift > 0
        assert each.after.kept == 1
    assert "Not proved" in answer.proof


@pytest.mark.parametrize("seed", [0, 2])
def test_numbers_that_nobody_says_anything_about_are_all_tried(seed):
    game = Numbered(seed=seed, grows=0)
    limit = round(float(np.sort(game.scores.score)[:2].mean()), 6)
    expected = game.brute_force(best_at_least(limit), 1)
    _, answer = searched(game, [f"best >= {limit:.6f}"], LeverRequest(kinds=("values",)), lab=game)
    found = {frozenset(edit.text for edit in each.edits) for each in answer.proposals}
    assert found <= expected
    assert len(found) == min(10, len(expected))


@pytest.mark.parametrize(("best", "size"), [(20, 2), (40, 3)])
def test_several_numbers_where_fewer_are_not_enough(best, size):
    """As many as brute force needs, and no steps of the same levers that go less far are enough."""
    game = Numbered(seed=4)
    limit = round(float(np.sort(game.scores.score)[best]), 6)
    for fewer in range(1, size):
        assert not game.brute_force(best_at_least(limit), fewer, weaker=True)
    least = nearest(game.brute_force(best_at_least(limit), size, weaker=True), game)
    assert least
    _, answer = searched(game, [f"best >= {limit:.6f}"], LeverRequest(kinds=("values",)), lab=game)
    found = proposed(answer)
    assert {len(key) for key in found} == {size}
    assert found == {key: least[key] for key in found}
    assert len(found) == min(10, len(least))
    assert "no set of fewer than" in answer.proof


@pytest.mark.parametrize("seed", [0, 4, 6])
def test_no_overpowered_builds_by_numbers(seed):
    """The goal moves with the edits here: every proposal is one that `analyze` confirms, and where one number
    that makes builds worse is enough, one is proposed."""
    game = Numbered(seed=seed)
    _, answer = searched(game, ["overpowered-combination"], LeverRequest(kinds=("values",)), lab=game)
    if answer.is_kept_already:
        assert game.no_overpowered(game.scores)
        return
    alone = game.brute_force(game.no_overpowered, 1, weaker=True)
    for each in answer.proposals:
        assert game.no_overpowered(game.changed(game.scores, each.edits))
    assert bool(alone) == any(len(each.edits) == 1 for each in answer.proposals) or not alone


def test_the_same_numbers_however_slow_the_machine_is(monkeypatch):
    """A clock that races changes nothing unless somebody gave seconds, and then it is said."""
    game = Numbered(seed=4)
    goal = [f"best >= {np.sort(game.scores.score)[20]:.6f}"]
    levers, began, ends = LeverRequest(kinds=("values",)), time.monotonic(), []
    monkeypatch.setattr(time, "monotonic", lambda: began + 10_000 * (real() - began))
    _, racing = searched(game, goal, levers, lab=game, work=BalanceEffort(10))
    _, limited = searched(game, goal, levers, lab=game, work=BalanceEffort(10, 45.0))
    monkeypatch.undo()
    _, usual = searched(game, goal, levers, lab=game, work=BalanceEffort(10))
    for answer in (racing, usual):
        ends.append([[edit.text for edit in each.edits] for each in answer.proposals])
        assert not any("ended" in note for note in answer.notes)
    assert ends[0] == ends[1] != []
    assert any("ended after 45 s" in note for note in limited.notes)


def joint(games, goal):
    """A search over games by label."""
    parts = []
    for label, game in games.items():
        population = game.table.population
        goals = read_goals(
            goal, {}, lenient(), population.names, population.scores.fights, counts_steps=False
        )
        chosen = choose(game.levers, game.table, LeverRequest(kinds=("values",)), "Vitality")
        parts.append(BalancedGame(game.table, lenient(), goals, chosen, game, label, len(game.scores)))
    return Search(parts, parts[0].levers, BalanceEffort(10))


def test_the_fewest_numbers_for_two_games_and_who_binds():
    """What brute force finds in both together; a game binds where a step less breaks it."""
    games = {"a": Numbered(seed=4), "b": Numbered(seed=0)}
    limit = round(float(np.sort(games["b"].scores.score)[3]), 6)
    holds = best_at_least(limit)
    sizes = [
        set.intersection(*(game.brute_force(holds, size, weaker=True) for game in games.values()))
        for size in (1, 2)
    ]
    found = joint(games, [f"best >= {limit:.6f}"]).run()
    least = next(each for each in sizes if each)
    assert {frozenset(edit.text for edit in each.edits) for each in found.proposals} <= least
    assert found.proposals
    for each in found.proposals:
        assert set(each.by_game) == {"a", "b"}
        assert len(each.weaker) == len(each.edits)
        for edit, less in zip(each.edits, each.weaker, strict=True):
            rest = [other for other in each.edits if other is not edit]
            lever = next(lever for lever in games["a"].levers if lever.name == edit.lever)
            nearer = [e for e in lever.edits if e.strength == edit.strength and e.steps == edit.steps - 1]
            broken = [n for n, g in games.items() if not holds(g.changed(g.scores, [*rest, *nearer]))]
            assert list(less.breaks) == broken
    assert "Not proved" in found.proof


def test_numbers_are_moved_by_themselves():
    game = Numbered()
    with pytest.raises(InputError, match="by themselves"):
        choose(game.levers, game.table, LeverRequest(kinds=("values", "costs")), "Vitality")

"""What edits do, judged from scores: equal to the edited game enumerated and judged from the beginning."""

from __future__ import annotations

from functools import partial

import numba
import numpy as np
import pytest

from buildsearch.analysis.population import populate
from buildsearch.balancing.edited_game import open_court
from buildsearch.balancing.edits import read_edits
from buildsearch.balancing.what_if import JudgedGame, effect_of, standing_of, what_if
from tests.balancing.benches import Game, Wide, _rows, at_costs_of, lenient

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="whole populations are judged")


def court_of(game, edits):
    table = game.table
    if not table.is_closed(edits):
        table = game.scored(table, [(edits, game.let_in(table, edits))])
    return open_court(table, lenient())


def judged_anew(game, edits):
    """The edited game as if it had been scored by itself."""
    model = game.model(edits)
    space = game.loaded.system.space(model, game.parameters)
    scores = _rows(game.scores, np.array(sorted(game.by_key[key] for key in game.builds(edits))))
    scores = at_costs_of(space, scores)
    return JudgedGame(
        game.subject(model, space, populate(scores, space).scores), game.judged(edits, lenient())
    )


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Game, ["careful_aim.cost=3"]),
        (Game, ["ban careful_aim+precise", "trade.cost=2"]),
        (partial(Wide, 3, 5), ["aim.cost=1"]),  # makes builds legal
    ],
)
def test_equals_the_edited_game(game, words):
    game = game()
    edits = read_edits(words, game.levers)
    found = what_if(court_of(game, edits), edits)
    about = tuple(dict.fromkeys(name for edit in edits for name in edit.about))
    wanted = effect_of(judged_anew(game, ()), judged_anew(game, edits), about)
    assert [each.option for each in found.options] == list(about)
    assert found.options == wanted.options
    assert (found.before, found.after) == (wanted.before, wanted.after)
    assert {each.text for each in found.new} == {each.text for each in wanted.new}
    assert {each.text for each in found.fixed} == {each.text for each in wanted.fixed}
    assert any(each.before != each.after for each in found.options)


def test_an_option_that_no_build_can_have_is_gone():
    game = Game()
    game_now = judged_anew(game, ())
    assert standing_of(game_now, "no_such_option") is None
    assert standing_of(game_now, "precise").builds > 0

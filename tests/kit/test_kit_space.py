"""Spaces against a plain twin: every combination of levels, judged one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from buildsearch.kit import Entry, Game, Natural, any_of, counts, one_of, scores
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Wanted


class Card(Entry):
    copies: Natural = 9


class Foe(Entry):
    hp: Natural = 1


STEPS = [0, 1, 2, 4]


def a_game(rng):
    game = Game(
        "twin",
        "Twin",
        [
            one_of("arm", Entry, pool="gear", optional=bool(rng.integers(2))),
            any_of("gifts", Entry, limit="gifts", pool="gear"),
            scores("skills", spend_all=bool(rng.integers(2))),
            counts("deck", Card, limit="cards"),
        ],
        foe=Foe,
    )

    @game.requires
    def strong_arm(arm, skills):
        return "too weak" if arm is not None and arm.cost > 1 and skills["might"] < 2 else None

    @game.requires
    def no_doubles(gifts, deck, rules):
        return "a gift and two cards" if "luck" in gifts and deck["heal"] >= rules.rounds else None

    points = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    rules = game.rules_model.model_validate(
        {
            "kind": "rules", "system": "twin", "id": "twin", "name": "Twin", "default_scenarios": "twin",
            "rounds": 2,
            "limits": {"gear": points[0], "gifts": 2, "skills": points[1], "cards": 3},
            "arm": {name: {"cost": int(rng.integers(0, 4))} for name in ("club", "sword", "bow")},
            "gifts": {name: {"cost": int(rng.integers(0, 3))} for name in ("luck", "speed", "sight")},
            "skills": {"names": {"might": "Might", "wit": "Wit"}, "least": 1, "most": 4, "costs": STEPS},
            "deck": {"hit": {"copies": 2}, "heal": {}},
            "foes": {"rat": {}},
            "bans": [{"options": ["bow", "sight"]}],
        }
    )  # fmt: skip
    return game, rules


@pytest.mark.parametrize("seed", range(6))
def test_listed_and_counted_as_judged(seed):
    game, rules = a_game(np.random.default_rng(seed))
    space = game.space(rules, {})
    highest = [1] * 6 + [3, 3] + [2, 3]
    legal = {
        bytes(levels)
        for levels in product(*(range(most + 1) for most in highest))
        if not space.reasons_against(bytes(levels))
    }
    listed = [build for chunk in space.chunks(Wanted(), 7) for build in space.builds(chunk)]
    assert len(listed) == len(set(listed)) == sum(space.count(Wanted()).values())
    assert set(listed) == legal
    for build in listed[::5]:
        assert space.parse(space.name(build)) == build
        assert space.cost(build) == int(space.costs(space.encode(build))[0])


def test_a_requirement_about_nothing_known_is_refused():
    game, _ = a_game(np.random.default_rng(0))
    with pytest.raises(UsageError, match="arm, gifts"):
        game.requires(lambda weapon: None)


def test_a_game_without_a_fight_says_what_is_missing():
    game, _ = a_game(np.random.default_rng(0))
    with pytest.raises(UsageError, match=r"game\.sheet"):
        game.check_complete()

"""What is derived from the statement: exact, sampled, told, in plain Python; against all dice."""

from __future__ import annotations

import json

import numpy as np
import pytest
from armitage_support import bout, duel, fight_of, fighter, rules, scenarios, space, text_rules, z_score
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from buildsearch.engines.stated_game import stated_evaluators
from buildsearch.engines.told import play_plainly
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.armitage.bouts import OURS, THEIRS, Bout, make_bouts
from buildsearch.systems.armitage.bulk import ArmitageBulk
from buildsearch.systems.armitage.game import ArmitageGame, ArmitageReplayer
from buildsearch.systems.armitage.rules.settings import read_settings
from tests.engines.brute_force import BruteForce

SMALL = bool(config.DISABLE_JIT)
slow_without_jit = pytest.mark.skipif(SMALL, reason="minutes without compiled code")
SAMPLE = rules().presets["sample"]
PLAIN_SAMPLE = {name: number for name, number in SAMPLE.items() if rules().cards[name].status is None}
CARDS = tuple(rules().cards)
TINY = ("hand=2", "dice.sides=2", "dice.attack=1", "heal.heal=1")


def bouts(found, **options):
    return make_bouts(found, scenarios(), read_settings(found, {}), options)


@st.composite
def tiny_fights(draw):
    """Two or three fighters of a few HP and cards, for some turns; dice with two sides."""
    found = []
    for i in range(draw(st.integers(2, 3))):
        stats = {
            "hth": draw(st.integers(1, 4)),
            "eva": draw(st.integers(1, 3)),
            "ap": draw(st.integers(1, 2)),
        }
        stats |= {"res": draw(st.integers(0, 2)), "tuf": draw(st.integers(0, 2))}
        stats |= {"initiative": draw(st.integers(0, 1))}
        deck = draw(st.dictionaries(st.sampled_from(CARDS), st.integers(1, 2), max_size=3))
        play = draw(st.sampled_from(["greedy", "lookahead"])) if i < 2 else found[1].play
        found.append(fighter(deck, min(i, 1), play, **stats))
    return tuple(found), draw(st.integers(1, 4))


@slow_without_jit
@settings(max_examples=25, deadline=None)
@given(tiny_fights())
def test_every_sequence_of_dice_of_a_tiny_fight(drawn):
    """Cards drawn one by one, all dice one after another, in fractions."""
    fighters, turns = drawn
    fight, row = fight_of(fighters, turns, rules(*TINY))
    expected = [float(each) for each in BruteForce(fight.terms, row).whole()]
    found = fight.solve(row)
    assert [*found.means, found.rounds] == pytest.approx(expected[:5], abs=1e-12)


RACES = {
    # Spec, Numbers: three programs have this number for who comes first.
    "first": ({"light_attack": 12}, {"light_attack": 12}, {"initiative": 6}, 0.589737826684),
    "second": ({"light_attack": 12}, {"light_attack": 12}, {"initiative": -6}, 1 - 0.589737826684),
    "even": ({"light_attack": 12}, {"light_attack": 12}, {}, 0.5),
    "mixed": ({"heavy_attack": 12}, {"light_attack": 12}, {"initiative": 3}, None),
    "tough": ({"light_attack": 12}, {"heavy_attack": 3}, {"res": 4, "tuf": 8, "hth": 25}, None),
    "heal": ({"light_attack": 9, "heal": 3}, {"light_attack": 12}, {"initiative": 6}, 0.739031920),
    "resolve": ({"light_attack": 5, "resolve": 1}, {"heavy_attack": 2, "light_attack": 4}, {}, None),
    "statuses": ({"light_attack": 3, "quick": 1}, {"light_attack": 4, "weak": 1}, {"hth": 6}, None),
    "two": ({"light_attack": 4}, {"light_attack": 4}, {"hth": 30, "eva": 14}, None),
}


@slow_without_jit
@pytest.mark.parametrize("name", RACES)
def test_exact_and_sampled_fights_agree(name):
    first, second, stats, known = RACES[name]
    theirs = (
        [fighter(second, THEIRS, hth=6) for _ in range(2)] if name == "two" else [fighter(second, THEIRS)]
    )
    fight, row = fight_of((fighter(first, OURS, **stats), *theirs))
    found = fight.solve(row)
    assert found.chances.sum() == pytest.approx(1, abs=1e-12)
    if known is not None:
        assert found.means[0] + found.means[1] / 2 == pytest.approx(known, abs=1e-9)
    fights = 100_000
    counted = fight.sample(row, 5, 0, fights)
    for mean, counts in zip([*found.means, found.rounds], [*counted.counts, counted.rounds], strict=True):
        values = np.arange(len(counts))
        sampled = counts @ values / fights
        error = np.sqrt(max(counts @ values**2 / fights - sampled**2, 1 / fights) / fights)
        assert abs(mean - sampled) < 4.5 * error


PARTIES = {
    "sample": duel(PLAIN_SAMPLE, PLAIN_SAMPLE),
    "status": duel({"light_attack": 4, "quick": 2, "slow": 2, "weak": 1, "strong": 1, "heal": 2}, SAMPLE),
    "ahead": duel({"light_attack": 4, "heavy_attack": 2, "slow": 2}, {"light_attack": 6}, "lookahead"),
    "pairs": (
        fighter({"light_attack": 6, "heal": 2, "vulnerable": 1}, OURS, initiative=2),
        fighter({"heavy_attack": 6, "confused": 2}, OURS),
        fighter({"light_attack": 6, "heal": 1}, THEIRS, "lookahead", initiative=2),
        fighter({"light_attack": 6, "decisive": 1, "protected": 2}, THEIRS, "lookahead"),
    ),
    "three": (
        fighter({"light_attack": 6, "heavy_attack": 2, "heal": 2}, OURS, initiative=1),
        *(fighter({"light_attack": 4}, THEIRS, hth=4, tuf=1) for _ in range(3)),
    ),
    "nothing": duel({}, {}),
}


@pytest.mark.parametrize("name", PARTIES)
def test_plain_and_compiled_fights_are_the_same(name):
    fight, row = fight_of(PARTIES[name], 60)
    for number in range(3):
        plainly = play_plainly(fight, row, 1, number)
        compiled = fight.sample(row, 1, number, 1)
        assert all((a == b).all() for a, b in zip(plainly, compiled, strict=True))


def test_who_has_no_cards_does_nothing():
    fight, row = fight_of(PARTIES["nothing"], 20)
    assert fight.sample(row, 0, 0, 3).counts[:3, 1].tolist() == [0, 3, 0]


def test_all_heal_is_a_draw_after_so_many_turns():
    fight, row = fight_of(duel({"heal": 12}, {"heal": 12}))
    found = fight.solve(row)
    assert [*found.means, found.rounds] == pytest.approx([0, 1, 0, 20, 100])


def test_a_coin_decides_ties_and_initiative_all_else():
    quick, row = fight_of((fighter({}), fighter({}, THEIRS, initiative=1)))
    quick.write(row)
    assert quick.desk.g.who.acts.tolist() == [1, 0]
    assert quick.desk.g.who.tie_end.tolist() == [1, 2]
    firsts = fight_of(duel({}, {}))[0]
    firsts.write(row)
    assert firsts.desk.g.who.tie_end.tolist() == [2, 2]


def test_names_and_unused_cards_do_not_move_results():
    build = space().parse("hth+2,tuf+4 / light_attack*4,heavy_attack*4,resolve*4")
    asked = bout(duel({"light_attack": 5}, {"light_attack": 5}))
    contents = []
    for found, name in (
        (rules(), "other"),
        (rules("heal.ap=2", "heal.name=Mend", "raises.eva.most=2"), "rival"),
        (rules("resolve.ap=3"), "rival"),
    ):
        rival = fighter({"light_attack": 5}, THEIRS, name=name)
        fight, row = ArmitageGame(found).entered(
            build, Bout(name, 2.0, 200, ((None,), (rival,)), asked.plays)
        )
        contents.append(fight.content(row))
    assert contents[0] == contents[1] != contents[2]


def test_what_it_does_not_solve(monkeypatch):
    game = ArmitageGame(text_rules())
    exact = stated_evaluators(game)[0]
    fights, here = bouts(text_rules()), space(text_rules())
    assert exact.why_not(here.parse("eva+2 / light_attack*12"), fights["mirror"]) is None
    for name in ("sample", "pairs", "outnumbered"):
        assert "too many states" in exact.why_not(here.parse("hth+5,tuf+1 / light_attack*12"), fights[name])
    game = ArmitageGame(text_rules())
    game.most_nodes = 1 << 14
    exact = stated_evaluators(game)[0]
    monkeypatch.setattr(game, "is_hopeless", lambda build, asked: False)  # a guess may be wrong
    assert "too many states" in exact.why_not(here.parse("hth+5,tuf+1 / light_attack*12"), fights["mirror"])


def test_duels_of_one_kind_are_solved_in_bulk():
    here = space(text_rules())
    bulk, asked = ArmitageBulk(text_rules(), here), bouts(text_rules())
    chunk = next(here.chunks(Wanted(groups=("hth+5,tuf+1",)), 1000))
    found = bulk.solve(chunk, asked["mirror"])
    names = np.array([here.name(build) for build in here.builds(chunk)])
    solved = names[~np.isnan(found)].tolist()
    assert solved == [f"hth+5,tuf+1 / {card}*12" for card in ("resolve", "heal", "light_attack")]
    assert found[~np.isnan(found)] == pytest.approx([0.5] * 3)
    assert np.isnan(bulk.solve(chunk, asked["sample"])).all()


@slow_without_jit
def test_a_build_is_at_all_of_its_places():
    """The mirror of a build is the duel against a fighter that is the same."""
    build, found = space().parse("hth+5,tuf+1 / light_attack*12"), rules()
    evaluators = stated_evaluators(ArmitageGame(found))
    twin = fighter({"light_attack": 12}, THEIRS, name="twin", hth=25, tuf=5)
    plays = ("greedy", "greedy")
    duels = [Bout("duel", 1.0, 200, ((None,), (other,)), plays) for other in (None, twin)]
    exact, twins = ([evaluators[i].evaluate(build, each, Sampling(4000)) for each in duels] for i in (0, 2))
    assert exact[0].estimates == exact[1].estimates
    for metric, estimate in exact[0].estimates.items():
        assert z_score(estimate, twins[0].estimates[metric], 4000) < 4.5


@pytest.mark.parametrize("play", ["greedy", "lookahead"])
def test_a_story_keeps_the_rules(play):
    game = ArmitageGame(rules())
    us, friend = (fighter(SAMPLE, OURS, play, name) for name in ("us", "friend"))
    others = (fighter(SAMPLE, THEIRS, play, "they"), fighter({"light_attack": 8, "quick": 4}, THEIRS, play))
    asked = Bout("party", 1.0, 60, ((us, friend), others), (play, play))
    replay = ArmitageReplayer(game).replay(space().parse("base / heal"), asked, 5)
    first, *events, last = replay.events
    assert (first["event"], last["event"]) == ("order_set", "fight_ended")
    assert last["result"]["value"] == replay.value
    spent = ap = 0
    for event in events:
        if event["event"] == "turn_started":
            spent, ap = 0, event["ap"]
            assert len(event["hand"]) <= 5
        else:
            spent += rules().cards[event["card"]].ap
            assert spent <= ap
        if event["event"] == "attacked":
            total = sum(event["dice"]) + event["to_hit"]
            assert event["hit"] == (total >= event["eva"])
            damage = sum(event["damage_dice"]) + event["damage_bonus"] - event["res"]
            assert event["damage"] == (max(0, damage) if event["hit"] else 0)
    turns = [event["turn"] for event in events if event["event"] == "turn_started"]
    assert turns == list(range(1, len(turns) + 1))
    assert last["result"]["turns"] == len(turns)
    assert json.loads(json.dumps(replay.events))
    assert any(event["event"] == "status_placed" for event in events)
    assert replay.lines[0].startswith("Order by initiative")
    assert replay.lines[-1].startswith("Fight ")
    assert sum(not line.startswith(" ") for line in replay.lines) == len(turns) + 2


def test_how_often_a_card_is_there_and_does_something():
    build = space().parse("hth+2,tuf+4 / light_attack*4,heal*4,resolve*4")
    rates = ArmitageReplayer(ArmitageGame(rules())).triggers(build, bouts(rules())["sample"], 50, 1)
    assert list(rates) == ["light_attack", "heal", "resolve"]
    assert all(0 < each.usable <= 1 and 0 < each.fired <= 1 for each in rates.values())
    # Resolves that are worth nothing fill the hand: attacks are drawn in one turn of ten.
    assert rates["light_attack"].usable < 0.2
    assert rates["resolve"].usable > 0.9

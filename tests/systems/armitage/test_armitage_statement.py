"""The statement card by card: fights that a script decides, and choices that another program made."""

from __future__ import annotations

import csv

import pytest
from armitage_support import MISS, REPOSITORY, Scene, duel, fighter, hit, rules

from buildsearch.engines.plain import plain
from buildsearch.systems.armitage import policies
from buildsearch.systems.armitage import statement as stated
from buildsearch.systems.armitage.bouts import OURS, THEIRS
from buildsearch.systems.armitage.policies import greedy, look_ahead

CRITS = ("criticals.three_alike=3", "criticals.two_alike=1")


def test_hit_and_miss():
    """At EVA 11 and RES 2: a damage die of 5 does 3, a miss leaves the counter alone."""
    scene = Scene(*duel({}, {}), outcomes=[(1 / 12, hit(3)), (1 / 2, MISS)])
    for _ in range(2):
        scene.play(0, "light_attack", 1)
        assert (scene.c[1].hp, scene.c[1].hits) == (17, 1)


def test_heavy():
    """To hit -2, damage +2: 7/27, and a die of 5 does 5."""
    scene = Scene(*duel({}, {}), outcomes=[(20 / 27, MISS), (7 / 27 / 6, hit(5))])
    scene.play(0, "heavy_attack", 1)
    assert scene.c[1].hp == 20
    scene.play(0, "heavy_attack", 1)
    assert scene.c[1].hp == 15


def test_criticals_add_after_res():
    """Text, Critical Rolls: 4, 4, 4 and 1 does max(0, 1 - 2) + 3; two alike does 1 more."""
    # Three alike hit with 4, 5, 6, and a die of 1 or 2 leaves the 3; two alike need a 4, others a 5.
    three, two, none = 3 / 216, 45 / 216, 60 / 216
    chance = (2 * three + two + none) / 6
    scene = Scene(*duel({}, {}), outcomes=[(chance, hit(3))], found=rules(*CRITS))
    scene.play(0, "light_attack", 1)
    assert scene.c[1].hp == 17


def test_after_tuf_hits_res_is_gone():
    """Spec: asked at each hit, hitCounter < TUF."""
    scene = Scene(fighter({}), fighter({}, THEIRS, tuf=1), outcomes=[(1 / 12, hit(2)), (1 / 12, hit(4))])
    scene.play(0, "light_attack", 1)
    scene.play(0, "light_attack", 1)
    assert (scene.c[1].hp, scene.c[1].hits) == (14, 1)


def test_the_fallen_leave_nothing():
    scene = Scene(*duel({}, {}), outcomes=[(160 / 216 / 6, hit(3))])  # slow: EVA 9
    scene.c[1].hp, scene.c[1].hits = 2, 1
    scene.hold(1, ["heal"])
    scene.place(1, ["slow"])
    scene.play(0, "light_attack", 1)
    assert (scene.c[1].hp, scene.c[1].hits, scene.c[1].active) == (0, 0, 0)
    assert scene.g.hand[1].sum() == 0


def test_heal_is_capped_and_resolve_stops_at_zero():
    scene = Scene(*duel({}, {}), outcomes=[(1 / 6, 6)])
    scene.c[0].hp = 17
    scene.play(0, "heal", 1)
    assert scene.c[0].hp == 20
    scene.play(0, "resolve", 1)
    assert scene.c[0].hits == 0


def test_statuses_last_to_the_end_of_the_bearers_next_turn():
    scene = Scene(*duel({}, {}))
    scene.play(0, "quick", 1)
    scene.play(0, "slow", 1)
    assert (scene.stat(0, "eva"), scene.stat(1, "eva")) == (13, 9)
    for who, expected in ((0, (13, 9)), (1, (13, 11)), (0, (11, 11))):
        scene.take_turn(who)
        assert (scene.stat(0, "eva"), scene.stat(1, "eva")) == expected


def test_the_same_status_does_not_add_up_and_stats_stop_at_zero():
    scene = Scene(*duel({}, {}))
    for _ in range(2):
        scene.play(0, "confused", 1)
    assert scene.stat(1, "ap") == 2
    scene = Scene(fighter({}), fighter({}, THEIRS, tuf=0))
    scene.play(0, "weak", 1)
    assert scene.stat(1, "tuf") == 0


@pytest.mark.parametrize(
    ("deck", "hand", "pile", "reshuffled", "then", "left"),
    [
        # Spec: what is left of the pile first, then the discard: here three light attacks.
        ((3, 1, 1, 1), (0, 1, 0, 0), (0, 0, 1, 1), 1, (2, 1, 1, 1), (1, 0, 0, 0)),
        ((0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 1, 0), 0, (0, 0, 1, 0), (0, 0, 0, 0)),
        ((9, 0, 0, 0), (1, 0, 0, 0), (4, 0, 0, 0), 0, (5, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_draw_what_is_left_then_reshuffle(deck, hand, pile, reshuffled, then, left):
    scene = Scene(*duel({}, {}))
    for table, counts in ((scene.g.deck, deck), (scene.g.hand, hand), (scene.g.pile, pile)):
        table[0, :4] = counts
    assert plain(stated.fill_hand)(scene.g, 0, scene.dice) == reshuffled
    assert scene.g.hand[0, :4].tolist() == list(then)
    assert scene.g.pile[0, :4].tolist() == list(left)


def test_the_clock_counts_turns_and_the_fallen_take_none():
    scene = Scene(fighter({}), fighter({}, THEIRS), fighter({}, THEIRS))
    scene.c[1].hp = 0
    assert scene.take_turn(0) == stated.TICK
    assert scene.t.me == 2
    assert scene.take_turn(2) == stated.ROUND
    assert scene.t.me == 0


def test_greedy_heals_when_hurt_and_stops_when_nothing_is_worth_it():
    scene = Scene(*duel({}, {}))
    scene.hold(0, ["light_attack", "heal", "resolve"])
    assert scene.chosen(greedy, 3)[0] == "light_attack"
    scene.c[0].hp = 10
    assert scene.chosen(greedy, 3)[0] == "heal"
    scene.c[0].hp = 20
    scene.hold(0, ["heal", "resolve"])
    assert scene.chosen(greedy, 3) is None
    scene.c[0].hits = 4
    assert scene.chosen(greedy, 3)[0] == "resolve"
    assert scene.chosen(greedy, 1) is None


def test_a_resolve_is_worth_what_res_with_its_statuses_takes_off_a_hit():
    scene = Scene(*duel({}, {}))
    for cards, mean in (((), 11 / 6), (("protected",), 15 / 6), (("protected", "vulnerable"), 11 / 6)):
        scene.place(0, cards)
        assert plain(policies.resolve_worth)(scene.c, scene.g, 0, 4, 1) == pytest.approx(mean)


def test_lookahead_sees_what_a_weakness_is_for():
    scene = Scene(*duel({}, {}))
    scene.hold(0, ["light_attack", "light_attack", "slow"])
    assert scene.chosen(look_ahead, 3)[0] == "slow"
    assert scene.chosen(look_ahead, 1)[0] == "light_attack"


def test_the_weakest_is_the_target():
    weak = [fighter({}, THEIRS, hth=5) for _ in range(2)]
    scene = Scene(fighter({}), fighter({}, THEIRS), *weak)
    scene.hold(0, ["light_attack"])
    assert scene.chosen(greedy, 3)[1] == 2


def _choices():
    with (REPOSITORY / "tests" / "golden" / "armitage-choices.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _names(text):
    return () if text == "-" else tuple(text.split("+"))


@pytest.mark.parametrize("policy", [greedy, look_ahead], ids=["greedy", "lookahead"])
def test_choices_of_the_program_that_played_card_by_card(policy):
    """300 situations: HTH, EVA, RES, TUF, HP, hits and statuses of each; a hand; what was chosen."""
    column = {greedy: "greedy", look_ahead: "lookahead"}[policy]
    for case in _choices():
        read = [each.split(" ") for each in case["fighters"].split("; ")]
        stats = [dict(zip(("hth", "eva", "res", "tuf"), map(int, each), strict=False)) for each in read]
        scene = Scene(*(fighter({}, OURS if i == 0 else THEIRS, **each) for i, each in enumerate(stats)))
        for i, each in enumerate(read):
            scene.c[i].hp, scene.c[i].hits = int(each[4]), int(each[5])
            scene.place(i, _names(each[6]))
        scene.hold(0, _names(case["hand"]))
        chosen = scene.chosen(policy, int(case["ap"]))
        said = "stop" if chosen is None else "{} at {}".format(*chosen)
        assert said == case[column], case

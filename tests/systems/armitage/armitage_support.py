"""What Armitage's tests share: the rules, fighters, fights in the middle, outcomes that a script decides."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from buildsearch.engines.plain import plain
from buildsearch.engines.stated import StatedFight
from buildsearch.engines.told import _with_objects
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.systems.armitage import statement as stated
from buildsearch.systems.armitage.bouts import OURS, THEIRS, Bout, Fighter
from buildsearch.systems.armitage.builds.build import Build, in_order
from buildsearch.systems.armitage.builds.space import ArmitageSpace
from buildsearch.systems.armitage.rules.settings import read_settings
from buildsearch.systems.armitage.sheet import ARMITAGE, build_row, kinds_of, make_terms

REPOSITORY = Path(__file__).resolve().parents[3]
NOBODY = Build((), ())


@cache
def rules(*sets):
    return load_rules(str(REPOSITORY / "rules" / "armitage.yaml"), sets).model


@cache
def text_rules():
    return load_rules(str(REPOSITORY / "rules" / "armitage-text.yaml")).model


@cache
def scenarios():
    return load_scenarios(str(REPOSITORY / "scenarios" / "armitage.yaml")).model


def space(found=None, **parameters):
    found = found or rules()
    return ArmitageSpace(found, read_settings(found, parameters))


def fighter(deck, side=OURS, play="greedy", name="somebody", found=None, **stats):
    found = found or rules()
    return Fighter(name, side, found.base.model_copy(update=stats), in_order(deck, tuple(found.cards)), play)


def duel(first, second, play="greedy", found=None):
    """Two decks with the base stats."""
    return (
        fighter(first, OURS, play, "ours", found),
        fighter(second, THEIRS, play, "theirs", found),
    )


def bout(fighters, turns=200):
    """A fight of these and no others."""
    parties = tuple(tuple(each for each in fighters if each.side == side) for side in (OURS, THEIRS))
    return Bout("fight", 1.0, turns, parties, (parties[0][0].play, parties[1][0].play))


def fight_of(fighters, turns=200, found=None):
    """A fight without a build, and the sheet of nobody."""
    found, asked = found or rules(), bout(fighters, turns)
    kinds = kinds_of(found, asked, ())
    return StatedFight(make_terms(found, asked, kinds)), build_row(found, kinds, NOBODY)


def z_score(first, second, fights):
    """How many standard errors two estimates lie apart; what was never seen may still happen to 3 in n."""
    return abs(first.value - second.value) / math.hypot(first.se, second.se, 1 / fights)


MISS = 0


def hit(damage):
    """The outcome of an attack."""
    return 1 + damage


class Script(tuple):  # as all dice are
    """(chance, outcome) of each card that is rolled for: MISS, `hit(damage)`, or the HTH healed.

    Cards are drawn in the order of the rules.
    """

    def __new__(cls, outcomes=()):
        self = super().__new__(cls)
        self.outcomes = list(outcomes)
        return self


@stated.rolled.by(Script)
def _(dice, table, row, it, k):
    expected, outcome = dice.outcomes.pop(0)
    assert abs(table[0, row, outcome] - expected) < 1e-15
    return outcome


@stated.below.by(Script)
def _(dice, number):
    return 0


@stated.draw.by(Script)
def _(dice, source, target, row, total, number):
    for _ in range(number):
        kind = int(source[row].nonzero()[0][0])
        source[row, kind] -= 1
        target[row, kind] += 1


@stated.tell.by(Script)
def _(dice, kind, a, b, c):
    pass


@stated.seen.by(Script)
def _(dice, number):
    pass


@stated.trigger.by(Script)
def _(dice, number):
    pass


class Scene:
    """Fighters in the middle of a fight, all cards at hand for whoever plays them."""

    def __init__(self, *fighters, outcomes=(), found=None):
        self.rules, self.dice = found or rules(), Script(outcomes)
        self.kinds = tuple(self.rules.cards)
        fight = StatedFight(make_terms(self.rules, bout(fighters), self.kinds))
        fight.write(build_row(self.rules, self.kinds, NOBODY))
        self.t = SimpleNamespace(**dict.fromkeys(ARMITAGE.table, 0))
        self.c = [SimpleNamespace(**dict.fromkeys(ARMITAGE.actor, 0)) for _ in fighters]
        self.g = _with_objects(fight.desk.g)
        for i, (body, each) in enumerate(zip(self.c, fighters, strict=True)):
            body.hp, body.acts = each.stats.hth, i

    def play(self, me, card, it):
        plain(stated.play)(self.c, self.g, me, it, self.kinds.index(card), self.dice)

    def take_turn(self, me):
        """Nothing is played."""
        self.t.place = self.t.me = me
        return plain(stated.act)(self.t, self.c, self.g, stated.STOP, self.dice)

    def stat(self, i, name):
        return plain(stated.stat)(self.c, self.g, i, ("eva", "res", "tuf", "ap").index(name))

    def hold(self, i, cards):
        self.g.hand[i] = [list(cards).count(name) for name in self.kinds]

    def place(self, i, cards):
        """Statuses, whoever put them there."""
        self.c[i].active = sum(self.g.cards[self.kinds.index(name)].bit for name in cards)

    def chosen(self, policy, ap, me=0):
        """(card, target), or None."""
        self.t.me, self.t.ap = me, ap
        action = plain(policy)(self.t, self.c, self.g)
        return None if action == stated.STOP else (self.kinds[action >> 5], action & 31)

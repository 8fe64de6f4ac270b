"""What Animon Story's tests share: the rules, fights in the compact form, dice that a script decides."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from buildsearch.engines.plain import plain
from buildsearch.engines.stated_game import StatedReplayer, stated_evaluators
from buildsearch.engines.told import _with_objects
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.systems.animon import attacks, policies
from buildsearch.systems.animon import statement as stated
from buildsearch.systems.animon.bouts.choice import make_bouts
from buildsearch.systems.animon.builds.grammar import parse_build
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.game import AnimonBulk, AnimonGame
from buildsearch.systems.animon.rules.metrics import METRICS
from buildsearch.systems.animon.rules.settings import read_settings
from buildsearch.systems.animon.sheet import ANIMON

REPOSITORY = Path(__file__).resolve().parents[3]
A = "super neutral 4-4-3-3 / attack / heavy_strike@neutral / stunning_strike@neutral / hp"
B = "super fire 5-3-4-2 / attack / poison_strike@fire / overcharge@fire / damage"


@cache
def rules(*sets):
    return load_rules(str(REPOSITORY / "rules" / "animon-story.yaml"), sets).model


@cache
def scenarios():
    return load_scenarios(str(REPOSITORY / "scenarios" / "animon-story.yaml")).model


def space(**parameters):
    return AnimonSpace(rules(), read_settings(rules(), parameters))


def build(text, *sets):
    return parse_build(text, rules(*sets))


def bout(text, play="greedy", sets=()):
    return make_bouts(rules(*sets), scenarios(), {"enemies": text, "play": play})["enemies"]


@cache
def game(*sets):
    return AnimonGame(rules(*sets))


def evaluators(*sets):
    return stated_evaluators(game(*sets))


def replayer(*sets):
    return StatedReplayer(game(*sets))


def bulk(everything):
    return AnimonBulk(game(), everything, tuple(metric.name for metric in METRICS))


def entered(text, foes, sets=()):
    """A fight and a sheet."""
    return game(*sets).entered(build(text, *sets), bout(foes, sets=sets))


def numbers(found):
    """Win, draw, loss, rounds, HP left, gauge."""
    return [*found.means[:3], found.rounds, found.means[3], found.gain]


def solved(text, foes, sets=()):
    fight, row = entered(text, foes, sets)
    return numbers(fight.solve(row))


def best(text, foes, sets=()):
    fight, row = entered(text, foes, sets)
    return numbers(fight.best(row, game(*sets).worth(bout(foes, sets=sets))))


def goldens():
    with (REPOSITORY / "tests" / "golden" / "animon-story.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Script(tuple):  # as all dice are
    """The successes of each throw in turn; what was thrown and told is kept."""

    def __new__(cls, hits=()):
        self = super().__new__(cls)
        self.hits, self.thrown, self.told = list(hits), [], []
        return self


@attacks.throw.by(Script)
def _(dice, number, sides, needed):
    dice.thrown.append((int(number), int(needed)))
    return dice.hits.pop(0), 0


@attacks.gain.by(Script)
def _(dice, amount):
    pass


@attacks.trigger.by(Script)
def _(dice, number):
    pass


@attacks.tell.by(Script)
def _(dice, kind, a, b, c):
    dice.told.append((int(kind), int(a), int(b), int(c)))


class Scene:
    """A fight by its script: actors in order of their slots, then what each does and how the dice fall."""

    def __init__(self, text, foes, order=(), sets=()):
        fight, row = entered(text, foes, sets)
        fight.write(row)
        self.dice, self.limit = Script(), fight.terms.limit
        self.t = SimpleNamespace(**dict.fromkeys(ANIMON.table, 0))
        self.c = [SimpleNamespace(**dict.fromkeys(ANIMON.actor, 0)) for _ in range(fight.terms.actors)]
        self.g = _with_objects(fight.desk.g)
        if order:
            hits = sorted(order)
            self.dice.hits = [len(order) - order.index(i) for i in hits]
            self.begin()
            assert [self.c[slot].acts for slot in range(self.t.slots)] == list(order)
            self.dice.thrown.clear()

    def begin(self):
        plain(stated.begin)(self.t, self.c, self.g, self.dice)

    @property
    def now(self):
        """Whose slot it is."""
        return self.c[self.t.place].acts

    def act(self, kind, hits=(), attack=0, it=1, uses=1, choice=0, bought=0, die=0):
        """One action; gives where it leads."""
        self.dice.hits, self.dice.told, self.dice.thrown = list(hits), [], []
        chosen = plain(attacks.action)(kind, attack, choice, it, uses, bought, die)
        code = plain(stated.act)(self.t, self.c, self.g, chosen, self.dice)
        assert self.dice.hits == []
        return code

    def strike(self, *hits, **what):
        """An attack with so many successes, and a dodge."""
        return self.act(attacks.STRIKE, hits, **what)

    def passes(self):
        return self.act(attacks.PASS)

    def waits(self):
        """Stunned or incapacitated: nothing else can be done."""
        assert self.decides()[0] == attacks.WAIT
        return self.act(attacks.WAIT)

    def decides(self):
        """(kind, attack, choice, target, uses, bought, die) of greedy play."""
        return plain(attacks.parts)(plain(policies.greedy)(self.t, self.c, self.g))

    @property
    def harmed(self):
        """(who, damage, cause) of the last action."""
        return [each[1:] for each in self.dice.told if each[0] == attacks.HARMED]

    @property
    def hp(self):
        return [each.hp for each in self.c]

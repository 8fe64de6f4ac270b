"""What Animon Story's tests share: the rules, fights in the compact form, dice that a script decides."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np

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
    """The successes of each throw in turn, and what is told; all dice are shown to have rolled."""

    def __new__(cls, throws=()):
        self = super().__new__(cls)
        self.throws, self.told = list(throws), []
        return self


@attacks.throw.by(Script)
def _(dice, number, sides, needed):
    expected, hits = dice.throws.pop(0)
    assert number == expected
    return hits, 0


@attacks.gain.by(Script)
def _(dice, amount):
    pass


@attacks.trigger.by(Script)
def _(dice, number):
    pass


@attacks.tell.by(Script)
def _(dice, kind, a, b, c):
    dice.told.append((kind, a, b, c))


class Scene:
    """A greedy fight by its script: (dice, successes) of each throw."""

    def __init__(self, text, foes, throws=(), sets=()):
        fight, row = entered(text, foes, sets)
        fight.write(row)
        self.dice, self.limit = Script(throws), fight.terms.limit
        self.t = SimpleNamespace(**dict.fromkeys(ANIMON.table, 0))
        self.c = [SimpleNamespace(**dict.fromkeys(ANIMON.actor, 0)) for _ in range(fight.terms.actors)]
        self.g = _with_objects(fight.desk.g)

    def begin(self):
        plain(stated.begin)(self.t, self.c, self.g, self.dice)
        return self

    def decide(self):
        """(kind, attack, choice, target, uses, bought, die)."""
        return plain(attacks.parts)(plain(policies.greedy)(self.t, self.c, self.g))

    def step(self):
        """One action; gives what was done, and what it led to."""
        done = self.decide()
        return done, plain(stated.act)(self.t, self.c, self.g, plain(attacks.action)(*done), self.dice)

    def play(self):
        """To the end, or out of time; gives [win, draw, loss, HP left] and the rounds."""
        self.begin()
        rounds, code = 1, stated.NEXT
        while code != stated.END and rounds <= self.limit:
            _, code = self.step()
            rounds += code == stated.ROUND
        assert self.dice.throws == []
        out = np.zeros(4, np.int64)
        plain(stated.measure)(self.t, self.c, self.g, out)
        return out.tolist(), min(rounds, self.limit)

    def told(self, *kinds):
        """What was told of these kinds."""
        return [each[1:] for each in self.dice.told if each[0] in kinds]

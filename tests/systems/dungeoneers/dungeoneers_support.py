"""What Dungeoneers' tests share: the rules, fights in the compact form, fights that a script decides."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from buildsearch.engines.plain import plain
from buildsearch.engines.stated import StatedFight
from buildsearch.engines.stated_game import stated_evaluators
from buildsearch.engines.told import _with_objects
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.systems.dungeoneers import statement as stated
from buildsearch.systems.dungeoneers.bouts import make_bouts
from buildsearch.systems.dungeoneers.builds.grammar import parse_build
from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace
from buildsearch.systems.dungeoneers.game import DungeoneersGame
from buildsearch.systems.dungeoneers.rules.settings import read_settings
from buildsearch.systems.dungeoneers.sheet import DUNGEONEERS, hero_row, make_terms

REPOSITORY = Path(__file__).resolve().parents[3]
STILETTO = "power+1,prowess+3,endurance+2 / stiletto,medium_shield,gambeson"
BATTLEAXE = "power+2,prowess+3,endurance+1 / battleaxe,light_shield,gambeson"
MAGE = "prowess+3,mind+3 / improvised,robes,venom,ice_lance"


@cache
def rules(*sets):
    return load_rules(str(REPOSITORY / "rules" / "dungeoneers.yaml"), sets).model


@cache
def scenarios():
    return load_scenarios(str(REPOSITORY / "scenarios" / "dungeoneers.yaml")).model


def space(**parameters):
    return DungeoneersSpace(rules(), read_settings(rules(), parameters))


def bout(text, play="greedy"):
    return make_bouts(rules(), scenarios(), {"enemies": text, "play": play})["enemies"]


def evaluators():
    return stated_evaluators(DungeoneersGame(rules()))


def fight_of(text):
    return StatedFight(make_terms(rules(), bout(text)))


def row_of(build):
    return hero_row(rules(), parse_build(build, rules()))


def solved(build, text):
    return fight_of(text).solve(row_of(build))


def goldens(policy):
    with (REPOSITORY / "tests" / "golden" / "dungeoneers.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["policy"] == policy]


def opened(build, text):
    """The records of a fight that has not begun: t, c, g."""
    fight = fight_of(text)
    fight.write(row_of(build))
    t = SimpleNamespace(**dict.fromkeys(DUNGEONEERS.table, 0))
    actors = range(fight.terms.actors)
    return (
        t,
        [SimpleNamespace(**dict.fromkeys(DUNGEONEERS.actor, 0)) for _ in actors],
        _with_objects(fight.desk.g),
    )


class Script(tuple):  # as all dice are
    """(chance, whether it comes about) for each attempt; the chances are compared."""

    def __new__(cls, attempts):
        self = super().__new__(cls)
        self.attempts = list(attempts)
        return self


@stated.attempt.by(Script)
def _(dice, p, me, it, spell, number):
    expected, comes_about = dice.attempts.pop(0)
    assert abs(p - Fraction(expected)) < 1e-15
    return comes_about


@stated.below.by(Script)
def _(dice, number):
    return 0


@stated.trigger.by(Script)
def _(dice, number):
    pass


def act_out(build, text, attempts):
    """A greedy fight by its script: (metrics, what was done, c)."""
    t, c, g = opened(build, text)
    dice, did = Script(attempts), []
    plain(stated.begin)(t, c, g, dice)
    rounds, limit = 1, bout(text).numbers.rounds
    while True:
        did.append(plain(stated.parts)(plain(stated.greedy)(t, c, g)))
        code = plain(stated.act)(t, c, g, stated_action(did[-1]), dice)
        rounds += code == stated.ROUND
        if code == stated.END or rounds > limit:
            break
    assert dice.attempts == []
    out = np.zeros(4, np.int64)
    plain(stated.measure)(t, c, g, out)
    return out.tolist(), did, c


def stated_action(parts):
    return plain(stated.action)(*parts)

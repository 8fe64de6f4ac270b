"""What Animon Story's tests share: the rules, fights in the compact form, dice of every course."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.systems.animon.bouts.choice import make_bouts
from buildsearch.systems.animon.builds.grammar import parse_build
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.evaluators import Field
from buildsearch.systems.animon.rules.settings import read_settings

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
def field(text, sets=()):
    return Field(rules(*sets), bout(text, sets=sets))


def solved(text, foes, sets=()):
    found = field(foes, sets)
    return found.solver.greedy(found.row(build(text, *sets)))


def best(text, foes, sets=()):
    found = field(foes, sets)
    return found.solver.best(found.row(build(text, *sets)))[0]


def goldens():
    with (REPOSITORY / "tests" / "golden" / "animon-story.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


class EveryCourse:
    """Dice that take every course in turn, until `more()` says that there is none."""

    def __init__(self):
        self.faces = []
        self.at = 0
        self.likely = 1.0

    def roll(self, sides):
        if self.at == len(self.faces):
            self.faces.append(1)
        face = self.faces[self.at]
        self.at += 1
        self.likely /= sides
        return face

    def more(self, sides):
        del self.faces[self.at :]
        while self.faces and self.faces[-1] == sides:
            self.faces.pop()
        if not self.faces:
            return False
        self.faces[-1] += 1
        self.at, self.likely = 0, 1.0
        return True

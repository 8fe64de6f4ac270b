"""What Dungeoneers' tests share: the rules, fights in the compact form, scripted dice."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from buildsearch.systems.dungeoneers.bouts import make_bouts
from buildsearch.systems.dungeoneers.builds.grammar import parse_build
from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace
from buildsearch.systems.dungeoneers.exact.heroes import hero_row
from buildsearch.systems.dungeoneers.exact.solver import Solver
from buildsearch.systems.dungeoneers.exact.template import make_template
from buildsearch.systems.dungeoneers.rules.settings import read_settings
from buildsearch.workflow.input_files import load_rules, load_scenarios

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


def solver(fight):
    return Solver(make_template(rules(), fight), fight)


def solved(build, text):
    fight = bout(text)
    return solver(fight).greedy(hero_row(rules(), parse_build(build, rules())))


def goldens(policy):
    with (REPOSITORY / "tests" / "golden" / "dungeoneers.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["policy"] == policy]

"""What Armitage's tests share: the rules, fighters, scripted dice."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

from buildsearch.systems.armitage.bouts import OURS, THEIRS, Fighter
from buildsearch.systems.armitage.builds.build import in_order
from buildsearch.systems.armitage.builds.space import ArmitageSpace
from buildsearch.systems.armitage.rules.settings import read_settings
from buildsearch.workflow.input_files import load_rules, load_scenarios

REPOSITORY = Path(__file__).resolve().parents[3]


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


def z_score(first, second, fights):
    """How many standard errors two estimates lie apart; what was never seen may still happen to 3 in n."""
    return abs(first.value - second.value) / math.hypot(first.se, second.se, 1 / fights)

"""What a game of your own is made with: docs/your-game.md.

from buildsearch.kit import Entry, Fight, Game, Measure, any_of, dice, one_of, rule, scores
"""

from buildsearch.engines.dice import below, chance, draw, seen, tell, trigger
from buildsearch.engines.graphs import NEXT, ROUND, TICK
from buildsearch.engines.statement import ANY, rule
from buildsearch.kit.chances import Chances, Dice, dice, die, roll, table_of, yes
from buildsearch.kit.choices import any_of, counts, one_of, scores
from buildsearch.kit.entries import Entry, Rulings
from buildsearch.kit.fight import DRAWN, LOST, OPEN, WON, Fight, Measure
from buildsearch.kit.game import DuelGame, Game
from buildsearch.model.rules_file import Flag, Frozen, Integer, Natural, Positive, Text

Numbers = Frozen

__all__ = [
    "ANY",
    "DRAWN",
    "LOST",
    "NEXT",
    "OPEN",
    "ROUND",
    "TICK",
    "WON",
    "Chances",
    "Dice",
    "DuelGame",
    "Entry",
    "Fight",
    "Flag",
    "Game",
    "Integer",
    "Measure",
    "Natural",
    "Numbers",
    "Positive",
    "Rulings",
    "Text",
    "any_of",
    "below",
    "chance",
    "counts",
    "dice",
    "die",
    "draw",
    "one_of",
    "roll",
    "rule",
    "scores",
    "seen",
    "table_of",
    "tell",
    "trigger",
    "yes",
]

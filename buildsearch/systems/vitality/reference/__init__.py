"""The reference simulator of Vitality: every mechanic once, in plain Python, to be read beside the text.

`strike` says what a roll means, `volley` what it does to enemies, `attack` how strikes follow one another,
`limits` and `greedy` what the attacker does, `fight` how a turn goes. In comments "text" is the rule text and
"spec" the reading of it that all engines share; what follows either is the section or the entry.
"""

from buildsearch.evaluate.randomness import Dice, SeededDice
from buildsearch.systems.vitality.reference.fight import FightResult, fight

__all__ = ["Dice", "FightResult", "SeededDice", "fight"]

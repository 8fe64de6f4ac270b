"""The reference simulator of Vitality: every mechanic once, in plain Python, to be read beside the text.

`strike` says what a roll means, `volley` who is struck, `triggers_of_attack` what follows, `limits` and
`greedy` what the attacker does, `fight` how a turn goes. "Spec" in comments is the reading of the rules
(`docs/vitality`), "text" the rule text itself; names after either are their section titles.
"""

from buildsearch.systems.vitality.reference.dice import Dice, SeededDice
from buildsearch.systems.vitality.reference.fight import FightResult, fight

__all__ = ["Dice", "FightResult", "SeededDice", "fight"]

"""Fights of loadouts: several attacks, and a choice among them each turn, greedily or with a look ahead.

Attacks are compiled one by one, as `kernel` compiles them, and laid side by side, so that a loadout is a row
of numbers.
"""

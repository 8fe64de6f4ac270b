"""Armitage: two-sided fights of cards and dice; a build is a stat line and a deck."""

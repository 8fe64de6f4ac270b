"""Scores of very many builds: rows of numbers, those that a fight cannot tell apart once."""

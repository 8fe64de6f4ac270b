"""Rules and scenarios as data: shapes, checks, words, chances of the dice."""

"""Rules and scenarios as data: shapes, checks, words."""

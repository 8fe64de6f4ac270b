"""Ranking every build: scoring, caching, racing, ordering. Knows metrics and directions, no game."""

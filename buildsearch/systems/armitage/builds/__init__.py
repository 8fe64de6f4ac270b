"""Decks: written, judged, listed."""

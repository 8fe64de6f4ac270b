"""Builds of one attack: written, judged, listed."""

"""Builds of attributes and gear: written, judged, listed."""

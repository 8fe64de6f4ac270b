"""Sampled fights, compiled."""

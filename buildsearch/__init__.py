"""Find the best, the dominant and the broken builds of a tabletop combat game."""

__version__ = "0.1.0"

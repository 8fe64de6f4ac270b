"""The version, for whoever needs no more than that."""

__version__ = "0.1.0"

"""Builds: how they are written, which are legal, what their forms are."""

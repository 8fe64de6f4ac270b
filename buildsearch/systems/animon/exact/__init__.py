"""Fights as graphs of states: chances without sampling, and best play."""

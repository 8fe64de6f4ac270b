"""Turns that hurt several enemies: fields, nodes of a turn, gates, solvers that know no rule."""

"""Fights in which a turn hurts several enemies: fields, nodes of a turn, gates, and solvers that know no rule."""

"""Fights as graphs of states, for the engines that know no game."""

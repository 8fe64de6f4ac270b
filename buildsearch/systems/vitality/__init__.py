"""Vitality: one-sided fights between an attack build and a list of enemies."""

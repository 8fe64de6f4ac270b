"""Animon Story: creatures of four stats, signature attacks and stages that they evolve through."""

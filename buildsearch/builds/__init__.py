"""Combinatorics that systems pick from: budgeted subsets, multisets, point-buy."""

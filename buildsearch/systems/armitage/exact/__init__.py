"""Exact results where the state is small: what one turn can bring, and races of attack against attack."""

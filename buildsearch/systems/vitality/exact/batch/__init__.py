"""Means of many builds at once: each upgrade profile and each gating process is worked out once."""

"""Tests of the combinatorics, held against the slow twins in `naive.py`."""

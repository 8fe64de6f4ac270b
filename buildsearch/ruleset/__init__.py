"""YAML with line positions in, checked models out; every problem at once."""

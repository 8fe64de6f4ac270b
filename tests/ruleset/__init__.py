"""Tests of reading, checking and overriding YAML."""

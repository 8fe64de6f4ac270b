"""Bytes on disk: read with care, written whole."""

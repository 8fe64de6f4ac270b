"""Answers as documents: a file a command, each a function from an answer to a `Document`."""

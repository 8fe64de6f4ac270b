"""`python -m buildsearch`: the same as the command."""

from __future__ import annotations

from buildsearch.cli.main import run

if __name__ == "__main__":
    run()

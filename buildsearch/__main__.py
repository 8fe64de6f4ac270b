"""`python -m buildsearch`, and the command itself: Ctrl-C is quiet from the first moment on."""

from __future__ import annotations

import os
import signal
from typing import NoReturn


def _stop(_number: int, _frame: object) -> NoReturn:
    # Nothing is begun yet, so nothing is lost; a traceback out of an import would tell nobody anything.
    os.write(2, b"buildsearch: interrupted.\n")
    os._exit(130)


def main() -> NoReturn:
    """Load the command line and run it."""
    signal.signal(signal.SIGINT, _stop)
    from buildsearch.cli.main import run

    run()


if __name__ == "__main__":
    main()

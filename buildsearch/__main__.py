"""`python -m buildsearch`, and the command itself: streams and Ctrl-C, before anything else is loaded."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn


def _stop(_number: int, _frame: object) -> NoReturn:
    # Nothing is begun yet, so nothing is lost; a traceback out of an import would tell nobody anything.
    os.write(2, b"buildsearch: interrupted.\n")
    os._exit(130)


def _open_closed_streams() -> None:
    """A stream that the caller closed (`1>&-`) leads nowhere; else the next file would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123 - never closed, loads nothing
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def main() -> NoReturn:
    """Load the command line and run it."""
    _open_closed_streams()
    signal.signal(signal.SIGINT, _stop)
    from buildsearch.cli.main import run

    run()


if __name__ == "__main__":
    main()

"""Ctrl-C: it ends a command within a moment, wherever that is.

Python hears a signal only between two of its own steps, and a kernel may take minutes for one. So a thread
listens too: if the command has not ended by itself after a moment, the thread ends the process. Only who says
that it is writing down what is known so far gets more time, until Ctrl-C is pressed again.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from buildsearch.cli.failures import INTERRUPTED

# Within two seconds, the end of the process included.
_PATIENCE = 1.2
_GOING_ON = "Stopping: ranking and saving the builds scored so far. Ctrl-C again quits now.\n"


class _State:
    """What the thread and the command know of one another."""

    def __init__(self) -> None:
        self.is_listening = False
        self.times = 0
        self.is_finishing = False


_state = _State()


def was_interrupted() -> bool:
    """Whether Ctrl-C was pressed: then no other error is worth a word."""
    return _state.times > 0


def finishing(sentence: str = _GOING_ON) -> None:
    """Tell who waits that what is known is being written, and take the time for it."""
    _state.is_finishing = True
    if _state.is_listening:
        _say(sentence)
        _let_others_wait()


@contextmanager
def listening() -> Iterator[None]:
    """Listen for Ctrl-C as long as the block lasts; it ends the process where the block does not."""
    reading, writing = os.pipe()
    with suppress(AttributeError):  # Windows before Python 3.12, where it need not be
        os.set_blocking(writing, False)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    sys.unraisablehook = _quiet_hook
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()
    _state.is_listening = True
    try:
        yield
    finally:
        # Nothing is left to be interrupted, and no traceback may come out of the end of the interpreter.
        with suppress(ValueError):
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _let_others_wait() -> None:
    """Threads that are at pieces of work which nobody wants any more get only the time that is left over."""
    if sys.platform != "linux":
        return  # elsewhere a thread's number is not a process's, and might be that of another program
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and thread.native_id is not None:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, thread.native_id, 19)


def leave(code: int) -> NoReturn:
    """End the process at once, with what was printed; threads that still work are left behind."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(code)


def _watch(reading: int) -> None:
    while True:
        for number in os.read(reading, 16):
            if number != signal.SIGINT:
                continue
            _state.times += 1
            if _state.times > 1:
                _stop()
            threading.Thread(target=_stop_after_a_moment, daemon=True).start()


def _stop_after_a_moment() -> None:
    time.sleep(_PATIENCE)
    if not _state.is_finishing:
        _stop()


def _stop() -> NoReturn:
    _say("buildsearch: interrupted.\n")
    os._exit(INTERRUPTED)


def _say(sentence: str) -> None:
    # Not through sys.stderr: whoever holds its lock may be what does not end.
    with suppress(OSError):
        os.write(2, sentence.encode())


def _quiet_hook(about: Any) -> None:
    """A Ctrl-C that is swallowed where nothing can be raised is no news: the thread has heard it too."""
    if not isinstance(about.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(about)

"""What a terminal is shown: characters that turn writing around or break lines come out as escapes.

Names and texts come from rules files that anybody may have written. They reach a terminal by many ways, and
all of these end here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from buildsearch.model.text import without_tricks


class _Plain:
    """A stream that writes escapes for such characters, and is otherwise the stream behind it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        shown = without_tricks(text)
        try:
            self._stream.write(shown)
        except UnicodeEncodeError:  # a file on Windows has an old encoding, and a game may be called 東京
            encoding = self._stream.encoding
            self._stream.write(shown.encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def shown_plainly() -> Iterator[None]:
    """Standard output and error that show what they are given, for as long as the block lasts."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Plain(out), _Plain(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err

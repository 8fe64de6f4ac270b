"""Text that shows what it holds: characters that turn writing around or break lines are written out."""

from __future__ import annotations

import json
import re
from typing import Any

# Marks and embeddings of bidirectional text, and separators that some programs take for the end of a line.
TRICKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\u0085"
_ESCAPES = {ord(letter): f"\\u{ord(letter):04x}" for letter in TRICKS}


def without_tricks(text: str) -> str:
    """The text with such characters as escapes; line ends and colours of a terminal stay."""
    return text if text.isascii() else text.translate(_ESCAPES)


# An escaped backslash, or such a character as JSON writes it.
_IN_JSON = re.compile(r"(\\\\)|\\u(" + "|".join(f"{ord(letter):04x}" for letter in TRICKS) + ")")


def plain_json(data: Any, **more: Any) -> str:
    """JSON for a page, whose texts show such characters as escapes."""
    text = json.dumps(data, allow_nan=False, **more)
    return _IN_JSON.sub(lambda found: found[1] or rf"\\u{found[2]}", text)


def visible(text: str) -> str:
    """The text with every control character written out: what a file holds is not to drive a terminal."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )

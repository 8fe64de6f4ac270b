"""What an unquoted YAML word means: the YAML 1.2 core schema, decimal numbers only.

PyYAML follows YAML 1.1, where `on`, `1:30` and `1_000` are not what an author expects; here they are text.
"""

from __future__ import annotations

import math
import re

from buildsearch.ruleset.limits import MAX_INT_DIGITS
from buildsearch.ruleset.node import Scalar

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?([0-9]+)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class ScalarError(ValueError):
    """A word that is meant as a number but cannot be one here."""


def resolve(word: str) -> Scalar:
    """The value of an unquoted scalar; raises `ScalarError` for numbers that are not allowed."""
    if word in _WORDS:
        return _WORDS[word]
    if match := _INT.fullmatch(word):
        if len(match[1]) > MAX_INT_DIGITS:
            raise ScalarError(f"a whole number may have at most {MAX_INT_DIGITS} digits")
        return int(word)
    if _FLOAT.fullmatch(word):
        number = float(word)
        if not math.isfinite(number):
            raise ScalarError("not a finite number")
        return number
    if _NOT_FINITE.fullmatch(word):
        raise ScalarError("not a finite number")
    return word

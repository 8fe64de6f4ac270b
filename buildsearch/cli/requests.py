"""From options to a request, and from arguments to builds; `-` stands for the lines of standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

STANDARD_INPUT = "-"

if TYPE_CHECKING:
    from buildsearch.cli.option_groups import Filters, Opponents, Overrides, Parameters
    from buildsearch.model.request import Request

    R = TypeVar("R", bound=Request)


def make_request(
    kind: type[R],
    rules: str,
    *,
    overrides: Overrides | None = None,
    parameters: Parameters | None = None,
    filters: Filters | None = None,
    opponents: Opponents | None = None,
    scenario: Sequence[str] | None = None,
    **more: Any,
) -> R:
    """What the groups of options say together."""
    said: dict[str, Any] = {"rules": rules, "only": tuple(scenario or ()), **more}
    if overrides is not None:
        said |= {"overrides": tuple(overrides.set_ or ()), "rulings": tuple(overrides.ruling or ())}
    if parameters is not None:
        said["parameters"] = parameters.parameters
    if filters is not None:
        said |= {
            "groups": tuple(filters.type_ or ()),
            "with_features": tuple(filters.with_ or ()),
            "without_features": tuple(filters.without or ()),
        }
    if opponents is not None:
        said |= {"scenarios": opponents.scenarios, "fight_options": opponents.fight_options}
    return kind(**said)


def builds_of_arguments(texts: Sequence[str]) -> list[str]:
    """Build texts as they are, with standard input in the place of `-`; raises UsageError."""
    from buildsearch.files.safe_reading import MAX_TEXT
    from buildsearch.library.fight_setup import builds_in_lines
    from buildsearch.model.errors import UsageError

    found: list[str] = []
    for text in texts:
        if text == STANDARD_INPUT:
            given = sys.stdin.read(MAX_TEXT + 1)
            if len(given) > MAX_TEXT:
                raise UsageError(
                    f"standard input has more than {MAX_TEXT:,} characters, and that is the limit."
                )
            found += builds_in_lines(given.splitlines(), "standard input")
        else:
            found.append(text)
    return found

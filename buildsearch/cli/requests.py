"""From options to a request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

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

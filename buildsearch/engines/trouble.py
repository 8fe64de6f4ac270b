"""What is wrong with a statement, in sentences that name the field or the function."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines import rooms as at
from buildsearch.engines.dice import MOST_ROLLS
from buildsearch.engines.statement import MOST_BITS, MOST_WORDS, State, Terms


def trouble_sentence(terms: Terms, state: State, desk: at.Desk) -> str:
    """What a kernel met."""
    what, where, value, is_action, action = (int(each) for each in desk.trouble)
    function = f"`act` (action {action})" if is_action else "`begin`"
    said = {
        at.OUT_OF_RANGE: lambda: (
            f"{function} makes `{state.names[where]}` {value}, and it goes from 0 to {desk.most[where]}."
        ),
        at.TOO_WIDE: lambda: _too_wide(state.names[where], value),
        at.TOO_MANY_ROLLS: lambda: (
            f"{function} rolls more than {MOST_ROLLS} times. Cut it into smaller actions."
        ),
        at.ENDLESS: lambda: (
            f"a round never ends: `act` was asked {at.MOST_STEPS:,} times without ROUND, TICK or END, and "
            f"came to {_fields(state, state.flat)}."
        ),
        at.BAD_METRIC: lambda: (
            f"`{terms.statement.metrics[where]}` is measured as {value}, and it goes from 0 to "
            f"{terms.most[where]}."
        ),
        at.TOO_MANY: lambda: (
            f"`options` gives {value}, and it may list up to {terms.options} actions (`Terms.options`)."
        ),
        at.BAD_CODE: lambda: f"{function} gives {value}, which is none of NEXT, ROUND, TICK and END.",
    }
    return f"{terms.statement.name}: {said[what]()}"


def _too_wide(field: str, value: int) -> str:
    if value < 0:
        return f"`ranges` says {value} of `{field}`, and a range is a number from 0 up, or ANY."
    if value.bit_length() > MOST_BITS:
        return f"`ranges` says {value} of `{field}`: a field has at most {MOST_BITS} bits."
    return (
        f"a state is too wide: the fields up to `{field}` take more than {MOST_WORDS} words of {MOST_BITS} "
        "bits. `ranges` may say less, or ANY."
    )


def cycle_sentence(terms: Terms, state: State, fields: NDArray[np.int64]) -> str:
    """A state that leads back to itself."""
    return (
        f"{terms.statement.name}: a cycle within a round: `act` leads from {_fields(state, fields)} back to "
        "it, and none of the actions on the way is ROUND or TICK."
    )


def _fields(state: State, values: NDArray[np.int64]) -> str:
    told = [f"{name} {value}" for name, value in zip(state.names, values, strict=True) if value]
    return ", ".join(told) or "a state in which every field is 0"


def outside_sentence(terms: Terms) -> str:
    """The one rule whose bounds are checked wrote or read outside of a table."""
    return (
        f"{terms.statement.name}: `options` lists more than {terms.options} actions (`Terms.options`), or "
        "reads outside of a table."
    )

"""A request as the options of a command: what gives a row of a leaderboard, or shows one of its fights."""

from __future__ import annotations

from buildsearch.model.request import Request


def score_options(request: Request, *, scenarios: bool = True) -> list[str]:
    """The options of `score` and `trace` that mean the same; without single scenarios if told."""
    said = [
        ("--rules", [request.rules]),
        ("--set", request.overrides),
        ("--ruling", request.rulings),
        ("-p", [f"{name}={value}" for name, value in request.parameters.items()]),
        ("--scenarios", [request.scenarios] if request.scenarios else []),
        ("--scenario", request.only if scenarios else []),
        *((f"--{name}", [value]) for name, value in request.fight_options.items()),
    ]
    return [word for option, values in said for value in values for word in (option, value)]

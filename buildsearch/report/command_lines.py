"""Command lines to be typed again: what gives a row of a leaderboard, or shows one of its fights."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from buildsearch.options.game import GameOptions


def score_options(request: GameOptions, *, scenarios: bool = True) -> list[str]:
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


def score_command(options: Sequence[str], name: str, fights: int | None, seed: int) -> str:
    """What scores a build again, with as many fights as it had; None where nothing was sampled."""
    sampled = [] if fights is None else ["--fights", str(fights), "--seed", str(seed)]
    return shlex.join(["buildsearch", "score", name, *options, *sampled])


def trace_command(request: GameOptions, name: str, scenario: str, seed: int) -> str:
    """What shows one fight, under the request's own rules and parameters."""
    fight = ["--scenario", scenario, "--seed", str(seed)]
    return shlex.join(["buildsearch", "trace", name, *score_options(request, scenarios=False), *fight])


def workbench_command(run: str) -> str:
    """What writes the page on which prices are moved."""
    return shlex.join(["buildsearch", "workbench", run])


def workbench_commands(run: str, request: GameOptions, edited: str) -> dict[str, str]:
    """What to type on about the edits of a workbench; `edited` is the rules file that it saves."""
    parameters = [word for name, value in request.parameters.items() for word in ("-p", f"{name}={value}")]
    fights = [word for name in request.only for word in ("--scenario", name)]
    return {
        "explain": shlex.join(["buildsearch", "balance", run, "--try"]),
        "diff": shlex.join(["buildsearch", "diff", request.rules, edited, *parameters, *fights]),
        "balance": f"{shlex.join(['buildsearch', 'balance', run, '--json'])} > proposals.json",
        "over_budget": "--over-budget",
    }

"""The tables of `buildsearch explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from buildsearch.report.sheets import say_cell
from buildsearch.search.rank_ranges import say_score


def parts_table(parts: Sequence[Mapping[str, Any]]) -> Table:
    """What is lost without each part, in all and by scenario, and the best exchange of the same cost."""
    table = Table(show_edge=False)
    scenarios = list(next((part["gains"] for part in parts if part["gains"]), {}))
    for column in ("part", "gain", *scenarios, "best exchange", "gain over it"):
        table.add_column(column, justify="left" if column in ("part", "best exchange") else "right")
    for part in parts:
        gains = part["gains"] or {}
        table.add_row(
            part["part"],
            say_cell(part["gain"]),
            *(say_cell(gains.get(name)) for name in scenarios),
            say_cell(part["best_swap"]),
            say_cell(part["gain_over_swap"]),
        )
    return table


def scenarios_table(scenarios: Mapping[str, Mapping[str, Any]]) -> Table:
    """Value and percentile, and the fights to look at with their seeds."""
    table = Table(show_edge=False)
    for column in ("scenario", "value", "better than", "worst (seed)", "median (seed)", "best (seed)"):
        table.add_column(column, justify="left" if column == "scenario" else "right")
    for name, each in scenarios.items():
        fights = (each[key] for key in ("worst_fight", "median_fight", "best_fight"))
        table.add_row(
            name,
            say_score(each["value"], each["low"], each["high"]),
            f"{each['percentile']:.1f} %",
            *(f"{fight['value']:g} ({fight['seed']})" for fight in fights),
        )
    return table

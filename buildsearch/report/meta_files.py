"""The folder of a meta: matrix.csv, matrix.parquet, shares.csv, meta.json, and meta.html, its page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from buildsearch.document.numbers import short
from buildsearch.document.table_files import write_table
from buildsearch.files.atomic import whole_folder, write_whole
from buildsearch.meta.double_oracle import Meta
from buildsearch.report.html.summary import Sentence
from buildsearch.report.html.whole_page import write_content
from buildsearch.views.meta import (
    NO_FORECAST,
    cycle_lines,
    say_best_counter,
    say_break_even,
    say_counter,
    say_cycles,
    say_next,
    say_result,
    say_worth_playing,
    uncountered,
)

MATRIX, SHARES, META, PAGE = "matrix", "shares.csv", "meta.json", "meta.html"
_CYCLES = 100


def write_meta(
    folder: Path, meta: Meta, about: Mapping[str, Any], title: str, facts: list[tuple[str, str]], total: int
) -> None:
    """Write everything aside; the folder then changes as a whole, or not at all."""
    with whole_folder(folder) as staged:
        cells = _matrix(meta)
        for ending in (".csv", ".parquet"):
            write_table([cells], staged.path / f"{MATRIX}{ending}")
        write_table([_shares(meta)], staged.path / SHARES)
        write_whole(staged.path / META, json.dumps(dict(about), indent=2) + "\n")
        write_content(meta_content(meta, title, facts, total), staged.path / PAGE)


def meta_data(meta: Meta, total: int) -> dict[str, Any]:
    """What meta.json and --json say of what was found."""
    found, response = meta.structure, meta.response
    return {
        "builds": total,
        "looked_at": len(meta.matches),
        "fights": meta.matches.spent,
        "rounds": meta.rounds,
        "incomplete": meta.is_partial,
        "epsilon": meta.rules.epsilon,
        "alpha": meta.rules.alpha,
        "exploitability": {
            "at_most": response.bound,
            "estimate": max(0.0, response.edge),
            "best_response": meta.matches.name(response.best),
            "open_builds": len(response.open),
            "is_proved": len(response.open) == 0,
            "whole_space": len(meta.matches) >= total,
        },
        "builds_worth_playing": {
            "value": meta.effective,
            "low": meta.effective_low,
            "high": meta.effective_high,
        },
        "break_even": meta.holding,
        "break_even_outside_the_table": meta.outside,
        "is_most_even": meta.is_most_even,
        "pool": [
            {
                "build": name,
                "share": float(meta.shares[i]),
                "share_low": float(meta.share_low[i]),
                "share_high": float(meta.share_high[i]),
                "rating": float(found.ratings[i]),
                "counter": meta.counter_names[i],
                "counter_wins": meta.counters[i].wins if meta.counter_names[i] is not None else None,
                "best_counter_wins_at_most": meta.counters[i].most if meta.counter_names[i] is None else None,
                "is_proved": meta.counters[i].is_proved,
            }
            for i, name in enumerate(meta.names)
        ],
        "cycles": {
            "triples": found.triples,
            "cyclic_triples": len(found.cycles),
            "open_pairs": found.undecided,
            "cyclic_part": found.cyclic,
            "shown": cycle_lines(meta, _CYCLES),
        },
        "says": [
            say_result(meta),
            say_best_counter(meta, total),
            say_break_even(meta),
            say_cycles(meta),
            say_worth_playing(meta),
            say_next(meta),
            NO_FORECAST,
        ],
    }


def _matrix(meta: Meta) -> dict[str, Any]:
    """A row for each ordered pair: a against b and b against a add up to one."""
    size = len(meta.names)
    pairs = [(i, j) for i in range(size) for j in range(size)]
    exact = (meta.errors == 0).ravel().tolist()
    methods = ["mirror" if i == j else "exact" if meta.errors[i, j] == 0 else "sampled" for i, j in pairs]
    fights = [None if is_exact else int(n) for is_exact, n in zip(exact, meta.fights.flat, strict=True)]
    return {
        "build": pa.array([meta.names[i] for i, _ in pairs]),
        "against": pa.array([meta.names[j] for _, j in pairs]),
        "wins": pa.array(meta.means.ravel()),
        "low": pa.array(meta.low.ravel()),
        "high": pa.array(meta.high.ravel()),
        "error": pa.array(meta.errors.ravel()),
        "fights": pa.array(fights, pa.int64()),
        "method": pa.array(methods),
    }


def _shares(meta: Meta) -> dict[str, Any]:
    counters = meta.counters
    return {
        "build": pa.array(list(meta.names)),
        "share": pa.array(meta.shares),
        "low": pa.array(meta.share_low),
        "high": pa.array(meta.share_high),
        "rating": pa.array(meta.structure.ratings),
        "counter": pa.array(list(meta.counter_names), pa.string()),
        "counter_wins": pa.array([None if each.by is None else each.wins for each in counters], pa.float64()),
        "at_most": pa.array([each.most if each.by is None else None for each in counters], pa.float64()),
        "counter_is": pa.array(
            ["known" if each.by is not None else "none" if each.is_proved else "open" for each in counters]
        ),
    }


def meta_content(meta: Meta, title: str, facts: list[tuple[str, str]], total: int) -> dict[str, Any]:
    return {
        "kicker": "Matchups",
        "title": title,
        "facts": facts,
        "summary": _summary(meta, total),
        "findings": [],
        "has_board": False,
        "is_partial": meta.is_partial,
        "data": _data(meta),
    }


def _summary(meta: Meta, total: int) -> list[Sentence]:
    is_bad = meta.shares[0] >= 0.9 or bool([i for i in uncountered(meta) if meta.shares[i] > 0])
    open_ = bool(len(meta.response.open)) or meta.is_partial
    return [
        Sentence("Result", f"{say_result(meta)}. {say_next(meta)}", is_bad=is_bad, is_warning=open_),
        Sentence(
            "Worth playing",
            f"{say_worth_playing(meta)} {say_break_even(meta)}",
            is_bad=False,
            is_warning=True,
        ),
        Sentence("Counters", say_best_counter(meta, total), is_bad=False, is_warning=True),
        Sentence("Cycles", say_cycles(meta), is_bad=False, is_warning=True),
        Sentence("What this is not", NO_FORECAST, is_bad=False, is_warning=True),
    ]


def _data(meta: Meta) -> dict[str, Any]:
    return {
        "kind": "meta",
        "pool": [
            {
                "number": i + 1,
                "build": name,
                "share": short(float(meta.shares[i])),
                "low": short(float(meta.share_low[i])),
                "high": short(float(meta.share_high[i])),
                "rating": short(float(meta.structure.ratings[i])),
                "counter": say_counter(meta, i),
            }
            for i, name in enumerate(meta.names)
        ],
        "sampled": meta.is_sampled,
        "order": list(meta.structure.order),
        "cells": [
            {
                "a": i,
                "b": j,
                "wins": short(float(meta.means[i, j])),
                "low": short(float(meta.low[i, j])),
                "high": short(float(meta.high[i, j])),
                "fights": None if meta.errors[i, j] == 0 else int(meta.fights[i, j]),
            }
            for i in range(len(meta.names))
            for j in range(len(meta.names))
        ],
        "cycles": cycle_lines(meta, _CYCLES),
    }

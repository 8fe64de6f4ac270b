"""The folder of a meta: matrix.csv, matrix.parquet, shares.csv, meta.json, and meta.html, its page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from buildsearch.document.blocks import Document
from buildsearch.document.table_files import write_table
from buildsearch.files.atomic import whole_folder, write_whole
from buildsearch.meta.double_oracle import Meta
from buildsearch.report.html.whole_page import write_document
from buildsearch.views.meta import (
    NO_FORECAST,
    cycle_lines,
    say_best_counter,
    say_break_even,
    say_cycles,
    say_next,
    say_result,
    say_worth_playing,
)

MATRIX, SHARES, META, PAGE = "matrix", "shares.csv", "meta.json", "meta.html"
_CYCLES = 100


def write_meta(folder: Path, meta: Meta, about: Mapping[str, Any], page: Document) -> None:
    """Write everything aside; the folder then changes as a whole, or not at all."""
    with whole_folder(folder) as staged:
        cells = _matrix(meta)
        for ending in (".csv", ".parquet"):
            write_table([cells], staged.path / f"{MATRIX}{ending}")
        write_table([_shares(about["pool"])], staged.path / SHARES)
        write_whole(staged.path / META, json.dumps(dict(about), indent=2) + "\n")
        write_document(page, staged.path / PAGE)


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


def _shares(pool: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    def column(name: str, kind: pa.DataType | None = None) -> pa.Array:
        return pa.array([each[name] for each in pool], kind)

    known = ["known" if each["counter"] else "none" if each["is_proved"] else "open" for each in pool]
    return {
        "build": column("build"),
        "share": column("share"),
        "low": column("share_low"),
        "high": column("share_high"),
        "rating": column("rating"),
        "counter": column("counter", pa.string()),
        "counter_wins": column("counter_wins", pa.float64()),
        "at_most": column("best_counter_wins_at_most", pa.float64()),
        "counter_is": pa.array(known),
    }

"""Matchups as a page: shares, the matchup table, counters and cycles."""

from __future__ import annotations

from typing import Any

from buildsearch.meta.double_oracle import Meta
from buildsearch.report.html.number_format import short
from buildsearch.report.html.summary import Sentence
from buildsearch.views import meta as words

_MOST_CYCLES = 100


def meta_content(meta: Meta, title: str, facts: list[tuple[str, str]], total: int) -> dict[str, Any]:
    """All of it."""
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
    is_bad = meta.shares[0] >= 0.9 or bool([i for i in words.uncountered(meta) if meta.shares[i] > 0])
    open_ = bool(len(meta.response.open)) or meta.is_partial
    return [
        Sentence(
            "Result", f"{words.say_result(meta)}. {words.say_next(meta)}", is_bad=is_bad, is_warning=open_
        ),
        Sentence(
            "Worth playing",
            f"{words.say_worth_playing(meta)} {words.say_break_even(meta)}",
            is_bad=False,
            is_warning=True,
        ),
        Sentence("Counters", words.say_best_counter(meta, total), is_bad=False, is_warning=True),
        Sentence("Cycles", words.say_cycles(meta), is_bad=False, is_warning=True),
        Sentence("What this is not", words.NO_FORECAST, is_bad=False, is_warning=True),
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
                "counter": words.say_counter(meta, i),
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
        "cycles": words.cycle_lines(meta, _MOST_CYCLES),
    }

"""Matchups: the builds worth playing, their counters and cycles, and what to change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from buildsearch.document.blocks import (
    BLANK,
    Block,
    Cell,
    Column,
    Document,
    Kind,
    Labelled,
    Show,
    Table,
    Text,
    Tone,
    in_range,
)
from buildsearch.document.numbers import as_rate, as_share
from buildsearch.meta.double_oracle import Meta
from buildsearch.model.text import count

NO_FORECAST = "This is not a forecast. It shows what remains when every player knows every counter."
# Above this share one build is the game; below this many builds, few are worth playing.
_ALONE = 0.9
_FEW = 3.0
_NAMED = 3
_SHOWN = 10
_CYCLES = 3
_CYCLES_ON_A_PAGE = 100


def matchups(meta: Meta, title: str, total: int, about: Mapping[str, Any], folder: str) -> Document:
    """The page of `meta`: `about` is what meta.json says."""
    end = Text(f"Wrote {folder}: meta.html has the matchup table, matrix.csv every pair.")
    blocks = (*_found(meta, total, _CYCLES), BLANK, *_advice(meta), end)
    return Document(f"Matchups of {title}", blocks, {**about, "folder": folder})


def matchups_page(meta: Meta, title: str, total: int, about: Mapping[str, Any]) -> Document:
    """meta.html: the same with every pair, every cycle and what was asked."""
    asked = {"rules": about["rules"]["id"], **about["parameters"]}
    asked |= {name: about[name] for name in ("builds", "fights", "seed", "buildsearch")}
    columns = (Column("asked", Kind.TEXT, " "), *(Column(name, Kind.TEXT) for name in asked))
    facts = Table("about", "About this run", columns, [("", *map(str, asked.values()))], is_transposed=True)
    blocks = (*_found(meta, total, _CYCLES_ON_A_PAGE), _pairs(meta), *_advice(meta), facts)
    return Document(f"Matchups of {title}", blocks)


def _found(meta: Meta, total: int, cycles: int) -> Iterator[Block]:
    if meta.is_partial:
        yield Text("Incomplete: stopped before every build was answered.", Tone.WARNING)
    yield Text(say_result(meta), Tone.STRONG)
    yield Text(say_best_counter(meta, total))
    yield Text(f"{say_break_even(meta)} {say_cycles(meta)}")
    yield from (Text(f"  {line}") for line in cycle_lines(meta, cycles))
    yield BLANK
    yield _builds(meta)


def _advice(meta: Meta) -> tuple[Block, Block]:
    return Labelled("Next", say_next(meta)), Text(NO_FORECAST, Tone.DIM)


def _pairs(meta: Meta) -> Table:
    """Rows and columns in the order in which cycles show."""
    order = meta.structure.order
    columns = (Column("build", Kind.BUILD), *(Column(str(i + 1), Kind.WINS) for i in order))
    rows: list[tuple[Cell, ...]] = [
        (f"{i + 1} {meta.names[i]}", *(float(meta.means[i, j]) for j in order)) for i in order
    ]
    note = (
        "How often the build of the row wins against that of the column, by its number; a draw counts one "
        "half. Blue along the diagonal that comes back in the corner is a cycle. matrix.csv has intervals."
    )
    return Table("matrix", "Which build beats which", columns, rows, note)


def _builds(meta: Meta) -> Table:
    columns = (
        Column("number", Kind.COUNT, head="no."),
        Column("share", Kind.RATE),
        Column("counter", Kind.TEXT, head="best counter"),
        Column("build", Kind.BUILD, show=Show.OWN_LINE),
    )
    shares = zip(meta.names, meta.shares, meta.share_low, meta.share_high, strict=True)
    rows = [
        (place + 1, in_range(*map(float, share)), _short_counter(meta, place), name)
        for place, (name, *share) in enumerate(shares)
    ]
    return Table("metagame", "Metagame: shares of builds, and what beats them", columns, rows, shown=_SHOWN)


def _short_counter(meta: Meta, place: int) -> str:
    counter, name = meta.counters[place], meta.counter_names[place]
    if name is None:
        return "none" if counter.is_proved else "none found"
    known = f"no. {meta.names.index(name) + 1}" if name in meta.names else name
    return f"{known} wins {as_rate(counter.wins)}"


def say_worth_playing(meta: Meta) -> str:
    interval = f" ({meta.effective_low:.1f} to {meta.effective_high:.1f})" if meta.is_sampled else ""
    more = "" if meta.is_most_even else "; another mixture may have more"
    return f"Builds worth playing: {meta.effective:.1f}{interval}{more}."


def say_best_counter(meta: Meta, total: int) -> str:
    """What can still be won against the mixture, and which builds were tried."""
    response, tried = meta.response, len(meta.matches)
    covered = f"all {count(total, 'build')}"
    if tried < total:
        covered = f"{tried:,} of {count(total, 'build')} were tried"
    text = (
        f"The best counter wins at most {as_rate(0.5 + response.bound)} "
        f"({as_share(1 - meta.rules.alpha)} confidence, {covered})."
    )
    if len(response.open):
        limit = as_rate(0.5 + meta.rules.epsilon)
        text += f" {count(len(response.open), 'build')} may win more than the {limit} asked for: add fights."
    return text


def say_break_even(meta: Meta) -> str:
    """How many builds lose nothing against the mixture, and what that means for their number."""
    others = meta.holding - 1
    text = f"{count(others, 'other build')} {'breaks' if others == 1 else 'break'} even with it."
    if others == 0:
        text = "Every other build loses to it."
    if meta.is_most_even:
        return text if others == 0 else f"{text} No metagame is more even (proved)."
    if meta.outside:
        return f"{text} {meta.outside:,} of them are not in the matchup table."
    if meta.is_sampled and others:
        return f"{text} Pairs were sampled, so another seed may give other shares."
    return f"{text} A more even metagame is possible."


def say_cycles(meta: Meta) -> str:
    found, size = meta.structure, len(meta.names)
    if size < 3:
        return "Cycles need three builds; the table has fewer."
    even = f" {found.undecided:,} of {size * (size - 1) // 2:,} pairs are even or not settled."
    even = even if found.undecided else ""
    if found.cycle_share is None:
        return f"No three builds have settled matchups.{even}"
    if not found.cycles:
        return "No rock-paper-scissors cycles."
    return (
        f"{len(found.cycles):,} of {found.triples:,} settled triples are rock-paper-scissors cycles "
        f"({as_rate(found.cycle_share)}; chance would give 25%).{even}"
    )


def cycle_lines(meta: Meta, most: int) -> list[str]:
    """The heaviest cycles by the shares of their members, by number and name."""
    heavy = sorted(meta.structure.cycles, key=lambda each: -sum(meta.shares[i] for i in each))
    return [" > ".join(f"{i + 1} {meta.names[i]}" for i in (*each, each[0])) for each in heavy[:most]]


def uncountered(meta: Meta) -> list[int]:
    """Builds of the pool that are proved to have no counter."""
    return [i for i, each in enumerate(meta.counters) if each.by is None and each.is_proved]


def say_result(meta: Meta) -> str:
    so_far = "So far: " if len(meta.response.open) or meta.is_partial else ""
    if meta.shares[0] >= _ALONE:
        has = "has no counter" if meta.counters[0].is_proved else "has met no counter"
        return f"{so_far}One build {has}: {meta.names[0]}"
    played = [i for i in range(len(meta.names)) if meta.shares[i] >= 0.01]
    named = ", ".join(f"{meta.names[i]} ({as_share(float(meta.shares[i]))})" for i in played[:_NAMED])
    alone = [i for i in uncountered(meta) if meta.shares[i] > 0]
    if alone:
        several = f"{meta.effective:.1f} builds are worth playing: {named}"
        return f"{so_far}{meta.names[alone[0]]} has no counter; {several}"
    if round(meta.effective, 1) < _FEW:
        return f"{so_far}Only {meta.effective:.1f} builds are worth playing: {named}"
    return (
        f"{so_far}About {meta.effective:.0f} builds are worth playing, and they counter each other: {named}"
    )


def say_next(meta: Meta) -> str:
    """What a designer can do about it."""
    if meta.shares[0] >= _ALONE:
        return "Weaken it or add a counter, then run meta again."
    if any(meta.shares[i] > 0 for i in uncountered(meta)):
        return "Builds without a counter are equal: change one, or end the draws if fights end in draws."
    if round(meta.effective, 1) < _FEW:
        counter = meta.counter_names[0]
        return f"Add counters{f', or strengthen {counter}, which beats the first' if counter else ''}."
    return "Watch the first build: a change that removes its counter ends the variety."

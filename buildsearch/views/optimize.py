"""What `optimize` ends with: the best builds and their ideas, the state of the game, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.document.blocks import (
    BLANK,
    Block,
    Cell,
    Code,
    Column,
    Document,
    Kind,
    Labelled,
    Show,
    Step,
    Table,
    Text,
    Tone,
    table_of,
)
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.text import count
from buildsearch.search.leaders import Leaders
from buildsearch.search.readings import Readings
from buildsearch.views.phrases import score_kind, some_of

_SHOWN = 10
_MOST_SCENARIOS = 4  # more are one column: the worst of them
_HANG_ON = 3  # builds of a sweep

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunHealth:
    """What is wrong with the game, in a line each: the benchmark, the state, the worst finding."""

    benchmark: float | None
    result: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """Where a run was written, in how many seconds, and whether it is `latest`."""

    folder: str
    seconds: float
    is_latest: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard. `rows` are those of leaderboard.parquet; `scored` of `builds` have a score, these may be
    some of `legal_builds`. `beside` is a metric that scores leave out, `unscored` says so."""

    rows: Sequence[Row]
    rank_texts: Sequence[str]
    ranges: Sequence[str]
    notes: Sequence[str]
    savings: Sequence[str]
    words: ScoreWords
    objectives: tuple[tuple[str, str], ...]  # names and labels
    scenarios: tuple[str, ...]
    primary: str
    is_lower_better: bool
    scored: int
    builds: int
    legal_builds: int | None = None
    best_of_types: Sequence[Row] = ()
    beside: str | None = None
    unscored: str = ""
    is_front: bool = False
    is_incomplete: bool = False
    race_fights: int | None = None
    health: RunHealth | None = None
    is_primary_share: bool = False
    shares: frozenset[str] = frozenset()  # objectives that are shares


def optimize_document(board: Board, written: Written | None = None, again: Step | None = None) -> Document:
    """The best builds; `again` continues a run that was interrupted."""
    blocks: list[Block] = [Text(_headline(board), Tone.STRONG)]
    blocks += [Text(line) for line in _ideas(board)]
    blocks += [BLANK, _table(board)]
    blocks += [Text(line) for line in (*_legend(board), *_types(board), *_ranks(board))]
    blocks += [BLANK, *_outlook(board, again)]
    if written is not None:
        state = "incomplete" if board.is_incomplete else "now `latest`"
        end = f" ({state})" if board.is_incomplete or written.is_latest else ""
        blocks.append(Text(f"Wrote {written.folder} in {_duration(written.seconds)}{end}."))
    return Document("Leaderboard", tuple(blocks))


def provisional_document(leaders: Leaders, words: ScoreWords) -> Document:
    """The best builds found so far, while the run goes on."""
    does = words.does(leaders.builds[0][1])
    said = f"Provisional: the best of {leaders.scored:,} builds so far (of {leaders.total:,}) {does}."
    rows = [
        f"{rank:4}  {words.exactly(score)}  {name}"
        for rank, (name, score) in enumerate(leaders.builds, start=1)
    ]
    saves = Text("Ctrl-C saves what is scored.")
    return Document("Leaderboard", (Text(said, Tone.STRONG), Code("\n".join(rows)), saves))


def _headline(board: Board) -> str:
    name, label = board.objectives[0]
    some = count(board.scored, "build")
    if board.is_incomplete:
        some = f"{board.scored:,} scored builds (of {board.legal_builds or board.builds:,})"
    elif board.legal_builds is not None:
        some += f" tried (of {board.legal_builds:,})"
    best = f"the best of {some}" if board.scored > 1 else "the only build"
    if board.is_front:
        front = count(len(board.rows), "build")
        said = f"Pareto front of {' and '.join(name for name, _ in board.objectives)}: {front} of {some}."
        return f"Incomplete. {said}" if board.is_incomplete else said
    does = board.words.does(board.rows[0]["score"])
    by = {"mean": "", "worst": " in its worst scenario"}.get(name)
    said = f"{best} {does}{by}" if by is not None else f"{best} by {label} {does}"
    if board.health is not None and board.health.benchmark is not None:
        said += f"; the benchmark is {board.words.say(board.health.benchmark)}"
    return f"Incomplete: {said}." if board.is_incomplete else f"{said[0].upper()}{said[1:]}."


def _ideas(board: Board) -> Iterator[str]:
    total, ideas = len(board.rows), len(_idea_ranks(board))
    if ideas < total and not board.is_incomplete and not board.is_front:
        yield f"The {total} best builds are variants of {count(ideas, 'idea')}."


def _idea_ranks(board: Board) -> list[int]:
    return [row["rank"] for row in board.rows if row["variant_of"] is None]


def _table(board: Board) -> Table:
    number = score_kind(board.words)
    name, others = board.objectives[0][0], [name for name, _ in board.objectives[1:]]
    by_scenario = Kind.RATE if board.is_primary_share else Kind.NUMBER
    head = board.words.unit or ("score" if number is Kind.NUMBER else "wins")
    if board.words.is_share and not board.is_primary_share:
        head = name
    beside = None if board.beside in {name for name, _ in board.objectives} else board.beside
    scenarios = board.scenarios if len(board.scenarios) > 1 else ()
    worst = len(scenarios) > _MOST_SCENARIOS
    columns = [
        Column("rank", Kind.COUNT),
        Column("score", number, head),
        *(
            Column(f"objective_{name}", Kind.PERCENT if name in board.shares else Kind.NUMBER, name)
            for name in others
        ),
        *(
            [Column("worst", by_scenario), Column("worst_scenario", Kind.TEXT, "in", Show.WIDE)]
            if worst
            else [Column(f"{name}_{board.primary}", by_scenario, name, Show.WIDE) for name in scenarios]
        ),
        *([Column(beside, Kind.PERCENT)] if beside else []),
        Column("cost", Kind.COUNT),
        Column("note", Kind.TEXT, " "),
        Column("build", Kind.BUILD, show=Show.OWN_LINE),
        Column("range", Kind.TEXT, show=Show.OWN_LINE),
        Column("saves", Kind.TEXT, show=Show.OWN_LINE),
    ]

    saving = f"saves {board.words.unit}" if board.words.unit else "adds"

    def cells(place: int, row: Row) -> list[Cell]:
        values = [(row[f"{name}_{board.primary}"], name) for name in scenarios]
        last = (max if board.is_lower_better else min)(values) if worst else None
        is_idea = row["variant_of"] is None and not board.is_incomplete
        saves = board.savings[place] if is_idea else ""
        return [
            board.rank_texts[place],
            row["score"],
            *(row[f"objective_{name}"] for name in others),
            *(last if last is not None else [value for value, _ in values]),
            *([min(row[f"{name}_{beside}"] for name in board.scenarios)] if beside else []),
            row["cost"],
            board.notes[place],
            row["build"],
            f"range {board.ranges[place]}" if board.ranges[place] else "",
            f"{saving}: {saves}" if saves else "",
        ]

    shown = board.rows[:_SHOWN]
    return Table("leaderboard", "", tuple(columns), [cells(i, row) for i, row in enumerate(shown)])


def _legend(board: Board) -> Iterator[str]:
    if board.beside is not None and board.beside not in {name for name, _ in board.objectives}:
        where = (
            f"{board.beside.capitalize()} is that of the worst scenario. " if len(board.scenarios) > 1 else ""
        )
        yield where + board.unscored
    if any(text.endswith("=") for text in board.rank_texts[:_SHOWN]):
        yield "=: same score. Ties are listed by worst scenario, variance, cost, name."
    if any(board.ranges[:_SHOWN]):
        yield "Ranges of sampled scores hold for all builds together (95%)."


def _types(board: Board) -> Iterator[str]:
    if len(board.best_of_types) > 1:
        first, *others = board.best_of_types
        number = board.words.exactly
        said = [f"{first['type']} {number(first['score'])} (rank {first['rank_text']})"]
        said += [f"{row['type']} {number(row['score'])} ({row['rank_text']})" for row in others]
        yield f"Best of each type: {some_of(said)}."


def _ranks(board: Board) -> Iterator[str]:
    total = len(board.rows)
    more = [f"{rank:,}" for rank in _idea_ranks(board) if rank > _SHOWN]
    said = ""
    if more and not board.is_incomplete and not board.is_front and len(more) < total - _SHOWN:
        said = f"More ideas in the best {total}: ranks {some_of(more)}. "
    opened = sum("rank_range" in row["flags"].split() for row in board.rows)
    if opened:
        fights = "" if not board.race_fights else f" after {board.race_fights:,} fights"
        said += (
            f"{opened:,} of {count(total, 'rank')} {'is a range' if opened == 1 else 'are ranges'}{fights}."
        )
        said += " Raise --ranking-fights to separate them." if not board.is_incomplete else ""
    elif not board.is_incomplete and total > 1:
        said += f"All {total:,} ranks are settled."
    if said:
        yield said.strip()


def _outlook(board: Board, again: Step | None) -> Iterator[Block]:
    if board.is_incomplete:
        yield Labelled("Result", "Not judged: the run is incomplete.", Tone.WARNING)
    elif board.health is not None:
        yield Labelled("Result", board.health.result)
        if board.health.problem:
            yield Labelled("Problem", board.health.problem, Tone.BAD)
    if again is not None:
        yield again
    elif board.legal_builds is None and not board.is_incomplete:
        why = "what is broken, and the fix"
        if board.health is not None and board.health.result.startswith("Too small"):
            why = "why this is too small to judge"
        yield Step("buildsearch analyze", why)
    else:
        yield Step("buildsearch explain 1", "what makes the best build strong")


def _duration(seconds: float) -> str:
    """`13 s`, `2:13`."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02}"


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One change: how many of the leaders stay leaders, who leads now, who falls out; or why not."""

    change: str
    kept: int
    of: int
    best: str
    lost: tuple[str, ...]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Swept:
    """The best builds, best first, under every change."""

    readings: Readings
    rows: tuple[SweepRow, ...]


def sweep_document(swept: Swept, shown: int) -> Document:
    """How many of the best stay among the best under each change, and what the first of them hang on."""
    usual = swept.readings.names[0]
    table = table_of(
        "sweep",
        f"How many of the best {shown} stay among them",
        swept.rows,
        (Column("change", Kind.TEXT), lambda row: row.change),
        (Column("stay", Kind.TEXT), lambda row: "-" if row.problem else f"{row.kept} of {row.of}"),
        (
            Column("best", Kind.TEXT, "new best"),
            lambda row: row.problem or ("" if row.best == usual else row.best),
        ),
        shown=len(swept.rows),
    )
    first = range(min(_HANG_ON, len(swept.readings.names)))
    said = [Text(hangs_on(swept.readings, build)) for build in first]
    return Document("Sweep of stats", (BLANK, table, BLANK, *said))


def hangs_on(readings: Readings, build: int) -> str:
    """A sentence: under which readings a build keeps its rank, and what it scores under the others."""
    name, rank = readings.names[build], int(readings.usual.ranks[build])
    known = [each for each in readings.others if each.problem is None]
    lost = readings.displaced(build)
    says = f"{name} ({readings.usual.scores[build]:.4g}) "
    holds = "stays first" if rank == 1 else f"stays among the first {rank}"
    if not known:
        return f"{says}could not be scored under any other reading."
    if not lost:
        return f"{says}{holds} under all {len(known)} other readings."
    falls = [
        f"{each.label} ({each.scores[build]:.4g}, rank {each.ranks[build]})"
        for each in sorted(lost, key=lambda each: -int(each.ranks[build]))
    ]
    held = f"{holds} under {len(known) - len(lost)} of {len(known)} other readings"
    return f"{says}{held}; not under {', '.join(falls)}."

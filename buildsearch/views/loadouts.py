"""Loadouts: those that `optimize` found, what is wrong with them, and which edits fix it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from buildsearch.analysis.findings import Finding, FindingSeverity
from buildsearch.analysis.loadout_verdict import Loadouts, LoadoutVerdict
from buildsearch.balancing.loadouts import LoadoutProposal
from buildsearch.balancing.measure import describe
from buildsearch.document.blocks import (
    BLANK,
    Block,
    Column,
    Document,
    Kind,
    Labelled,
    Show,
    Step,
    Table,
    Text,
    Tone,
    in_range,
    table_of,
)
from buildsearch.document.numbers import as_share
from buildsearch.model.evaluation import Metric, ScoreWords
from buildsearch.model.text import count
from buildsearch.search.loadouts.search import BEST_FOUND, OPTIMAL, SWAP_OPTIMAL
from buildsearch.search.ranks import say_rank

_SHOWN = 20
_MOST_FIGHTS = 4  # as columns of their own
_TONES = {FindingSeverity.ERROR: Tone.BAD, FindingSeverity.WARNING: Tone.WARNING}
_PROVED = {
    OPTIMAL: "proved best",
    SWAP_OPTIMAL: "no better swap",
    BEST_FOUND: "best found",
}


def ranked_loadouts(
    rows: Sequence[Mapping[str, Any]],
    fights: Sequence[str],
    metric: Metric,
    record: Mapping[str, Any],
    folder: str,
) -> Document:
    """The leaderboard of loadouts; `record` is what run.json says of the search."""
    words, first, member = ScoreWords(metric), rows[0], record["member"]
    bound = "faster than" if metric.counts_steps else "beyond"
    lines: list[Block] = [
        Text(
            f"The best loadout found {words.does(first['score'])}{_range_of(first, words)}; "
            f"no loadout of these {member}s is {bound} {words.say(record['lower_bound'])}.",
            Tone.STRONG,
        ),
        Text(
            f"{record['scored']:,} of {count(record['loadouts'], 'loadout')} of "
            f"{count(record['candidates'], member)} were scored."
        ),
        BLANK,
        _leaderboard(rows, fights, metric, record["loadouts"]),
        *(Text(line) for line in _notes(rows, record)),
        BLANK,
        Step("buildsearch analyze", "what is broken"),
        Text(f"Wrote {folder}: loadouts.csv, usage.csv, run.json."),
    ]
    data = {**record, "folder": folder, "ranked": list(rows)}
    return Document("Loadouts", tuple(lines), data)


def _range_of(row: Mapping[str, Any], words: ScoreWords) -> str:
    if row["score_high"] == row["score_low"]:
        return ""
    return f" ({words.number(row['score_low'])} to {words.number(row['score_high'])})"


def _leaderboard(
    rows: Sequence[Mapping[str, Any]], fights: Sequence[str], metric: Metric, loadouts: int
) -> Table:
    unit = metric.unit or "score"
    shown = Show.ALWAYS if len(fights) <= _MOST_FIGHTS else Show.FILE
    columns = (
        Column("rank", Kind.COUNT),
        Column("score", head=unit),
        *(Column(f"{fight}_{metric.name}", head=fight, show=shown) for fight in fights),
        Column("gap"),
        Column("status", Kind.TEXT),
        Column("loadout", Kind.BUILD, show=Show.OWN_LINE),
    )
    cells = [
        (
            _rank(row, loadouts),
            in_range(row["score"], row["score_low"], row["score_high"]),
            *(row[f"{fight}_{metric.name}"] for fight in fights),
            row["gap"],
            _PROVED.get(row["status"], row["status"]),
            row["loadout"],
        )
        for row in rows
    ]
    note = f"Gap: the best possible loadout is at most this many {unit} better."
    return Table("ranked_loadouts", "", columns, cells, note, shown=_SHOWN)


def _rank(row: Mapping[str, Any], loadouts: int) -> str:
    is_exact = row["score_high"] == row["score_low"]
    best, worst = row["rank_low"], row["rank_high"]
    # Exact loadouts that share ranks are tied, as builds of a leaderboard are.
    tied = worst - best + 1 if is_exact else 1
    return say_rank(row["rank"], best, worst, tied, is_exact=is_exact)


def _notes(rows: Sequence[Mapping[str, Any]], record: Mapping[str, Any]) -> Iterator[str]:
    member, race = record["member"], record["race"]
    if any(row["score_high"] > row["score_low"] for row in rows[:_SHOWN]):
        yield "Ranges are 95% intervals of sampled fights with one turn of look-ahead."
    if record["outclassed"]:
        yield (
            f"Left out {count(record['outclassed'], member)}: another {member} is always at least as "
            "good (proved for loadouts without bleeds)."
        )
    for reason, number in record["left_out"].items():
        yield f"Left out {count(number, 'build')}: {reason.removeprefix('= ')}."
    if record["expensive_tried"]:
        yield f"{record['expensive_tried']:,} hard-to-solve {member}s were tried beside the best only."
    if race:
        yield (
            f"Sampled {member}s were tried beside the best: {count(race['loadouts'], 'loadout')}, "
            f"{count(race['fights'], 'fight')}; {count(race['open'], 'rank')} still a range."
        )
    if record["without_value"]:
        yield f"Not scored: loadouts with {record['without_value']}."


def search_size(builds: int, loadouts: int, members: int, scenarios: int, needed_bytes: int) -> Document:
    """What `optimize --dry-run` says of a search for loadouts."""
    line = (
        f"{count(loadouts, 'loadout')} of {members} out of {count(builds, 'build')} in "
        f"{count(scenarios, 'scenario')}. About {needed_bytes / (1 << 30):.1f} GB at most. "
        "The search ends by itself."
    )
    data = {"builds": builds, "loadouts": loadouts, "bytes": needed_bytes}
    return Document("Size of the search", (Text(line),), data)


def judged_loadouts(
    loadouts: Loadouts, verdict: LoadoutVerdict, metric: Metric, folder: str, *, rows: int
) -> Document:
    errors = [finding for finding in verdict.findings if finding.severity is FindingSeverity.ERROR]
    head = _headline(loadouts, verdict)
    blocks: list[Block] = [*head, BLANK]
    blocks += [
        Labelled(finding.severity, finding.text, _TONES.get(finding.severity, Tone.DIM), finding.code)
        for finding in verdict.findings
    ]
    blocks += [_parts(verdict, metric, rows), BLANK]
    if errors:
        blocks.append(Step("buildsearch balance", "edits that fix the listed loadouts"))
    data = {
        "status": "broken" if errors else "healthy",
        "headline": head[0].text,
        "run": folder,
        "benchmark": verdict.reference,
        "benchmark_is_bound": verdict.reference_is_bound,
        "overpowered_loadouts": verdict.overpowered,
        "listed": len(loadouts.names),
        "searched": loadouts.searched,
        "scored": loadouts.valued,
        "findings": [_finding(finding, loadouts) for finding in verdict.findings],
    }
    return Document(f"Analysis of {folder}", tuple(blocks), data)


def _headline(loadouts: Loadouts, verdict: LoadoutVerdict) -> list[Text]:
    errors = sum(finding.severity is FindingSeverity.ERROR for finding in verdict.findings)
    scored = "" if loadouts.is_complete else f" ({loadouts.valued:,} were scored)"
    health = verdict.health[0].lower() + verdict.health[1:]
    return [
        Text(f"{'Broken' if errors else 'Healthy'}: {health}", Tone.STRONG),
        Text(
            f"Only the {len(loadouts.names):,} best of {count(loadouts.searched, 'loadout')} are "
            f"judged{scored}: {count(errors, 'error')}."
        ),
    ]


def _parts(verdict: LoadoutVerdict, metric: Metric, rows: int) -> Table:
    return table_of(
        "loadout_parts",
        f"Options and builds of the best loadouts, in {metric.unit or 'score'}",
        sorted(verdict.standings, key=lambda each: (-each.loss_when_banned, -each.share)),
        (Column("part", Kind.BUILD), lambda each: each.name),
        (Column("kind", Kind.TEXT, show=Show.FILE), lambda each: each.kind),
        (Column("pick_rate", Kind.PERCENT), lambda each: each.share),
        (Column("best_with"), lambda each: each.best_with),
        (Column("best_without"), lambda each: each.best_without),
        shown=rows,
    )


def _finding(finding: Finding, loadouts: Loadouts) -> dict[str, object]:
    return asdict(finding) | {
        "severity": finding.severity.value,
        "certainty": finding.certainty,
        "builds": [loadouts.names[row] for row in finding.builds],
    }


def balanced_loadouts(
    loadouts: Loadouts,
    verdict: LoadoutVerdict,
    proposals: Sequence[LoadoutProposal],
    metric: Metric,
    folder: str,
    *,
    tried_in_full: int,
) -> Document:
    """One or two edits after which no listed loadout is broken."""
    words = ScoreWords(metric)
    listed = len(loadouts.names)
    broken = [finding for finding in verdict.findings if finding.severity is FindingSeverity.ERROR]
    if not broken:
        conclusion = "No listed loadout is broken; nothing has to change."
    elif proposals:
        conclusion = f"{describe(proposals[0].edits)}: fixes {count(len(broken), 'error')}."
    else:
        conclusion = "No one or two edits fix the listed loadouts. Allow more with --lever or --max-change."
    blocks: list[Block] = [Text(conclusion, Tone.STRONG), *_headline(loadouts, verdict)[:1], BLANK]
    blocks += [
        Labelled(
            str(number),
            f"{describe(each.edits)}. The best loadout then {words.does(each.best)}: {each.best_loadout}. "
            f"{as_share(each.listed / listed)} of the listed loadouts stay legal.",
        )
        for number, each in enumerate(proposals, start=1)
    ]
    blocks.append(Text("Only the listed loadouts were judged: run optimize again after an edit."))
    data = {
        "run": folder,
        "broken": [finding.code for finding in broken],
        "listed": listed,
        "tried_in_full": tried_in_full,
        "proposals": [
            {
                "edits": [edit.text for edit in each.edits],
                "steps": each.steps,
                "listed": each.listed,
                "best": each.best,
                "best_loadout": each.best_loadout,
            }
            for each in proposals
        ],
        "conclusion": conclusion,
    }
    return Document(f"Balance of {folder}", tuple(blocks), data)

"""`explain` as a page: where a build is among all of a run, what its parts save, what lies near."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from buildsearch.document.blocks import BLANK, Block, Column, Document, Kind, Step, Table, Text, Tone
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.text import count
from buildsearch.views.phrases import score_kind
from buildsearch.views.scores import say_sampled

_MOST_REASONS = 2


def explain_document(
    data: Mapping[str, Any], words: ScoreWords, fight_words: ScoreWords, age: str = ""
) -> Document:
    """What `explain` found; `fight_words` are those of what single fights measure. `age` says which run is
    meant where that is not clear."""
    blocks: list[Block] = [Text(age, Tone.DIM)] if age else []
    blocks += _in_run(data, words, fight_words) if data["in_run"] else _outside(data, words, fight_words)
    if data["incomplete"]:
        sentence = "The run is incomplete: better builds may be missing, and ranks may still move."
        blocks.append(Text(sentence, Tone.WARNING))
    return Document("Explanation", tuple(blocks), data)


def _headline(data: Mapping[str, Any], words: ScoreWords, start: str) -> Text:
    low, high = data["score_low"], data["score_high"]
    ends = ""
    if low is None or high is None:
        ends = " (estimated, without a range)"
    elif high > low:
        ends = f" ({words.exactly(low + 0.0)} to {words.exactly(high + 0.0)})"
    points = count(data["cost"], "point")
    return Text(f"{start}: {words.does(data['score'])}{ends} for {points}.", Tone.STRONG)


def _in_run(data: Mapping[str, Any], words: ScoreWords, fight_words: ScoreWords) -> Iterator[Block]:
    tied = f", tied with {data['tied_with']:,}" if data["tied_with"] else ""
    yield _headline(data, words, f"Rank {data['rank_text']} of {data['builds']:,}{tied}")
    yield Text(data["build"])
    equal = data["cheapest_as_good"]
    if equal is not None:
        yield Text(f"Cheapest equal: {_near(equal, words)}")
    yield BLANK
    yield _parts(data, words, fight_words)
    swap = min(
        (part for part in data["parts"] if (part["gain_over_swap"] or 0) < 0),
        key=lambda part: part["gain_over_swap"],
        default=None,
    )
    if swap is not None:
        saved = f"{words.exactly(-swap['gain_over_swap'])} {words.unit}".strip()
        yield Text(f"Best swap: {swap['best_swap']} for {swap['part']} saves {saved} (same cost).")
    yield from _weakest(data)
    for label, key in (("Next better", "nearest_better"), ("Nearest cheaper", "nearest_cheaper")):
        if data[key] is not None:
            yield Text(f"{label}: {_near(data[key], words)}")
    yield from _sampled(data)
    yield Step(data["worst_fight"], "its worst fight there, turn by turn", "Look")


def _near(build: Mapping[str, Any], words: ScoreWords) -> str:
    return f"{build['build']}, {words.say(build['score'])} for {count(build['cost'], 'point')}."


def _parts(data: Mapping[str, Any], words: ScoreWords, fight_words: ScoreWords) -> Table:
    scenarios = list(next((part["gains"] for part in data["parts"] if part["gains"]), {}))
    in_fight = score_kind(fight_words)
    columns = (
        Column("part", Kind.BUILD),
        Column("gain", score_kind(words), f"saves {words.unit}" if words.unit else "adds"),
        *(Column(f"{name}_gain", in_fight, name) for name in scenarios if len(scenarios) > 1),
        Column("best_swap", Kind.BUILD),
    )
    rows = [
        (
            part["part"],
            part["gain"],
            *((part["gains"] or {}).get(name) for name in scenarios if len(scenarios) > 1),
            part["best_swap"] or "-",
        )
        for part in sorted(data["parts"], key=lambda part: -(part["gain"] or 0))
    ]
    return Table("parts", "", columns, rows, shown=len(rows))


def _weakest(data: Mapping[str, Any]) -> Iterator[Block]:
    worst = data["worst_scenario"]
    why = [reason for reason in worst["why"] if not reason.startswith("every part helps")]
    said = f"Weakest scenario: {worst['scenario']} (better than {worst['percentile']:.0f}% of builds)."
    yield Text(said + "".join(f" {reason[0].upper()}{reason[1:]}." for reason in why[:_MOST_REASONS]))


def _sampled(data: Mapping[str, Any]) -> Iterator[Block]:
    yield from map(Text, say_sampled({name: each["why_sampled"] for name, each in data["scenarios"].items()}))


def _outside(data: Mapping[str, Any], words: ScoreWords, fight_words: ScoreWords) -> Iterator[Block]:
    yield _headline(data, words, f"It would rank {data['rank_text']} of {data['builds']:,}")
    yield Text(data["build"])
    columns = (
        Column("scenario", Kind.BUILD),
        Column("value", score_kind(fight_words), fight_words.unit or "value"),
        Column("method", Kind.BUILD),
    )
    rows = [(name, each["value"], each["method"]) for name, each in data["scenarios"].items()]
    yield Table("scenarios", "", columns, rows, shown=len(rows))
    yield from _sampled(data)
    yield Text(
        f"{data['run']} does not contain this build. It was scored separately; to rank it properly, run "
        "`optimize` with settings that allow it."
    )

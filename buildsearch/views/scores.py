"""What `score` and `compare` share: numbers of builds in scenarios, as sentences and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.document.blocks import (
    BLANK,
    Block,
    Cell,
    Code,
    Column,
    Document,
    Kind,
    Show,
    Table,
    Text,
    Tone,
    in_range,
)
from buildsearch.evaluate.statistics import Z95, chance_of_less, weighted_mean
from buildsearch.model.evaluation import (
    TIE,
    Estimate,
    Evaluation,
    Metric,
    Replay,
    ScoreWords,
    TriggerRate,
)
from buildsearch.model.text import count, listed
from buildsearch.views.phrases import score_kind

_BARS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class ScoredBuild:
    """A build with its evaluations by scenario; `over_budget` says why it is not legal any more."""

    name: str
    cost: int
    evaluations: Mapping[str, Evaluation]
    rates: Mapping[str, Mapping[str, TriggerRate]]
    policies: Mapping[str, Sequence[str]]
    over_budget: str | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """How builds were scored: metrics, weights of scenarios, seed, fights that trigger rates come from."""

    metrics: Mapping[str, Metric]
    weights: Mapping[str, float]
    seed: int
    trigger_fights: int
    beside: str | None = None

    def words(self, evaluation: Evaluation) -> ScoreWords:
        return ScoreWords(self.metrics[evaluation.primary])

    def kind(self, metric: str) -> Kind:
        return score_kind(ScoreWords(self.metrics[metric]))


def combined(evaluations: Mapping[str, Evaluation], weights: Mapping[str, float]) -> Estimate:
    """The primary metric over all scenarios, weighted."""
    primaries = [each.estimates[each.primary] for each in evaluations.values()]
    return weighted_mean(primaries, [weights[name] for name in evaluations])


def evaluation_to_dict(evaluation: Evaluation) -> dict[str, Any]:
    """The numbers of one scenario; the primary metric comes with error and interval."""
    others = dict(evaluation.estimates)
    primary = others.pop(evaluation.primary)
    return {
        evaluation.primary: primary.value,
        "se": primary.se,
        "ci95": [primary.low, primary.high],
        "stdev": evaluation.stdev,
        "quantiles": dict(evaluation.quantiles),
        **{name: estimate.value for name, estimate in others.items()},
        **{f"{name}_ci95": [estimate.low, estimate.high] for name, estimate in others.items()},
        "method": evaluation.method,
        "fights": evaluation.fights,
        "seed": evaluation.seed,
        **({} if evaluation.why_sampled is None else {"why_sampled": evaluation.why_sampled}),
    }


def say_sampled(reasons: Mapping[str, str | None]) -> list[str]:
    """A sentence for each reason why scenarios are sampled: `mixed and guard are sampled: ...`."""
    by_reason: dict[str, list[str]] = {}
    for scenario, reason in reasons.items():
        if reason is not None:
            by_reason.setdefault(reason, []).append(scenario)
    return [
        f"{listed(names)} {'are' if names[1:] else 'is'} sampled: {reason}."
        for reason, names in by_reason.items()
    ]


def histogram_line(distribution: NDArray[np.float64], most_bars: int = 16, step: float = 1.0) -> str:
    """A distribution in one line: `3 ▁▃▇█▅▂▁ 17`, from the first outcome to the last one seen.

    Place i of the distribution is the outcome `i * step`.
    """
    # An exact distribution has no end: what one fight in a million shows is not part of a picture.
    seen = np.flatnonzero(distribution > distribution.sum() * 1e-6)
    first, last = int(seen[0]), int(seen[-1])
    width = math.ceil((last - first + 1) / most_bars)
    padded = np.zeros(math.ceil((last - first + 1) / width) * width)
    padded[: last - first + 1] = distribution[first : last + 1]
    bins = padded.reshape(-1, width).sum(axis=1)
    # A bar that holds something is never blank.
    heights = np.ceil(bins / bins.max() * (len(_BARS) - 1)).astype(int)
    return f"{first * step:g} {''.join(_BARS[height] for height in heights)} {last * step:g}"


def as_cell(estimate: Estimate) -> Cell:
    """A number, with its 95% interval where it is sampled."""
    return in_range(estimate.value, estimate.low, estimate.high)


def say_estimate(estimate: Estimate, words: ScoreWords) -> str:
    """`wins in 2.52 turns (exact)`, `wins in 6.23 turns (6.11 to 6.35)`."""
    if estimate.low == estimate.high:
        return f"{words.does(estimate.value)} (exact)"
    return f"{words.does(estimate.value)} ({words.exactly(estimate.low)} to {words.exactly(estimate.high)})"


def score_document(builds: Sequence[ScoredBuild], scoring: Scoring) -> Document:
    """Each build: what it does, then a line for each scenario."""
    blocks: list[Block] = []
    for number, each in enumerate(builds):
        blocks += [BLANK] if number else []
        blocks += _scored(each, scoring)
    everything = [found for each in builds for found in each.evaluations.values()]
    if any(found.fights is not None for found in everything) or any(each.rates for each in builds):
        blocks.append(Text(f"Ranges are 95% intervals for each build alone (seed {scoring.seed}).", Tone.DIM))
    return Document("Scores", tuple(blocks), {"builds": [_as_data(each, scoring) for each in builds]})


def _as_data(build: ScoredBuild, scoring: Scoring) -> dict[str, Any]:
    score = combined(build.evaluations, scoring.weights)
    data: dict[str, Any] = {
        "build": build.name,
        "cost": build.cost,
        "score": score.value,
        "score_se": score.se,
        "score_ci95": [score.low, score.high],
        "scenarios": {name: evaluation_to_dict(found) for name, found in build.evaluations.items()},
    }
    for name, found in build.rates.items():
        data["scenarios"][name]["triggers"] = {
            option: {
                "available": rate.usable,
                "triggered": rate.fired,
                "method": "reference",
                "fights": scoring.trigger_fights,
            }
            for option, rate in found.items()
        }
    for name, lines in build.policies.items():
        data["scenarios"][name]["policy"] = list(lines)
    if build.over_budget is not None:
        data["over_budget"] = build.over_budget
    return data


def _scored(build: ScoredBuild, scoring: Scoring) -> Iterable[Block]:
    first = next(iter(build.evaluations.values()))
    score = combined(build.evaluations, scoring.weights)
    does = say_estimate(score, scoring.words(first))
    points = f" for {count(build.cost, 'point')}"
    yield Text(f"{does[0].upper()}{does[1:]}{points}: {build.name}", Tone.STRONG)
    yield _scenarios(build, scoring)
    yield from map(Text, say_sampled({name: found.why_sampled for name, found in build.evaluations.items()}))
    if build.over_budget is not None:
        yield Text(f"It is legal now, and not under --set: {build.over_budget}.", Tone.WARNING)
    if build.rates:
        yield _triggers(build, scoring)
    for name, lines in build.policies.items():
        yield Text(f"{build.name} in {name}")
        yield from (Text(f"  {line}") for line in lines)


def _scenarios(build: ScoredBuild, scoring: Scoring) -> Table:
    first = next(iter(build.evaluations.values()))
    primary = scoring.metrics[first.primary]
    others = [name for name in first.estimates if name != first.primary]
    # What scores leave out comes first: a narrow window drops the others.
    others.sort(key=lambda name: name != scoring.beside)
    quantiles = "/".join(f"{name.removeprefix('p')}%" for name in first.quantiles)
    columns = (
        Column("scenario", Kind.BUILD),
        Column(primary.name, scoring.kind(primary.name), primary.unit or primary.label),
        *(
            Column(
                name,
                scoring.kind(name),
                scoring.metrics[name].label,
                Show.ALWAYS if name == scoring.beside else Show.WIDE,
            )
            for name in others
        ),
        *([Column("quantiles", Kind.COUNT, quantiles)] if quantiles else []),
        Column("distribution", Kind.BUILD),
        Column("method", Kind.BUILD, show=Show.WIDE),
    )
    rows = [
        (
            name,
            as_cell(found.estimates[found.primary]),
            *(found.estimates[other].value for other in others),
            *(["/".join(f"{value:g}" for value in found.quantiles.values())] if quantiles else []),
            histogram_line(found.distribution, 16, found.step),
            say_method(found),
        )
        for name, found in build.evaluations.items()
    ]
    return Table("scenarios", "", columns, rows, shown=len(rows))


def say_method(evaluation: Evaluation) -> str:
    """`exact`, or `sampled 100,000`: how it was found, and from how many fights."""
    return evaluation.method + ("" if evaluation.fights is None else f" {evaluation.fights:,}")


def _triggers(build: ScoredBuild, scoring: Scoring) -> Block:
    options = list(dict.fromkeys(option for found in build.rates.values() for option in found))
    if not options:
        return Text("Nothing in this build has a condition or a trigger.")
    columns = (Column("option", Kind.BUILD), *(Column(name, Kind.COUNT) for name in build.rates))
    rows = [(option, *(_say_rate(found[option]) for found in build.rates.values())) for option in options]
    title = f"Available (share of the time) / triggered (share of {scoring.trigger_fights:,} fights)"
    return Table("triggers", title, columns, rows, shown=len(rows))


def _say_rate(rate: TriggerRate) -> str:
    available = "" if rate.usable is None else f"{rate.usable:.1%} / "
    return available + (f"{rate.fired:.1%}" if rate.fired else "never")


def compare_document(builds: Sequence[ScoredBuild], scoring: Scoring) -> Document:
    """Which of two builds is better, by how much and where."""
    first = next(iter(builds[0].evaluations.values()))
    primary = scoring.metrics[first.primary]
    one, other = (each.evaluations for each in builds)
    chances = {name: _chance(primary, one[name], other[name]) for name in one}
    unit = primary.unit or primary.label
    lines: list[Block] = [Text(_winner(builds, scoring), Tone.STRONG)]
    lines += [Text(f"{letter}  {each.name}", indent=3) for letter, each in zip("AB", builds, strict=True)]
    beside = [scoring.beside] if scoring.beside else []
    named = [(primary.name, unit), *((name, scoring.metrics[name].label) for name in beside)]
    columns = (
        Column("scenario", Kind.BUILD),
        *(
            Column(f"{letter.lower()}_{name}", scoring.kind(name), f"{letter} {label}")
            for name, label in named
            for letter in "AB"
        ),
        Column("a_beats_b", Kind.PERCENT, f"A is {_better(primary)} in"),
    )
    rows = [
        (
            name,
            *(as_cell(each.evaluations[name].estimates[metric]) for metric, _ in named for each in builds),
            chance,
        )
        for name, chance in chances.items()
    ]
    table = Table("scenarios", "", columns, rows, shown=len(rows))
    data = {
        "a": builds[0].name,
        "b": builds[1].name,
        "scenarios": {
            name: {
                "a": evaluation_to_dict(one[name]),
                "b": evaluation_to_dict(other[name]),
                "a_beats_b": chance,
            }
            for name, chance in chances.items()
        },
    }
    return Document("Comparison", (*lines, table), data)


def _chance(primary: Metric, first: Evaluation, second: Evaluation) -> float:
    """That the first is better in one fight each, where ties count half."""
    less = chance_of_less(first.distribution, second.distribution)
    return 1 - less if primary.higher_is_better else less


def _better(metric: Metric) -> str:
    return "faster" if metric.unit == "turns" else "better"


def _winner(builds: Sequence[ScoredBuild], scoring: Scoring) -> str:
    """Which one is better and where the other one is, as far as fights are sure of it."""

    def lead(one: Estimate, other: Estimate) -> tuple[float, float]:
        """By how much the first is better, and half of the 95% interval about that."""
        gap = one.value - other.value
        return gap if metric.higher_is_better else -gap, Z95 * math.hypot(one.se, other.se)

    first = next(iter(builds[0].evaluations.values()))
    metric, words = scoring.metrics[first.primary], scoring.words(first)
    scores = [combined(each.evaluations, scoring.weights) for each in builds]
    gap, error = lead(*scores)
    said = [words.say(score.value) for score in scores]
    if abs(gap) <= max(error, TIE):
        if error:
            return f"No clear winner: {said[0]} against {said[1]} is within the sampling error."
        return f"Both are equal: {said[0]} (exact)."
    winner, loser = (0, 1) if gap > 0 else (1, 0)
    lost = []
    for name in scoring.weights:
        pair = [builds[each].evaluations[name].estimates[metric.name] for each in (loser, winner)]
        back, slack = lead(*pair)
        if back > max(slack, TIE):
            lost.append(name)
    where = f" {'AB'[loser]} is {_better(metric)} in {', '.join(lost)}." if lost else ""
    ends = " (exact)" if not error else f" (by {words.exactly(max(0.0, abs(gap) - error))} or more)"
    against = f"{said[winner]} against {words.number(scores[loser].value)}"
    return f"{'AB'[winner]} is {_better(metric)}: {against}{ends}.{where}"


def trace_document(build: str, scenario: str, replay: Replay) -> Document:
    """The lines of a fight; `data` has its events."""
    head = f"{build} against {scenario}, seed {replay.seed}"
    data = {
        "build": build,
        "scenario": scenario,
        "seed": replay.seed,
        "value": replay.value,
        "events": replay.events,
    }
    return Document("Fight", (Text(head, Tone.STRONG), Code("\n".join(replay.lines))), data)

"""`buildsearch analyze` of a search for loadouts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.text import Text

from buildsearch.analysis.findings import Severity
from buildsearch.analysis.loadout_verdict import MEMBER, OPTION, Loadouts, LoadoutVerdict, judge_loadouts
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.analysis.verdict.yardstick import Yardstick
from buildsearch.cli.fight_setup import FightSetup
from buildsearch.cli.runs import reopen
from buildsearch.cli.score_view import make_console
from buildsearch.cli.sheet_view import print_sheet
from buildsearch.evaluate.statistics import Z95
from buildsearch.model.errors import InputError, UsageError
from buildsearch.report.loadout_files import JOINED, read_loadouts
from buildsearch.report.sheets import Sheet, write_sheet

# How a search says that nothing better exists.
_PROVED = "optimal"


def analyze_loadouts(
    folder: Path, limits: Thresholds, rows: int, *, json_: bool, markdown: bool, quiet: bool, trust: bool
) -> None:
    """Judge the loadouts of a folder, and say it in the form that was asked for."""
    about, setup = reopen(folder, trust=trust)
    lines, _ = read_loadouts(folder)
    loadouts, verdict = judge_lines(setup, about, lines, limits)
    sheet = _sheet(verdict)
    write_sheet(sheet, folder / "analysis")
    if json_:
        typer.echo(json.dumps(_as_data(folder, loadouts, verdict, sheet)))
    elif markdown:
        found = [f"- {each.severity.value}: **{each.kind}**: {each.text}" for each in verdict.findings]
        head = [
            f"# Analysis of {folder.name}",
            "",
            verdict.health,
            "",
            "## Findings",
            "",
            *(found or ["None."]),
        ]
        typer.echo("\n".join([*head, "", _last_word(verdict), "", sheet.as_markdown(rows)]))
    elif not quiet:
        _print(verdict, sheet, rows)


def judge_lines(
    setup: FightSetup, about: Mapping[str, Any], lines: Sequence[Mapping[str, str]], limits: Thresholds
) -> tuple[Loadouts, LoadoutVerdict]:
    """The verdict on the lines of loadouts.csv; raises UsageError for what optimize did not write."""
    system = setup.loaded.system
    metric = system.metrics[0]
    try:
        loadouts = _read(setup, about, lines, limits)
    except (KeyError, ValueError, InputError) as error:
        raise UsageError(
            f"loadouts.csv is not what optimize writes: {error!r}. Run optimize again."
        ) from error
    span = metric.span or float(np.ptp(loadouts.scores)) or 1.0
    yardstick = Yardstick(metric.scale, metric.higher_is_better, span, limits.verdict)
    titles = {option.id: option.name for option in system.options(setup.loaded.model)}
    return loadouts, judge_loadouts(loadouts, yardstick, titles)


def _read(
    setup: FightSetup, about: Mapping[str, Any], lines: Sequence[Mapping[str, str]], limits: Thresholds
) -> Loadouts:
    """The listed loadouts as columns."""
    space, metric = setup.space, setup.loaded.system.metrics[0]
    prices = {
        option.id for option in setup.loaded.system.options(setup.loaded.model) if option.cost is not None
    }
    members = [line["loadout"].split(JOINED) for line in lines]
    made_of = {
        name: {feature.name for feature in space.features(space.parse(name))} & prices
        for each in members
        for name in each
    }
    options = sorted({option for each in made_of.values() for option in each})
    attacks = list(dict.fromkeys(name for each in members for name in each))
    has = np.array(
        [
            [any(option in made_of[name] for name in each) for option in options]
            + [attack in each for attack in attacks]
            for each in members
        ]
    )
    weights = {name: fight.weight for name, fight in setup.fights.items()}
    total = sum(weights.values())
    low = metric.low if metric.counts_steps and metric.low is not None else None
    decided = [
        sum(
            weight / total
            for name, weight in weights.items()
            if low is not None and float(line[name]) - low < 1 - limits.verdict.decided_chance
        )
        for line in lines
    ]
    scores = np.array([float(line["score"]) for line in lines])
    ends = [(line.get("score_low"), line.get("score_high")) for line in lines]
    errors = [(float(high) - float(low_)) / (2 * Z95) if low_ and high else 0.0 for low_, high in ends]
    order = np.argsort(-scores if metric.higher_is_better else scores, kind="stable")
    return Loadouts(
        names=[lines[i]["loadout"] for i in order],
        scores=scores[order],
        errors=np.array(errors)[order],
        parts=[*options, *attacks],
        kinds=[OPTION] * len(options) + [MEMBER] * len(attacks),
        has=has[order],
        optional=len(prices & set(space.feature_names)),
        decided=np.array(decided)[order],
        searched=int(about.get("loadouts") or len(lines)),
        valued=int(about.get("valued") or len(lines)),
        is_complete=all(line.get("status") == _PROVED for line in lines) and not about.get("left_out"),
    )


def _sheet(verdict: LoadoutVerdict) -> Sheet:
    columns = ("part", "kind", "share", "best_with", "best_without", "loss_when_banned", "is_at_least")
    rows = [
        (
            each.name,
            each.kind,
            each.share,
            each.best_with,
            each.best_without,
            each.loss_when_banned,
            each.is_at_least,
        )
        for each in sorted(verdict.standings, key=lambda each: (-each.loss_when_banned, -each.share))
    ]
    note = "Share of the listed loadouts, the best score with it and without. At least: all of them have it."
    title = "Options and members of the best loadouts"
    return Sheet("loadout_parts", title, columns, rows, (), note, percent=frozenset({"share"}))


def _as_data(folder: Path, loadouts: Loadouts, verdict: LoadoutVerdict, sheet: Sheet) -> dict[str, Any]:
    return {
        "run": str(folder),
        "health": verdict.health,
        "conclusion": _last_word(verdict),
        "reference": verdict.reference,
        "reference_is_bound": verdict.reference_is_bound,
        "overpowered_loadouts": verdict.overpowered,
        "listed": len(loadouts.names),
        "searched": loadouts.searched,
        "valued": loadouts.valued,
        "findings": [
            asdict(finding)
            | {
                "severity": finding.severity.value,
                "certainty": finding.certainty,
                "builds": [loadouts.names[row] for row in finding.builds],
            }
            for finding in verdict.findings
        ],
        "parts": sheet.as_data(),
    }


def _last_word(verdict: LoadoutVerdict) -> str:
    errors = [finding for finding in verdict.findings if finding.severity is Severity.ERROR]
    if not errors:
        return "Among what was valued nothing is broken."
    first = errors[0]
    named = ", ".join(first.culprits) or first.kind
    many = f"{len(errors)} findings say" if len(errors) > 1 else "One finding says"
    return f"{many} that the game is broken. Begin with {named}."


def _print(verdict: LoadoutVerdict, sheet: Sheet, rows: int) -> None:
    console = make_console()
    console.print(Text(verdict.health, style="bold"))
    console.print(Text("\nFindings", style="bold"))
    for finding in verdict.findings:
        line = Text(f"- {finding.severity.value}: {finding.kind}: ", style="bold red")
        console.print(line.append(f"{finding.text} {' '.join(finding.cures)}", style="not bold default"))
    if not verdict.findings:
        console.print("None.")
    print_sheet(console, sheet, rows)
    console.print(Text(_last_word(verdict), style="bold"))

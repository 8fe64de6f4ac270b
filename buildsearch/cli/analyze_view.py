"""An analysis for people and for programs: one page, tables behind it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from buildsearch.analysis.analyses import Analysis
from buildsearch.analysis.findings import Finding, Severity
from buildsearch.analysis.health import conclusion, headline, health_lines, status
from buildsearch.cli.bars import bands_of, print_bars
from buildsearch.cli.options import PARTIAL
from buildsearch.cli.score_view import make_console
from buildsearch.cli.sheet_view import print_sheet
from buildsearch.model.text import as_text, count, visible
from buildsearch.report.sheets import Sheet
from buildsearch.workflow.runs import Run

# Tables that --full and Markdown show; the others are in the files.
_SHOWN = (
    "options",
    "overpowered_combinations",
    "bans_in_order",
    "health",
    "must_have_pairs",
    "instant_wins",
    "pick_rates",
    "dead_options",
)
_MOST_FINDINGS = 10
_INDENT = 9  # the width of the longest severity, and a space
_COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def _summary(run: Run, analysis: Analysis) -> dict[str, object]:
    return {
        "status": str(status(analysis.findings, analysis.verdict)).lower(),
        "run": str(run.folder),
        "rules": run.setup.loaded.model.id,
        "builds": len(run.scores),
        "exact_share": float((run.scores.error == 0).mean()),
        "incomplete": run.record.incomplete,
        "scenarios": list(run.scores.fights),
        "seconds": round(sum(analysis.seconds.values()), 3),
    }


def _headline(analysis: Analysis) -> str:
    return headline(analysis.findings, analysis.verdict, analysis.words, analysis.below_rules)


def _health(analysis: Analysis, *, groups: bool) -> Iterator[str]:
    return health_lines(analysis.verdict, analysis.naming, analysis.words, groups=groups)


def analysis_as_data(run: Run, analysis: Analysis, sheets: list[Sheet], folder: Path) -> dict[str, object]:
    """For programs."""
    return {
        **_summary(run, analysis),
        "headline": _headline(analysis),
        "conclusion": conclusion(analysis.findings, analysis.verdict),
        "measures": _measures(analysis),
        "stages": {stage: round(seconds, 3) for stage, seconds in analysis.seconds.items()},
        "files": str(folder),
        "findings": [_finding_data(finding, analysis) for finding in analysis.findings],
        "infeasible_target": analysis.saturation.infeasible,
        **{sheet.name: sheet.as_data() for sheet in sheets if sheet.name != "findings"},
    }


def _finding_data(finding: Finding, analysis: Analysis) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "subjects": list(finding.subjects),
        "text": finding.text,
        "fix": finding.fix,
        "builds": [analysis.build_names[row] for row in finding.builds],
        "certainty": finding.certainty,
        "holds": finding.holds,
        "numbers": dict(finding.numbers),
    }


def _measures(analysis: Analysis) -> dict[str, object]:
    """The health of the game in numbers."""
    verdict = analysis.verdict
    return {
        "best": verdict.best,
        "benchmark": None if verdict.reference is None else verdict.reference.score,
        "ahead": verdict.ahead,
        "viable_options": {f"{each.least:g}": each.options for each in verdict.freedom},
        "options": verdict.freedom[0].of,
        "overpowered_builds": len(verdict.overpowered.sure),
        "perhaps_overpowered_builds": len(verdict.overpowered.open),
        "causes_are_proved": verdict.causes.is_proved,
        "too_small": verdict.too_small,
        "flat": verdict.flat,
    }


def _about(run: Run, analysis: Analysis) -> str:
    """What was judged, and how many findings there are."""
    share = float((run.scores.error == 0).mean())
    exact = "exact" if share == 1 else "all sampled" if share == 0 else f"{share:.1%} exact"
    found = [
        count(sum(finding.severity is each for finding in analysis.findings), each)
        for each in (Severity.ERROR, Severity.WARNING)
    ]
    said = (
        f"{run.setup.loaded.model.id}, {count(len(run.scores), 'build')} ({exact}), "
        f"{count(len(run.scores.fights), 'scenario')}: {', '.join(found)}."
    )
    return said + (f" {PARTIAL}" if run.record.incomplete else "")


def _lines(analysis: Analysis, *, full: bool) -> Iterator[tuple[Finding, str]]:
    """Findings as sentences with their codes; so many that a page stays a page."""
    shown = analysis.findings if full else analysis.findings[:_MOST_FINDINGS]
    for finding in shown:
        sure = " (inconclusive)" if finding.is_open else ""
        holds = f" {finding.holds}" if finding.holds else ""
        yield finding, f"{finding.text}{holds}{sure} [{finding.code}]"


def analysis_as_markdown(run: Run, analysis: Analysis, sheets: list[Sheet], rows: int) -> str:
    """For a page of text."""
    lines = [
        f"# Analysis of {as_text(run.folder.name)}",
        "",
        f"**{as_text(_headline(analysis))}**",
        "",
        *(f"- {as_text(line)}" for line in _health(analysis, groups=True)),
        "",
        as_text(_about(run, analysis)),
        "",
        "## Findings",
        "",
    ]
    for finding, said in _lines(analysis, full=True):
        fix = f" *{as_text(finding.fix)}*" if finding.fix else ""
        lines.append(f"- {finding.severity.value}: {as_text(said)}{fix}")
    lines += ["", as_text(conclusion(analysis.findings, analysis.verdict)), ""]
    shown = [sheet for sheet in sheets if sheet.name in _SHOWN and sheet.rows]
    return "\n".join([*lines, *(sheet.as_markdown(rows) for sheet in shown)])


def print_analysis(
    run: Run, analysis: Analysis, sheets: list[Sheet], rows: int, folder: Path, *, full: bool
) -> None:
    """For a terminal: the verdict, what is wrong, the fix, the next command; tables below where asked for."""
    console = make_console()

    def entry(head: str, said: str, style: str) -> None:
        width = max(40, console.width - _INDENT)
        lines = textwrap.wrap(visible(said), width, break_long_words=False, break_on_hyphens=False)
        first, *others = lines or [""]
        console.print(Text(f"{head:<{_INDENT}}", style=style).append(first, style="not bold default"))
        for line in others:
            console.print(Text(" " * _INDENT + line))

    console.print(Text(_headline(analysis), style="bold"))
    for line in _health(analysis, groups=full):
        console.print(visible(line))
    console.print(visible(_about(run, analysis)))
    if analysis.findings:
        console.print()
    for finding, said in _lines(analysis, full=full):
        entry(finding.severity, said, _COLOURS[finding.severity])
    if not full and len(analysis.findings) > _MOST_FINDINGS:
        entry("", f"and {len(analysis.findings) - _MOST_FINDINGS} more: --full lists them", "")
    console.print()
    if fix := next((each.fix for each in analysis.findings if each.is_error and each.fix), ""):
        entry("Fix", fix, "bold green")
    entry("Next", _next(analysis), "bold")
    if not full:
        entry("More", f"buildsearch analyze --full shows the tables of {folder}", "bold")
        return
    for sheet in sheets:
        if sheet.name in _SHOWN and sheet.rows:
            print_sheet(console, sheet, rows)
    print_bars(
        console,
        "Options by viability: what of the best score is left with each",
        bands_of(analysis.verdict.reaches),
    )
    console.print(f"\nAll tables are in {folder}.")


def _next(analysis: Analysis) -> str:
    if analysis.verdict.too_small is not None:
        return "buildsearch optimize   score more builds: raise the budget"
    if any(finding.is_error for finding in analysis.findings):
        return "buildsearch balance   other fixes, and writing one into the rules"
    if any(finding.severity is Severity.ERROR for finding in analysis.findings):
        return "buildsearch optimize --ranking-fights 200000000   more fights settle what is open"
    return "buildsearch check --update-baseline   keep it that way in CI"

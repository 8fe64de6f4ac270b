"""An analysis for people and for programs."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from buildsearch.analysis.analyses import Analysis
from buildsearch.analysis.findings import Finding, Severity
from buildsearch.analysis.health import conclusion, headline
from buildsearch.cli.bars import bands_of, print_bars
from buildsearch.cli.options import PARTIAL
from buildsearch.cli.score_view import make_console
from buildsearch.cli.sheet_view import print_sheet
from buildsearch.model.text import as_text, count
from buildsearch.report.sheets import Sheet
from buildsearch.workflow.runs import Run

# What a terminal shows; the rest is in the files.
_ON_A_TERMINAL = (
    "options",
    "culprits",
    "must_have_pairs",
    "ladder",
    "decided_fights",
    "levels",
    "saturation",
)
_IN_MARKDOWN = (
    *_ON_A_TERMINAL,
    "front",
    "dead_rules",
    "dominated_options",
)


def _summary(run: Run, analysis: Analysis) -> dict[str, object]:
    sampled = float((run.scores.error > 0).mean())
    return {
        "run": str(run.folder),
        "rules": run.setup.loaded.model.id,
        "builds": len(run.scores),
        "sampled": sampled,
        "partial": run.record.partial,
        "scenarios": list(run.scores.fights),
        "seconds": round(sum(analysis.seconds.values()), 3),
    }


def analysis_as_data(run: Run, analysis: Analysis, sheets: list[Sheet], folder: Path) -> dict[str, object]:
    """For programs."""
    return {
        **_summary(run, analysis),
        "health": headline(analysis.verdict, analysis.label),
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
        "kind": finding.kind,
        "severity": finding.severity.value,
        "culprits": list(finding.culprits),
        "text": finding.text,
        "cures": list(finding.cures),
        "builds": [analysis.build_names[row] for row in finding.builds],
        "certainty": finding.certainty,
        "open": finding.is_open,
        "holds": finding.holds,
        "numbers": dict(finding.numbers),
    }


def _measures(analysis: Analysis) -> dict[str, object]:
    """The health of the game in numbers."""
    verdict = analysis.verdict
    return {
        "best": verdict.best,
        "reference": None if verdict.reference is None else verdict.reference.score,
        "ahead": verdict.ahead,
        "freedom": {f"{each.least:g}": each.options for each in verdict.freedom},
        "options": verdict.freedom[0].of,
        "overpowered_builds": len(verdict.overpowered.sure),
        "perhaps_overpowered_builds": len(verdict.overpowered.open),
        "culprits_are_proved": verdict.culprits.is_proved,
        "too_small": verdict.too_small,
        "flat": verdict.flat,
    }


def _head(run: Run, analysis: Analysis) -> str:
    about = _summary(run, analysis)
    scenarios = ", ".join(run.scores.fights)
    sampled = f"{about['sampled']:.1%} of the scores are sampled"
    return (
        f"{about['rules']}: {count(len(run.scores), 'build')} over {scenarios}; "
        f"{sampled if about['sampled'] else 'all scores are exact'}. The run is {about['run']}."
        + (f" {PARTIAL}" if about["partial"] else "")
    )


def _remarks(finding: Finding) -> str:
    """What a finding says after its sentence: cures, how sure it is, where else it holds."""
    sure = "" if finding.certainty == "exact" else f" [{finding.certainty}]"
    return " ".join((*finding.cures, finding.holds)).rstrip() + sure


def analysis_as_markdown(run: Run, analysis: Analysis, sheets: list[Sheet], rows: int) -> str:
    """For a page of text."""
    lines = [
        f"# Analysis of {as_text(run.folder.name)}",
        "",
        f"**{as_text(headline(analysis.verdict, analysis.label))}**",
        "",
        as_text(_head(run, analysis)),
        "",
        "## Findings",
        "",
    ]
    for finding in analysis.findings:
        said, more = as_text(finding.text), as_text(_remarks(finding))
        lines.append(f"- {finding.severity.value}: **{finding.kind}**: {said} *{more}*")
    lines += ["", as_text(conclusion(analysis.findings, analysis.verdict)), ""]
    shown = [sheet for sheet in sheets if sheet.name in _IN_MARKDOWN and sheet.rows]
    return "\n".join([*lines, *(sheet.as_markdown(rows) for sheet in shown)])


def print_analysis(run: Run, analysis: Analysis, sheets: list[Sheet], rows: int, folder: Path) -> None:
    """For a terminal: the headline first, then what to do last."""
    console = make_console()
    console.print(Text(headline(analysis.verdict, analysis.label), style="bold"))
    console.print(_head(run, analysis))
    console.print(Text("\nFindings", style="bold"))
    for finding in analysis.findings:
        colour = "red" if finding.severity is Severity.ERROR else "yellow"
        line = Text(f"- {finding.severity.value}: {finding.kind}: ", style=f"bold {colour}")
        line.append(finding.text, style="not bold default")
        console.print(line)
        console.print(Text(f"  {_remarks(finding)}", style="dim"))
    if not analysis.findings:
        console.print("None.")
    for sheet in sheets:
        if sheet.name not in _ON_A_TERMINAL or not sheet.rows:
            continue
        print_sheet(console, sheet, rows)
    print_bars(
        console,
        "Options by viability: what of the best score is left with each",
        bands_of(analysis.verdict.reaches),
    )
    console.print(f"\nAll tables are in {folder}.")
    if analysis.findings and not any(finding.holds for finding in analysis.findings):
        console.print(Text("--readings says under which other rulings and stats findings hold.", style="dim"))
    console.print(Text(conclusion(analysis.findings, analysis.verdict), style="bold"))

"""`buildsearch analyze`: what is strong, what is dead, what dominates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.cli.options import ONE_FORM, PARTIAL, JobsOption, JsonOption, QuietOption, TrustOption

if TYPE_CHECKING:
    from buildsearch.analysis.analysing import Analysis
    from buildsearch.analysis.findings import Finding
    from buildsearch.analysis.thresholds import Thresholds
    from buildsearch.cli.runs import Run
    from buildsearch.report.sheets import Sheet

EXAMPLE = (
    "Examples: buildsearch analyze;  buildsearch analyze results/bleed --markdown > bleed.md;  "
    "buildsearch analyze --json | jq .findings;  buildsearch analyze --readings"
)
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
    "combinations",
    "average_effects",
    "front",
    "dead_rules",
    "dominated_options",
)
_ROWS = 15


def command(
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="A run's folder or name. Default: the last run.")
    ] = None,
    thresholds: Annotated[
        Path | None, typer.Option("--thresholds", help="A TOML file with other thresholds.")
    ] = None,
    no_triggers: Annotated[
        bool, typer.Option("--no-triggers", help="Play no fights for trigger rates: faster, but less proof.")
    ] = False,
    readings: Annotated[
        bool,
        typer.Option(
            "--readings", help="Say under which other rulings and stats each finding holds: takes a minute."
        ),
    ] = False,
    rows: Annotated[int, typer.Option("--rows", help="Rows of each table that are shown.", min=1)] = _ROWS,
    jobs: JobsOption = -1,
    trust: TrustOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the report as Markdown.")] = False,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Say which rules to change, and why.

    Overpowered combinations, must-haves, fights decided at once, mispriced, dominated and
    dead options. Reads the scores of a finished run; writes CSV tables into its folder `analysis`.
    """
    from buildsearch.analysis.thresholds import read_thresholds
    from buildsearch.cli.fight_setup import check_jobs
    from buildsearch.cli.runs import find_run, load_run
    from buildsearch.model.errors import UsageError
    from buildsearch.report.analysis_files import write_analysis
    from buildsearch.report.analysis_sheets import analysis_sheets
    from buildsearch.report.loadout_files import has_loadouts

    check_jobs(jobs)
    if json_ and markdown:
        raise UsageError(ONE_FORM)
    limits = read_thresholds(thresholds)
    if has_loadouts(find_run(run)):
        from buildsearch.cli.analyze_loadouts import analyze_loadouts

        analyze_loadouts(
            find_run(run), limits, rows, json_=json_, markdown=markdown, quiet=quiet, trust=trust
        )
        return
    loaded = load_run(run, trust=trust)
    if loaded.about.get("out_of") is not None:
        raise UsageError(
            f"{loaded.folder} has only some builds of its space (a guided search, or --among), and shares of "
            "them would say what was looked for. Run optimize --search exhaustive on a smaller space."
        )
    analysis = _analysed(loaded, limits, jobs, triggers=not no_triggers, quiet=quiet or json_ or markdown)
    if readings:
        analysis = _read_otherwise(loaded, analysis, jobs, quiet=quiet or json_ or markdown)
    options = loaded.setup.loaded.system.options(loaded.setup.loaded.model)
    sheets = analysis_sheets(analysis, {option.id: option.cost for option in options})
    folder = write_analysis(loaded.folder / "analysis", analysis, sheets)
    if json_:
        typer.echo(json.dumps(_as_data(loaded, analysis, sheets, folder)))
    elif markdown:
        typer.echo(_as_markdown(loaded, analysis, sheets, rows))
    elif not quiet:
        _print(loaded, analysis, sheets, rows, folder)


def _analysed(run: Run, limits: Thresholds, jobs: int, *, triggers: bool, quiet: bool) -> Analysis:
    from rich.console import Console

    from buildsearch.analysis.analysing import analyse
    from buildsearch.cli.subjects import cured, subject_of
    from buildsearch.search.scoring import workers

    subject = subject_of(run.setup, run.scores, run.objective, triggers=triggers, beyond=run.beyond)
    threads = workers(jobs)
    console = Console(stderr=True, highlight=False)
    if quiet or not console.is_terminal:
        return cured(analyse(subject, limits, lambda _stage: None, threads), run.setup, subject, limits)
    with console.status("") as status:
        return cured(analyse(subject, limits, status.update, threads), run.setup, subject, limits)


def _read_otherwise(run: Run, analysis: Analysis, jobs: int, *, quiet: bool) -> Analysis:
    """The analysis, its findings with the readings that they hold under."""
    from dataclasses import replace

    from buildsearch.analysis.robustness import rows_that_matter, with_readings
    from buildsearch.cli.progress import progress_bar
    from buildsearch.cli.sweeping import ground_under
    from buildsearch.search.objectives import read_objectives
    from buildsearch.search.readings import sweep

    system, space = run.setup.loaded.system, run.setup.space
    rows = rows_that_matter(analysis.verdict)
    builds = [build for row in rows for build in space.builds(analysis.population.chunk(row))]
    changes = system.variations(run.setup.loaded.model)
    objective = read_objectives((run.objective,) if run.objective else (), system.metrics)[0]
    with progress_bar("other readings", len(changes) + 1, quiet=quiet) as advance:
        ground = ground_under(run.about["command"], None)
        found = sweep(builds, changes, ground, objective, jobs=jobs, alone=0, advance=advance)
    return replace(analysis, findings=with_readings(analysis.findings, analysis.verdict, rows, found))


def _summary(run: Run, analysis: Analysis) -> dict[str, object]:
    sampled = float((run.scores.error > 0).mean())
    return {
        "run": str(run.folder),
        "rules": run.setup.loaded.model.id,
        "builds": len(run.scores),
        "sampled": sampled,
        "partial": bool(run.about.get("partial")),
        "scenarios": list(run.scores.fights),
        "seconds": round(sum(analysis.seconds.values()), 3),
    }


def _as_data(run: Run, analysis: Analysis, sheets: list[Sheet], folder: Path) -> dict[str, object]:
    from buildsearch.analysis.health import conclusion, headline

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
    return (
        f"{about['rules']}: {about['builds']:,} builds over {scenarios}; "
        f"{about['sampled']:.1%} of the scores are sampled. The run is {about['run']}."
        + (f" {PARTIAL}" if about["partial"] else "")
    )


def _remarks(finding: Finding) -> str:
    """What a finding says after its sentence: cures, how sure it is, where else it holds."""
    sure = "" if finding.certainty == "exact" else f" [{finding.certainty}]"
    return " ".join((*finding.cures, finding.holds)).rstrip() + sure


def _as_markdown(run: Run, analysis: Analysis, sheets: list[Sheet], rows: int) -> str:
    from buildsearch.analysis.health import conclusion, headline

    lines = [
        f"# Analysis of {run.folder.name}",
        "",
        f"**{headline(analysis.verdict, analysis.label)}**",
        "",
        _head(run, analysis),
        "",
        "## Findings",
        "",
    ]
    for finding in analysis.findings:
        lines.append(f"- {finding.severity.value}: **{finding.kind}**: {finding.text} *{_remarks(finding)}*")
    lines += ["", conclusion(analysis.findings, analysis.verdict), ""]
    shown = [sheet for sheet in sheets if sheet.name in _IN_MARKDOWN and sheet.rows]
    return "\n".join([*lines, *(sheet.as_markdown(rows) for sheet in shown)])


def _print(run: Run, analysis: Analysis, sheets: list[Sheet], rows: int, folder: Path) -> None:
    from rich.text import Text

    from buildsearch.analysis.findings import Severity
    from buildsearch.analysis.health import conclusion, headline
    from buildsearch.cli.score_view import make_console
    from buildsearch.cli.sheet_view import print_sheet

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
    console.print(f"\nAll tables are in {folder}.")
    if analysis.findings and not any(finding.holds for finding in analysis.findings):
        console.print(Text("--readings says under which other rulings and stats findings hold.", style="dim"))
    console.print(Text(conclusion(analysis.findings, analysis.verdict), style="bold"))

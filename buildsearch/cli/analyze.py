"""`buildsearch analyze`: what is strong, what is dead, what dominates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.cli.options import ONE_FORM, PARTIAL, JobsOption, JsonOption, QuietOption

if TYPE_CHECKING:
    from buildsearch.analysis.analysing import Analysis
    from buildsearch.cli.runs import Run
    from buildsearch.report.sheets import Sheet

EXAMPLE = (
    "Examples: buildsearch analyze;  buildsearch analyze results/bleed --markdown > bleed.md;  "
    "buildsearch analyze --json | jq .findings"
)
# What a terminal shows; the rest is in the files.
_ON_A_TERMINAL = (
    "saturation",
    "ranking",
    "restricted_play",
    "combinations",
    "outliers",
    "fair_cost",
    "front",
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
    rows: Annotated[int, typer.Option("--rows", help="Rows of each table that are shown.", min=1)] = _ROWS,
    jobs: JobsOption = -1,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the report as Markdown.")] = False,
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Say which rules to change, and why.

    Broken combinations, universal, dominated and dead options, fair costs. Reads the
    scores of a finished run; writes CSV tables into the folder `analysis` of the run.
    """
    from buildsearch.analysis.thresholds import read_thresholds
    from buildsearch.cli.fight_setup import check_jobs
    from buildsearch.cli.runs import load_run
    from buildsearch.model.errors import UsageError
    from buildsearch.report.analysis_files import write_analysis
    from buildsearch.report.analysis_sheets import analysis_sheets

    check_jobs(jobs)
    if json_ and markdown:
        raise UsageError(ONE_FORM)
    limits = read_thresholds(thresholds)
    loaded = load_run(run)
    if loaded.about.get("out_of") is not None:
        raise UsageError(
            f"{loaded.folder} has only some builds of its space (a guided search, or --among), and shares of "
            "them would say what was looked for. Run optimize --search exhaustive on a smaller space."
        )
    analysis = _analysed(loaded, limits, jobs, triggers=not no_triggers, quiet=quiet or json_ or markdown)
    options = loaded.setup.loaded.system.options(loaded.setup.loaded.model)
    sheets = analysis_sheets(analysis, {option.id: option.cost for option in options})
    folder = write_analysis(loaded.folder / "analysis", analysis, sheets)
    if json_:
        typer.echo(json.dumps(_as_data(loaded, analysis, sheets, folder)))
    elif markdown:
        typer.echo(_as_markdown(loaded, analysis, sheets, rows))
    elif not quiet:
        _print(loaded, analysis, sheets, rows, folder)


def _analysed(run: Run, limits: object, jobs: int, *, triggers: bool, quiet: bool) -> Analysis:
    from rich.console import Console

    from buildsearch.analysis.analysing import Subject, analyse
    from buildsearch.analysis.thresholds import Thresholds
    from buildsearch.search.scoring import workers

    assert isinstance(limits, Thresholds)  # noqa: S101 - imported late, so not in the signature
    system, rules = run.setup.loaded.system, run.setup.loaded.model
    subject = Subject(
        scores=run.scores,
        space=run.setup.space,
        options=system.options(rules),
        fights=run.setup.fights,
        replayer=system.replayer(rules) if triggers else None,
    )
    threads = workers(jobs)
    console = Console(stderr=True, highlight=False)
    if quiet or not console.is_terminal:
        return analyse(subject, limits, lambda _stage: None, threads)
    with console.status("") as status:
        return analyse(subject, limits, status.update, threads)


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
    names = analysis.population.names
    return {
        **_summary(run, analysis),
        "stages": {stage: round(seconds, 3) for stage, seconds in analysis.seconds.items()},
        "files": str(folder),
        "findings": [
            {
                "kind": finding.kind,
                "culprits": [names[part] for part in finding.parts],
                "text": finding.text,
                "numbers": dict(finding.numbers),
            }
            for finding in analysis.findings
        ],
        "infeasible_target": analysis.saturation.infeasible,
        **{sheet.name: sheet.as_data() for sheet in sheets if sheet.name != "findings"},
    }


def _head(run: Run, analysis: Analysis) -> str:
    about = _summary(run, analysis)
    scenarios = ", ".join(run.scores.fights)
    return (
        f"{about['rules']}: {about['builds']:,} builds over {scenarios}; "
        f"{about['sampled']:.1%} of the scores are sampled. The run is {about['run']}."
        + (f" {PARTIAL}" if about["partial"] else "")
    )


def _as_markdown(run: Run, analysis: Analysis, sheets: list[Sheet], rows: int) -> str:
    lines = [f"# Analysis of {run.folder.name}", "", _head(run, analysis), "", "## Findings", ""]
    lines += [f"- **{finding.kind}**: {finding.text}" for finding in analysis.findings] or ["None."]
    lines.append("")
    shown = [sheet for sheet in sheets if sheet.name in (*_ON_A_TERMINAL, "dead_rules", "dominated_options")]
    return "\n".join([*lines, *(sheet.as_markdown(rows) for sheet in shown)])


def _print(run: Run, analysis: Analysis, sheets: list[Sheet], rows: int, folder: Path) -> None:
    from rich.table import Table
    from rich.text import Text

    from buildsearch.cli.score_view import make_console

    console = make_console()
    console.print(_head(run, analysis))
    console.print(Text("\nFindings", style="bold"))
    for finding in analysis.findings:
        console.print(
            Text(f"- {finding.kind}: ", style="bold red").append(finding.text, style="not bold default")
        )
    if not analysis.findings:
        console.print("None: nothing is broken, universal, dominated or dead.")
    for sheet in sheets:
        if sheet.name not in _ON_A_TERMINAL or not sheet.rows:
            continue
        columns, cells = sheet.brief(rows)
        console.print(Text(f"\n{sheet.title}", style="bold"))
        if sheet.note:
            console.print(Text(sheet.note, style="dim"))
        table = Table(show_edge=False)
        for place, column in enumerate(columns):
            table.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
        for row in cells:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
        if len(sheet.rows) > rows:
            console.print(Text(f"and {len(sheet.rows) - rows:,} more in {sheet.name}.csv", style="dim"))
    console.print(f"\nAll tables are in {folder}.")

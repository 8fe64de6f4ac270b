"""What `check` shows on a terminal: the worst first."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from buildsearch.gate.findings import Level, Outcome, Verdict

_COLOURS = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.INCONCLUSIVE: "yellow"}


def print_outcome(outcome: Outcome, shown: int) -> None:
    """New findings, a line for each assertion, and the verdict."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for finding in outcome.fresh[:shown]:
        word = "open" if finding.is_open else finding.level.value
        colour = "red" if finding.level is Level.ERROR and not finding.is_open else "yellow"
        line = Text(f"{word}: ", style=colour)
        line.append(f"{finding.assertion}: ", style="bold")
        line.append(finding.message)
        console.print(line)
    if len(outcome.fresh) > shown:
        more = _findings(len(outcome.fresh) - shown)
        console.print(f"... and {more} more; --json lists all of them.")
    for result in outcome.results:
        verdict = result.verdict
        console.print(
            Text.assemble(
                (f"{verdict.value:13}", _COLOURS[verdict]),
                f"{result.assertion} ({result.where}): {_findings(len(result.findings))}",
            )
        )
    for title in outcome.fixed:
        console.print(Text(f"fixed: {title}", style="green"))
    if outcome.known:
        console.print(f"Of these the baseline accepts {len(outcome.known):,}.")
    if outcome.verdict is Verdict.INCONCLUSIVE:
        console.print(
            "What is open may be on either side of its limit: more --fights part what is sampled, and "
            "--inconclusive pass or fail decides what stays open."
        )
    console.print(Text(f"Verdict: {outcome.verdict.value}", style=f"bold {_COLOURS[outcome.verdict]}"))


def _findings(count: int) -> str:
    return f"{count:,} finding{'' if count == 1 else 's'}"

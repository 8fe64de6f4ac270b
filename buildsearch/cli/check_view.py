"""What `check` shows on a terminal: the worst first."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from buildsearch.gate.results import AssertionResult, CheckStatus, Level, Outcome

_COLOURS = {CheckStatus.PASS: "green", CheckStatus.FAIL: "red", CheckStatus.INCONCLUSIVE: "yellow"}


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
        word, colour = _word(outcome, result)
        said = f"{result.assertion} ({result.where}): {_findings(len(result.findings))}"
        if result.remark is not None:
            said += f". {result.remark.text}"
        console.print(Text.assemble((f"{word:13}", colour), said))
    for title in outcome.fixed:
        console.print(Text(f"fixed: {title}", style="green"))
    if outcome.known:
        console.print(f"The baseline accepts {_findings(len(outcome.known))}.")
    if outcome.verdict is CheckStatus.INCONCLUSIVE:
        console.print(
            "What is open may be on either side of its limit: more --fights part what is sampled, and "
            "--inconclusive pass or fail decides what stays open."
        )
    console.print(Text(f"Result: {outcome.verdict.value}{_why(outcome)}", style=f"bold {_colour(outcome)}"))


def _word(outcome: Outcome, result: AssertionResult) -> tuple[str, str]:
    """How an assertion ended, after the baseline; a check that cannot fail is no pass."""
    if outcome.accepts(result):
        return "accepted", "cyan"
    if not result.can_fail and not result.findings:
        return "cannot fail", "yellow"
    if result.verdict is CheckStatus.FAIL and result.level is Level.WARN:
        return "warn", "yellow"
    return result.verdict.value, _COLOURS[result.verdict]


def _why(outcome: Outcome) -> str:
    """What to do next, in the words of the worst finding."""
    worst = [finding for finding in outcome.fresh if finding.level is Level.ERROR and not finding.is_open]
    if worst:
        first = f": begin with {', '.join(worst[0].subjects)}" if worst[0].subjects else ""
        return f", {_findings(len(worst))}{first}."
    idle = sum(not result.can_fail for result in outcome.results)
    if outcome.verdict is CheckStatus.PASS and idle:
        return f", but {idle} of {len(outcome.results)} assertions cannot fail here."
    return "."


def _colour(outcome: Outcome) -> str:
    """Green only where every assertion could have failed."""
    idle = any(not result.can_fail for result in outcome.results)
    return "yellow" if outcome.verdict is CheckStatus.PASS and idle else _COLOURS[outcome.verdict]


def _findings(count: int) -> str:
    return f"{count:,} finding{'' if count == 1 else 's'}"

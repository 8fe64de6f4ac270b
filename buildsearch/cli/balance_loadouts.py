"""What `balance` says of a search for loadouts."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.cli.balance_forms import Output
from buildsearch.cli.problems import said, visible
from buildsearch.model.errors import UsageError
from buildsearch.model.text import as_text
from buildsearch.proposals.measure import describe
from buildsearch.workflow.balance_search import BalanceRequest
from buildsearch.workflow.loadout_balance import balance_listed

_HONEST = "This is about the loadouts that are listed; what others an edit would bring up is not known."


def balance_loadouts(
    folder: Path,
    request: BalanceRequest,
    limits: Thresholds,
    output: Output,
    *,
    ignore_checksums: bool,
    explains: bool,
) -> None:
    """One or two edits after which nothing that is listed is broken."""
    if request.goals or explains or output.apply or output.is_patch or output.html:
        raise UsageError(
            "for loadouts balance has its default goal only (nothing listed is overpowered, a must-have, or "
            "decides fights at once). Leave out --goal, --explain, --apply, --patch and --html."
        )
    answer = balance_listed(folder, request, limits, ignore_checksums=ignore_checksums)
    last = said(answer.conclusion)
    if output.form == "json":
        data = {
            "run": str(folder),
            "broken": list(answer.broken),
            "listed": answer.listed,
            "tried_in_full": answer.tried_in_full,
            "proposals": [
                {
                    "edits": [edit.text for edit in each.edits],
                    "steps": each.steps,
                    "listed": each.listed,
                    "best": each.best,
                    "best_loadout": each.best_loadout,
                }
                for each in answer.proposals
            ],
            "note": _HONEST,
            "conclusion": last,
        }
        typer.echo(json.dumps(data))
        return
    if output.quiet:
        return
    strong, shown = ("**", as_text) if output.form == "markdown" else ("", visible)
    lines = [f"{strong}{shown(answer.health)}{strong}", ""]
    for number, each in enumerate(answer.proposals, start=1):
        lines.append(
            f"{number}. {shown(describe(each.edits))}: {each.listed:,} of {answer.listed:,} listed loadouts "
            f"stay; the best is then {shown(each.best_loadout)} ({each.best:.4g})."
        )
    lines += [""] if answer.proposals else []
    typer.echo("\n".join([*lines, _HONEST, f"{strong}{shown(last)}{strong}"]))

"""What `balance` says of a search for loadouts."""

from __future__ import annotations

from pathlib import Path

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.cli.balance_forms import Output
from buildsearch.cli.output import print_document
from buildsearch.library.balance_search import BalanceRequest
from buildsearch.library.loadout_balance import balance_listed
from buildsearch.model.errors import UsageError
from buildsearch.views.loadouts import balanced_loadouts


def balance_loadouts(
    folder: Path,
    request: BalanceRequest,
    limits: Thresholds,
    output: Output,
    *,
    ignore_checksums: bool,
    tries: bool,
) -> None:
    """One or two edits after which nothing that is listed is broken."""
    if request.goals or tries or output.apply or output.is_patch or output.html:
        raise UsageError(
            "for loadouts balance has its default goal only: no overpowered loadout, no must-have, no "
            "instant win. Leave out --goal, --try, --apply, --patch and --html."
        )
    answer = balance_listed(folder, request, limits, ignore_checksums=ignore_checksums)
    document = balanced_loadouts(
        answer.loadouts,
        answer.verdict,
        answer.proposals,
        answer.metric,
        str(folder),
        tried_in_full=answer.tried_in_full,
    )
    print_document(
        document, json_=output.form == "json", markdown=output.form == "markdown", quiet=output.quiet
    )

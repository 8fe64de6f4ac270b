"""A search for balance from the command line: its answer in the form that was asked for, and its files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import typer

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.answers import Proposal
from buildsearch.balancing.edits import patch
from buildsearch.balancing.joint import JointProposal
from buildsearch.balancing.search import Search
from buildsearch.cli.balance_forms import Output
from buildsearch.cli.output import print_document
from buildsearch.cli.problems import said
from buildsearch.document.blocks import Document
from buildsearch.document.data import to_data
from buildsearch.files.atomic import write_whole
from buildsearch.gate.config import GateConfig
from buildsearch.library.balance import Desk, check_edited, edits_from, texts
from buildsearch.library.balance_checks import CheckRequest, Checks, check_proposal
from buildsearch.library.balance_search import BalanceRequest, keep_first, open_balance, try_edits
from buildsearch.library.games import check_joint, open_games
from buildsearch.library.runs import Run
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Edit
from buildsearch.ruleset.extends import from_here
from buildsearch.views.balance import BalanceAbout, balance_document, joint_document


def balance_one(
    desk: Desk,
    request: BalanceRequest,
    limits: Thresholds,
    config: GateConfig,
    output: Output,
    check_request: CheckRequest,
    tried: Sequence[str],
    how: dict[str, Any],
    ends: dict[str, Any],
) -> None:
    """One game; `how` is for whatever scores builds, `ends` for the search."""
    search = open_balance(desk, request, limits, config, **how, **ends)
    if tried:
        _say_tried(desk, search, edits_from(desk, tried), output)
        return
    answer = search.run()
    keep_first(desk, request, limits, config, answer)
    checks = None
    if not check_request.is_empty and (number := output.apply or 1) <= len(answer.proposals):
        edits = answer.proposals[number - 1].edits
        checks = check_proposal({"": (desk, search)}, edits, number, check_request, **how)
    notes = [said(note) for note in answer.notes]
    answer = replace(answer, notes=tuple(notes))
    about = _about(desk, output, ["buildsearch balance"], notes, checks)
    document = balance_document(answer, about)

    def check(edits: tuple[Edit, ...], text: str) -> None:
        assert output.out is not None  # noqa: S101 - asked for
        check_edited(desk, search.court.state(edits), text, output.out)

    _take(desk, answer.proposals, output, document, check)
    _show(document, output, checks)


def balance_games(
    run: Run,
    parameters: Sequence[dict[str, str]],
    request: BalanceRequest,
    limits: Thresholds,
    config: GateConfig,
    output: Output,
    check_request: CheckRequest,
    ignore_checksums: bool,
    how: dict[str, Any],
    ends: dict[str, Any],
) -> None:
    """One proposal for several games."""
    joint = open_games(
        run, parameters, request, limits, config, ignore_checksums=ignore_checksums, **how, **ends
    )
    answer = joint.search.run()
    checks = None
    if not check_request.is_empty and (number := output.apply or 1) <= len(answer.proposals):
        games = {game.label: (joint.desks[game.label], game.search) for game in joint.search.games}
        checks = check_proposal(games, answer.proposals[number - 1].edits, number, check_request, **how)
    given = dict.fromkeys(f"-p {name}={value}" for some in parameters for name, value in some.items())
    notes = [said(note) for note in answer.notes]
    answer = replace(answer, notes=tuple(notes))
    first = next(iter(joint.desks.values()))
    about = _about(first, output, ["buildsearch balance", *given], notes, checks)
    document = joint_document(answer, about)

    def check(edits: tuple[Edit, ...], text: str) -> None:
        assert output.out is not None  # noqa: S101 - asked for
        check_joint(joint, edits, text, output.out)

    _take(first, answer.proposals, output, document, check)
    _show(document, output, checks)


def _say_tried(desk: Desk, search: Search, edits: tuple[Edit, ...], output: Output) -> None:
    """What edits of one's own do."""
    if any(edit.changes_fights for edit in edits):
        raise UsageError(
            "such a value changes fights, so the scores of the run do not hold. `buildsearch diff RULES "
            "--set` shows what it does."
        )
    if output.is_patch:
        typer.echo(patch(*texts(desk, edits), file_of(desk)), nl=False)
        return
    _show(try_edits(desk, search, edits), output, None)


def _about(
    desk: Desk, output: Output, command: Sequence[str], notes: Sequence[str], checks: Checks | None
) -> BalanceAbout:
    return BalanceAbout(
        command=" ".join(command),
        rules=desk.setup.loaded.model.id,
        run=str(desk.run.folder),
        parameters=desk.setup.space.parameters,
        words=desk.words,
        details=notes if output.verbose else (),
        fights=[(label, each.scenarios) for label, each in checks.stressed] if checks else (),
        checks=[said(text) for text in [*checks.sentences(), checks.conclusion()]] if checks else (),
        is_incomplete=desk.run.record.incomplete,
    )


def _show(document: Document, output: Output, checks: Checks | None) -> None:
    if output.html is not None:
        from buildsearch.report.html.document_page import write_document

        write_document(document, output.html)
    if output.form == "json":
        data = to_data(document, tables=False)
        typer.echo(json.dumps({**data, **({"checks": checks.data()} if checks else {})}))
    elif not output.is_patch:
        print_document(document, markdown=output.form == "markdown", quiet=output.quiet)
    if not output.is_talking:
        return
    if output.html is not None:
        typer.echo(f"Wrote {output.html}.")
    if output.out is not None:
        typer.echo(f"Wrote proposal {output.apply} to {output.out}.")


def _take(
    desk: Desk,
    proposals: Sequence[Proposal] | Sequence[JointProposal],
    output: Output,
    document: Document,
    check: Any,
) -> None:
    """Write or print what was chosen; raises UsageError where there is no such proposal."""
    if output.apply is None and not output.is_patch:
        return
    number = output.apply or 1
    if number > len(proposals):
        many = f"there {'is 1' if len(proposals) == 1 else f'are {len(proposals)}'}"
        raise UsageError(f"there is no proposal {number}: {many}. {document.data['headline']}")
    edits = proposals[number - 1].edits
    before, after = texts(desk, edits)
    if output.is_patch:
        typer.echo(patch(before, after, file_of(desk)), nl=False)
    if output.out is not None:
        check(edits, after)
        write_whole(output.out, after)


def file_of(desk: Desk) -> str:
    """The rules file, as one would name it here."""
    return from_here(str(desk.setup.loaded.path))

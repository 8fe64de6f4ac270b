"""What to change so that a goal holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.api.arguments import checked
from buildsearch.api.joint_balances import JointBalance, joint_checks
from buildsearch.api.proposal_tables import ProposalTable, edits_of, measures_of
from buildsearch.api.runs import Run, cache_folder
from buildsearch.balancing.answers import Answer, Proposal
from buildsearch.balancing.edits import read_edits
from buildsearch.balancing.search import Search
from buildsearch.document.blocks import Document
from buildsearch.gate.config import read_config, with_preset
from buildsearch.library.balance import Desk, check_edited, open_desk
from buildsearch.library.balance_checks import CheckRequest, Checks, check_proposal, refuse_unknown
from buildsearch.library.balance_search import BalanceRequest, keep_first, open_balance, try_edits
from buildsearch.library.fight_setup import check_jobs
from buildsearch.library.games import combinations_of, open_games
from buildsearch.library.watch import Cancellation, Progress, watch_by
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Edit
from buildsearch.views.balance import BalanceAbout, balance_data, balance_document, headline

_COLUMNS = (
    "proposal", "edits", "text", "count", "change", "best", "benchmark", "ahead", "viable_options", "options",
    "legal_share", "rank_shift", "must_haves", "overpowered_builds", "instant_wins", "proof", "inconclusive",
    "moves_benchmark",
)  # fmt: skip


class Balance(ProposalTable):
    """What was found. As a table it has a row for each proposal, the smallest first."""

    def __init__(self, desk: Desk, search: Search, answer: Answer, checks: Checks | None = None) -> None:
        self._desk, self._search, self._answer = desk, search, answer
        rows = [_row(number, each) for number, each in enumerate(answer.proposals, start=1)]
        super().__init__(desk, answer, checks, rows, _COLUMNS)

    @property
    def conclusion(self) -> str:
        """What fixes the game, in a sentence."""
        return headline(self._answer)

    @property
    def data(self) -> dict[str, Any]:
        """All of it as plain data, as `balance --json` prints it."""
        return balance_data(self._answer, self._about)

    def document(self) -> Document:
        """The page that `balance` prints."""
        return balance_document(self._answer, self._about)

    @property
    def _about(self) -> BalanceAbout:
        desk = self._desk
        parameters = desk.setup.space.parameters
        name = desk.setup.loaded.model.id
        return BalanceAbout("buildsearch balance", name, str(desk.run.folder), parameters, desk.words)

    @checked()
    def try_edits(self, edits: str | Sequence[str]) -> Document:
        """What edits of your own do, such as `barrage.cost=3` or `ban barrage+charges_1`: the edited options
        first, then the game. `data` of the document has the numbers.

        Raises:
            InputError: for what is not an edit of these rules.

        """
        words = (edits,) if isinstance(edits, str) else tuple(edits)
        chosen = read_edits(words, self._desk.levers)
        if any(edit.changes_fights for edit in chosen):
            raise UsageError("such a value changes fights: the scores of the run do not hold. Use `diff`.")
        return try_edits(self._desk, self._search, chosen)

    def _check(self, edits: tuple[Edit, ...], text: str, path: Path) -> None:
        check_edited(self._desk, self._search.explained_in(edits)[0].state(edits), text, path)


def _row(number: int, proposal: Proposal) -> dict[str, Any]:
    return {
        "proposal": number,
        **edits_of(proposal),
        **measures_of(proposal.after),
        "rank_shift": proposal.after.shift,
        "proof": proposal.proof,
        "moves_benchmark": bool(proposal.still_ahead),
        "inconclusive": proposal.open_why,
    }


@checked()
def balance(
    run: Run,
    *,
    goals: Sequence[str] = (),
    levers: Sequence[str] = (),
    lock: Sequence[str] = (),
    only_options: Sequence[str] = (),
    max_change: int | None = None,
    max_proposals: int | None = None,
    seconds: float | None = None,
    parameters: Mapping[str, Sequence[str | int]] | None = None,
    also_check: Sequence[str] = (),
    stress: bool = False,
    thresholds: str | Path | None = None,
    config: str | Path | None = None,
    jobs: int = -1,
    cache: bool | str | Path = True,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancellation | None = None,
) -> Balance | JointBalance:
    """Propose the smallest change of prices and bans that is enough, and say what is proved.

    Args:
        run: what `optimize` or `open_run` gave.
        goals: what shall hold: assertions of `check` by name, or such as `"best >= 6"`,
            `"viable@80% >= 60%"`, `"viability bleed >= 80%"`; if empty, nothing overpowered, no must-have,
            no instant win.
        levers: what may be moved, such as `"costs"`, `"pair-bans"` or `"values"`; costs and pair bans
            if empty.
        lock: options and levers that stay.
        only_options: if given, nothing but these options is moved.
        max_change: how far a cost or a value may go; 3 if left out.
        max_proposals: how many at most; 3 if left out.
        seconds: more or less work than usual, which is about 45, and where it ends. Left out, work
            is counted, and the answer is the same on every machine.
        parameters: several values of parameters, such as `{"tier": [3, 4, 5]}`: one proposal that keeps the
            goal in every combination, as a `JointBalance`.
        also_check: scenario sets, `"rulings"`, `"stats"`: whether the first proposal holds there; see
            `checks`.
        stress: whether to look for the fight that breaks it.
        thresholds: a TOML file with other thresholds.
        config: a file with assertions and `[balance]`; `buildsearch.toml` or pyproject.toml here if left out.
        jobs: threads; -1 for every core.
        cache: whether scores are kept for later, or the folder to keep them in.
        progress: is told a `Progress` now and then, where builds that edits let in are scored.
        cancel: once it is set, `Cancelled` is raised at the next step of that.

    Returns:
        The proposals as a table, with the proof, a conclusion, and `patch` and `apply`.

    Raises:
        UsageError: for a run of loadouts or of some builds only.
        InputError: for goals, levers and options that there are not, all at once.

    """
    check_jobs(jobs)
    limits = read_thresholds(None if thresholds is None else Path(thresholds))
    settings = with_preset(read_config(None if config is None else Path(config))[0])
    request = BalanceRequest(
        goals=_listed(goals),
        levers=_listed(levers),
        lock=_listed(lock),
        only_options=_listed(only_options),
        max_change=max_change,
        max_proposals=max_proposals,
        seconds=seconds,
    )
    check_request = CheckRequest(_listed(also_check) or settings.balance.also_check, stress)
    watch = watch_by(progress, cancel)
    given = {name: [str(value) for value in values] for name, values in (parameters or {}).items()}
    if games := combinations_of(given, settings):
        joint = open_games(
            run.opened, games, request, limits, settings, cache=cache_folder(cache), jobs=jobs, watch=watch
        )
        found = joint.search.run()
        return JointBalance(
            joint, found, joint_checks(joint, found, check_request, cache_folder(cache), jobs, watch)
        )
    desk = open_desk(run.opened)
    refuse_unknown(desk, check_request)
    search = open_balance(desk, request, limits, settings, cache=cache_folder(cache), jobs=jobs, watch=watch)
    answer, checks = search.run(), None
    keep_first(desk, request, limits, settings, answer)
    if not check_request.is_empty and answer.proposals:
        edits = answer.proposals[0].edits
        checks = check_proposal(
            {"": (desk, search)}, edits, 1, check_request, cache=cache_folder(cache), jobs=jobs, watch=watch
        )
    return Balance(desk, search, answer, checks)


def _listed(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)

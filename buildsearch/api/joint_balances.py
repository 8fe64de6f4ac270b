"""What to change so that a goal holds in several games at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from buildsearch.api.proposal_tables import ProposalTable, edits_of, measures_of
from buildsearch.model.levers import Edit
from buildsearch.proposals.joint import JointAnswer, JointProposal
from buildsearch.proposals.joint_sentences import as_data, conclusion
from buildsearch.workflow.balance_checks import CheckRequest, Checks, check_proposal
from buildsearch.workflow.games import JointDesk, check_joint
from buildsearch.workflow.watch import Watch

_COLUMNS = (
    "proposal", "game", "edits", "words", "count", "steps", "binds", "best", "reference", "ahead",
    "freedom", "options", "builds_kept", "must_haves", "overpowered_builds", "decided", "open",
)  # fmt: skip


class JointBalance(ProposalTable):
    """What was found. As a table it has a row for each proposal in each game."""

    def __init__(self, desk: JointDesk, answer: JointAnswer, checks: Checks | None = None) -> None:
        self._desk, self._answer = desk, answer
        rows = [row for number, each in enumerate(answer.proposals, start=1) for row in _rows(number, each)]
        # All games have the same rules, so any desk can say what they are.
        super().__init__(next(iter(desk.desks.values())), answer, checks, rows, _COLUMNS)

    @property
    def conclusion(self) -> str:
        """What to do next, in a sentence."""
        return conclusion(self._answer, "buildsearch balance")

    @property
    def data(self) -> dict[str, Any]:
        """All of it as plain data, as `balance --json` prints it."""
        return as_data(self._answer)

    def _check(self, edits: tuple[Edit, ...], text: str, path: Path) -> None:
        check_joint(self._desk, edits, text, path)


def joint_checks(
    desk: JointDesk,
    answer: JointAnswer,
    request: CheckRequest,
    cache: Path | None,
    jobs: int,
    watch: Watch,
) -> Checks | None:
    """The first proposal elsewhere, in each of its games; None where nobody asked or nothing is proposed."""
    if request.is_empty or not answer.proposals:
        return None
    games = {game.label: (desk.desks[game.label], game.search) for game in desk.search.games}
    edits = answer.proposals[0].edits
    return check_proposal(games, edits, 1, request, cache=cache, jobs=jobs, watch=watch)


def _rows(number: int, proposal: JointProposal) -> list[dict[str, Any]]:
    return [
        {
            "proposal": number,
            "game": label,
            **edits_of(proposal),
            "binds": label in proposal.binds,
            **measures_of(part.after),
            "open": part.open_why,
        }
        for label, part in proposal.by_game.items()
    ]

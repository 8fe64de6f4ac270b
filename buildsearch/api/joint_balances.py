"""What to change so that a goal holds in several games at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from buildsearch.api.proposal_tables import ProposalTable, edits_of, measures_of
from buildsearch.balancing.joint import JointAnswer, JointProposal
from buildsearch.document.blocks import Document
from buildsearch.library.balance_checks import CheckRequest, Checks, check_proposal
from buildsearch.library.games import JointDesk, check_joint
from buildsearch.library.watch import Watch
from buildsearch.model.levers import Edit
from buildsearch.views.balance import BalanceAbout, joint_data, joint_document, joint_headline

_COLUMNS = (
    "proposal", "game", "edits", "text", "count", "change", "is_tightest", "best", "benchmark", "ahead",
    "viable_options", "options", "legal_share", "must_haves", "overpowered_builds", "instant_wins",
    "inconclusive",
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
        """What fixes the games, in a sentence."""
        return joint_headline(self._answer)

    @property
    def data(self) -> dict[str, Any]:
        """All of it as plain data, as `balance --json` prints it."""
        return joint_data(self._answer, self._about)

    def document(self) -> Document:
        """The page that `balance` prints."""
        return joint_document(self._answer, self._about)

    @property
    def _about(self) -> BalanceAbout:
        desk = self._rules_desk
        return BalanceAbout(
            "buildsearch balance", desk.setup.loaded.model.id, str(desk.run.folder), {}, desk.words
        )

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
            "is_tightest": label in proposal.binds,
            **measures_of(part.after),
            "inconclusive": part.open_why,
        }
        for label, part in proposal.by_game.items()
    ]

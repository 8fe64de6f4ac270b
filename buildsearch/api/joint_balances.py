"""What to change so that a goal holds in several games at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from buildsearch.api.tables import Table, table_of_rows
from buildsearch.model.errors import UsageError
from buildsearch.proposals.edited_rules import patch
from buildsearch.proposals.joint import JointAnswer, JointProposal
from buildsearch.proposals.joint_sentences import as_data, conclusion
from buildsearch.proposals.measure import describe
from buildsearch.whole_files import check_writable, write_whole
from buildsearch.workflow.balance import texts
from buildsearch.workflow.balance_checks import CheckRequest, Checks, check_proposal
from buildsearch.workflow.games import JointDesk, check_joint
from buildsearch.workflow.watch import Watch

_COLUMNS = (
    "proposal", "game", "edits", "words", "count", "steps", "binds", "best", "reference", "freedom",
    "options", "builds_kept", "must_haves", "overpowered_builds", "decided", "open",
)  # fmt: skip


class JointBalance(Table):
    """What was found. As a table it has a row for each proposal in each game."""

    def __init__(self, desk: JointDesk, answer: JointAnswer, checks: Checks | None = None) -> None:
        self._desk, self._answer, self._checks = desk, answer, checks
        rows = [row for number, each in enumerate(answer.proposals, start=1) for row in _rows(number, each)]
        table = table_of_rows(rows, list(_COLUMNS))
        name = self._first.setup.loaded.model.name
        super().__init__(table.to_arrow, title=f"Balance of {name}", index="proposal")

    @property
    def _first(self) -> Any:
        return next(iter(self._desk.desks.values()))

    @property
    def is_kept(self) -> bool:
        """Whether the goal holds in all games already."""
        return self._answer.is_kept_already

    @property
    def proof(self) -> str:
        """What is proved about the smallest proposal, or why there is none."""
        return self._answer.proof

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to know."""
        return self._answer.notes

    @property
    def conclusion(self) -> str:
        """What to do next, in a sentence."""
        return conclusion(self._answer, "buildsearch balance")

    @property
    def checks(self) -> dict[str, Any] | None:
        """What became of the first proposal elsewhere, where that was asked with `hold_out` or `stress`."""
        return None if self._checks is None else self._checks.data()

    @property
    def data(self) -> dict[str, Any]:
        """All of it as plain data, as `balance --json` prints it."""
        return as_data(self._answer)

    def patch(self, proposal: int = 1) -> str:
        """A proposal as a unified diff of the rules file, as `git apply` takes it."""
        from buildsearch.ruleset.option_lines import from_here

        before, after = texts(self._first, self._chosen(proposal).edits)
        return patch(before, after, from_here(str(self._first.setup.loaded.path)))

    def apply(self, proposal: int, out: str | Path) -> Path:
        """Write the rules with a proposal made to a file, checked before: only those lines change."""
        path = Path(out)
        check_writable(path)
        edits = self._chosen(proposal).edits
        _, after = texts(self._first, edits)
        check_joint(self._desk, edits, after, path)
        write_whole(path, after)
        return path

    def _chosen(self, proposal: int) -> JointProposal:
        if not 1 <= proposal <= len(self._answer.proposals):
            raise UsageError(f"there is no proposal {proposal}: {self.conclusion}")
        return self._answer.proposals[proposal - 1]

    def __repr__(self) -> str:
        return f"<JointBalance: {len(self._answer.proposals)} proposals. {self.conclusion}>"


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
            "edits": ", ".join(edit.text for edit in proposal.edits),
            "words": describe(proposal.edits),
            "count": len(proposal.edits),
            "steps": proposal.steps,
            "binds": label in proposal.binds,
            "best": part.after.best,
            "reference": part.after.reference,
            "freedom": part.after.free(0.8).options,
            "options": part.after.free(0.8).of,
            "builds_kept": part.after.kept,
            "must_haves": len(part.after.must_haves),
            "overpowered_builds": part.after.overpowered,
            "decided": part.after.decided,
            "open": part.open_why,
        }
        for label, part in proposal.by_game.items()
    ]

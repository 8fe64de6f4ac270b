"""What balance in one game and in several have in common: proposals as a table, as a patch, as a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from buildsearch.api.arguments import checked
from buildsearch.api.tables import Table, table_of_rows
from buildsearch.balancing.answers import Answer, Proposal
from buildsearch.balancing.edits import patch
from buildsearch.balancing.joint import JointAnswer, JointProposal
from buildsearch.balancing.measure import Measure, describe
from buildsearch.document.blocks import Document
from buildsearch.files.atomic import check_writable, write_whole
from buildsearch.library.balance import Desk, texts
from buildsearch.library.balance_checks import Checks
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Edit
from buildsearch.model.text import count


class ProposalTable(Table):
    """Proposals for the rules of a desk."""

    def __init__(
        self,
        desk: Desk,
        answer: Answer | JointAnswer,
        checks: Checks | None,
        rows: list[dict[str, Any]],
        columns: Sequence[str],
    ) -> None:
        self._rules_desk, self._found, self._checks = desk, answer, checks
        name = desk.setup.loaded.model.name
        super().__init__(
            table_of_rows(rows, list(columns)).to_arrow, title=f"Balance of {name}", index="proposal"
        )

    @property
    def is_met(self) -> bool:
        """Whether the goal is met already: then there is nothing to propose."""
        return self._found.is_kept_already

    @property
    def proof(self) -> str:
        """What is proved about the smallest proposal, or why there is none."""
        return self._found.proof

    @property
    def notes(self) -> tuple[str, ...]:
        """What was tried and left out."""
        return self._found.notes

    @property
    @abstractmethod
    def conclusion(self) -> str:
        """What fixes the game, in a sentence."""

    @abstractmethod
    def document(self) -> Document:
        """The page that `balance` prints."""

    def _repr_html_(self) -> str:
        return self.document()._repr_html_()

    @property
    def checks(self) -> dict[str, Any] | None:
        """What became of the first proposal elsewhere, where that was asked with `also_check` or `stress`."""
        return None if self._checks is None else self._checks.data()

    @checked()
    def patch(self, proposal: int = 1) -> str:
        """A proposal as a unified diff of the rules file, as `git apply` takes it."""
        from buildsearch.ruleset.extends import from_here

        before, after = texts(self._rules_desk, self._edits(proposal))
        return patch(before, after, from_here(str(self._rules_desk.setup.loaded.path)))

    @checked()
    def apply(self, proposal: int, out: str | Path) -> Path:
        """Write the rules with a proposal made to a file, checked before: only those lines change."""
        path = Path(out)
        check_writable(path)
        edits = self._edits(proposal)
        _, after = texts(self._rules_desk, edits)
        self._check(edits, after, path)
        write_whole(path, after)
        return path

    @abstractmethod
    def _check(self, edits: tuple[Edit, ...], text: str, path: Path) -> None:
        """Raise where edited rules are not what was judged."""

    def _edits(self, proposal: int) -> tuple[Edit, ...]:
        if not 1 <= proposal <= len(self._found.proposals):
            raise UsageError(f"there is no proposal {proposal}: {self.conclusion}")
        return self._found.proposals[proposal - 1].edits

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {count(len(self._found.proposals), 'proposal')}. {self.conclusion}>"


def edits_of(proposal: Proposal | JointProposal) -> dict[str, Any]:
    """What a proposal changes, as columns of a row."""
    return {
        "edits": ", ".join(edit.text for edit in proposal.edits),
        "text": describe(proposal.edits),
        "count": len(proposal.edits),
        "change": proposal.steps,
    }


def measures_of(after: Measure) -> dict[str, Any]:
    """A game under a proposal, as columns of a row."""
    free = after.free(0.8)
    return {
        "best": after.best,
        "benchmark": after.reference,
        "ahead": after.ahead,
        "viable_options": free.options,
        "options": free.of,
        "legal_share": after.kept,
        "must_haves": len(after.must_haves),
        "overpowered_builds": after.overpowered,
        "instant_wins": after.decided,
    }

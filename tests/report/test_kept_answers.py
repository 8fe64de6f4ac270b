"""proposal.json comes back as it was written, and only to the question it answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from buildsearch.analysis.thresholds import read_thresholds, with_margin
from buildsearch.balancing.first_proposal import StoredHealth, StoredProposal
from buildsearch.report.kept_answers import PROPOSAL, proposal_key, read_proposal, write_proposal

SHOWN = StoredProposal(
    edits=("barrage.cost=3",),
    text="Raise Barrage from 1 to 3",
    errors=5,
    fixed=5,
    is_proved_minimal=True,
    after=StoredHealth(44, 56, 6.26474, 6.94, 0.797),
    newly_flagged=(("overcosted", "quickdraw"), ("overcosted", "careful")),
)


@pytest.mark.parametrize("proposal", [SHOWN, replace(SHOWN, edits=(), text="", fixed=0, after=None)])
def test_a_proposal_is_read_as_it_was_written(tmp_path: Path, proposal: StoredProposal) -> None:
    write_proposal(tmp_path, "key", proposal)
    assert read_proposal(tmp_path, "key") == proposal


def test_a_proposal_is_read_only_under_its_key(tmp_path: Path) -> None:
    limits = read_thresholds()
    key = proposal_key("run", limits)
    write_proposal(tmp_path, key, SHOWN)
    for other in (
        proposal_key("another run", limits),
        proposal_key("run", with_margin(limits, 0.2)),
    ):
        assert read_proposal(tmp_path, other) is None
    assert read_proposal(tmp_path, proposal_key("run", limits)) == SHOWN


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"key": "key"}', '{"key": "key", "proposal": {"edits": "barrage"}}', "[" * 90]
)
def test_a_file_of_another_form_is_no_proposal(tmp_path: Path, text: str) -> None:
    (tmp_path / PROPOSAL).write_text(text)
    assert read_proposal(tmp_path, "key") is None


def test_a_missing_file_is_no_proposal(tmp_path: Path) -> None:
    assert read_proposal(tmp_path, "key") is None

"""proposal.json: the first proposal of a search for balance, beside the run that it is about."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.first_proposal import StoredProposal
from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import read_json
from buildsearch.report.code_state import code_state

PROPOSAL = "proposal.json"
_MOST_BYTES = 1_000_000
_PROPOSAL = TypeAdapter(StoredProposal)


def proposal_key(checksum: str, limits: Thresholds, asked: Mapping[str, Any] | None = None) -> str:
    """What a proposal is about: the run (its record's checksum), the thresholds, and what was asked for.

    `asked` has what differs from a plain `buildsearch balance`: goals, levers, locks, steps; empty means the
    default goal and levers, which `analyze` shows.
    """
    said = [code_state(), checksum, limits.model_dump(mode="json"), dict(asked or {})]
    return hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()


def write_proposal(folder: Path, key: str, proposal: StoredProposal) -> None:
    """Keep it in the folder of its run; the file changes as a whole."""
    said = {"key": key, "proposal": _PROPOSAL.dump_python(proposal, mode="json")}
    write_whole(folder / PROPOSAL, json.dumps(said, indent=2) + "\n")


def read_proposal(folder: Path, key: str) -> StoredProposal | None:
    """The proposal that was kept under this key; None where there is none, or one about something else."""
    try:
        said = read_json(folder / PROPOSAL, _MOST_BYTES)
        if not isinstance(said, dict) or said.get("key") != key:
            return None
        # Through its text, whose arrays a strict reader takes for tuples.
        return _PROPOSAL.validate_json(json.dumps(said["proposal"]), strict=True)
    except (OSError, ValueError, KeyError, ValidationError):
        return None

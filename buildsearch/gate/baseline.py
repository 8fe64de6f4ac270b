"""Findings that are known and accepted, in a file that people review."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import read_json
from buildsearch.gate.results import AssertionResult, Outcome, Violation
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.ruleset.messages import wrong_keys

_FORMAT = 1
_MOST_BYTES = 16_000_000
# A finding must be this much further beyond its limit to count as worse: less is noise of sampling.
_WORSE = 0.02
_TO_BE_EXPLAINED = "accepted when the baseline was written; say why"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The accepted findings of one ruleset, by fingerprint: the entries of the file."""

    ruleset: str
    rules_hash: str
    known: dict[str, Mapping[str, Any]]

    def sift(self, results: Sequence[AssertionResult]) -> Outcome:
        """What is new or worse, what is known, and the titles of what is gone.

        What was not judged this time, because of another tier or a preset without it, is not gone.
        """
        found = [finding for result in results for finding in result.findings]
        fresh = tuple(finding for finding in found if not self._covers(finding))
        expected = tuple(finding for finding in found if self._covers(finding))
        there = {finding.fingerprint for finding in found}
        judged = {(result.assertion, result.where) for result in results}
        fixed = tuple(
            entry["finding"]
            for print_, entry in self.known.items()
            if print_ not in there and (entry["assertion"], entry["where"]) in judged
        )
        return Outcome(tuple(results), fresh, expected, fixed)

    def _covers(self, finding: Violation) -> bool:
        entry = self.known.get(finding.fingerprint)
        if entry is None:
            return False
        excess: float = entry["excess"]
        return finding.is_open or finding.excess <= excess + _WORSE * max(1.0, abs(excess))


class _Entry(BaseModel):
    # What people add to an entry stays there.
    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)

    assertion: str
    where: str
    finding: str
    excess: float
    fingerprint: str
    reason: str
    subjects: list[str] = []


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    ruleset: str
    rules_hash: str
    findings: list[_Entry]


def read_baseline(path: Path, ruleset: str) -> Baseline | None:
    """A baseline, or None where there is none; raises UsageError for what is none of this ruleset's."""
    try:
        data = read_json(path, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UsageError(
            f"cannot read the baseline {path}: {reason_of(error)}. Write it again with ‹update_baseline›."
        ) from error
    if isinstance(data, dict) and "findings" in data and data.get("format") != _FORMAT:
        raise UsageError(f"{path} is a baseline of another version. Write it again with ‹update_baseline›.")
    try:
        read = _File.model_validate(data)
    except ValidationError as error:
        raise UsageError(
            f"{path} is not a baseline (look at: {wrong_keys(error)}). Write it again with ‹update_baseline›."
        ) from None
    if read.ruleset != ruleset:
        raise UsageError(
            f"{path} is the baseline of {read.ruleset}, and {ruleset} is checked. "
            "Name another with ‹baseline›, or write one with ‹update_baseline›."
        )
    known: dict[str, Mapping[str, Any]] = {each["fingerprint"]: each for each in data["findings"]}
    return Baseline(read.ruleset, read.rules_hash, known)


def write_baseline(
    path: Path,
    ruleset: str,
    rules_hash: str,
    results: Sequence[AssertionResult],
    runs: Sequence[str],
    old: Baseline | None,
) -> int:
    """Accept what was found in these runs; reasons that people wrote stay, and so do findings of other runs.

    Gives the number of findings.
    """
    before = old.known if old else {}
    # `where` is a run, or a run and its scenario.
    here = tuple(f"{run}, " for run in runs)
    entries = {
        print_: entry for print_, entry in before.items() if not f"{entry['where']}, ".startswith(here)
    }
    for result in results:
        for finding in result.findings:
            entries[finding.fingerprint] = {
                "assertion": finding.assertion,
                "where": finding.where,
                "subjects": sorted(finding.subjects),
                "finding": finding.message,
                "value": round(finding.value, 6),
                "excess": round(finding.excess, 6),
                "fingerprint": finding.fingerprint,
                "reason": before.get(finding.fingerprint, {}).get("reason", _TO_BE_EXPLAINED),
            }
    ordered = sorted(entries.values(), key=lambda e: (e["assertion"], e["where"], e.get("subjects", [])))
    data = {"format": _FORMAT, "ruleset": ruleset, "rules_hash": rules_hash, "findings": ordered}
    write_whole(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    return len(ordered)

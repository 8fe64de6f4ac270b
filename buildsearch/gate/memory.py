"""Judgements of earlier checks, kept beside the scores: equal scores and assertion, equal findings."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from buildsearch.evaluate.streams import content_digest
from buildsearch.gate.findings import Finding, Level
from buildsearch.whole_files import write_whole

# Bump when an assertion of the same words is judged differently.
_VERSION = "1"


class Memory:
    """A folder of judgements; without a path it remembers nothing."""

    def __init__(self, path: Path | None) -> None:
        self.path = None if path is None else path / f"scores-checks-{_VERSION}"

    def recall(self, name: str, assertion: Any, content: bytes) -> tuple[Finding, ...] | None:
        """What was found the last time; None if there was none or its file is unreadable."""
        if self.path is None:
            return None
        try:
            data = json.loads(self._file(name, assertion, content).read_text(encoding="utf-8"))
            return tuple(_finding(each) for each in data)
        except (OSError, ValueError, KeyError, TypeError):
            return None  # a cache is never worth an error

    def keep(self, name: str, assertion: Any, content: bytes, found: tuple[Finding, ...]) -> None:
        """Remember."""
        if self.path is not None:
            text = json.dumps([asdict(finding) for finding in found])
            write_whole(self._file(name, assertion, content), text)

    def _file(self, name: str, assertion: Any, content: bytes) -> Path:
        key = content_digest(name.encode(), assertion.model_dump_json().encode(), content)
        assert self.path is not None  # noqa: S101 - only called where there is one
        return self.path / f"{key.hex()}.json"


def _finding(data: dict[str, Any]) -> Finding:
    known = {each.name for each in fields(Finding)}
    if set(data) != known:
        raise KeyError("not a finding of this version")
    return Finding(**data | {"level": Level(data["level"]), "culprits": tuple(data["culprits"])})

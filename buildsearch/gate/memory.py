"""Judgements of earlier checks, kept beside the scores: equal scores and assertion, equal findings."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from buildsearch.evaluate.randomness import content_digest
from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import read_text
from buildsearch.gate.results import Level, Violation
from buildsearch.model.errors import UsageError

# Bump when an assertion of the same words is judged differently.
_VERSION = "3"


class Memory:
    """A folder of judgements; without a path it remembers nothing."""

    def __init__(self, path: Path | None) -> None:
        self.path = None if path is None else path / f"scores-checks-{_VERSION}"

    def recall(self, name: str, assertion: Any, content: bytes) -> tuple[Violation, ...] | None:
        """What was found the last time; None if there was none or its file is unreadable."""
        if self.path is None:
            return None
        try:
            digest, _, text = read_text(self._file(name, assertion, content)).partition("\n")
            if digest != _digest(text):
                return None
            return tuple(_finding(each) for each in json.loads(text))
        except (OSError, ValueError, KeyError, TypeError):
            return None  # a cache is never worth an error

    def keep(self, name: str, assertion: Any, content: bytes, found: tuple[Violation, ...]) -> None:
        if self.path is not None:
            text = json.dumps([asdict(finding) for finding in found])
            with suppress(UsageError):  # a full disk: judged again the next time
                write_whole(self._file(name, assertion, content), f"{_digest(text)}\n{text}")

    def _file(self, name: str, assertion: Any, content: bytes) -> Path:
        key = content_digest(name.encode(), assertion.model_dump_json().encode(), content)
        assert self.path is not None  # noqa: S101 - only called where there is one
        return self.path / f"{key.hex()}.json"


def _digest(text: str) -> str:
    """A damaged file must not become a verdict."""
    return content_digest(text.encode()).hex()


def _finding(data: dict[str, Any]) -> Violation:
    known = {each.name for each in fields(Violation)}
    if set(data) != known:
        raise KeyError("not a finding of this version")
    return Violation(**data | {"level": Level(data["level"]), "subjects": tuple(data["subjects"])})

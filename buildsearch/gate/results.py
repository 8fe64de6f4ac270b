"""What an assertion found, grouped by culprit: a hundred builds with one cause are one finding."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from buildsearch.evaluate.randomness import content_digest
from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import read_text
from buildsearch.model.errors import UsageError


class Level(StrEnum):
    """How much an assertion counts."""

    OFF = "off"
    WARN = "warn"
    ERROR = "error"


class CheckStatus(StrEnum):
    """How an assertion ended."""

    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Violation:
    """One cause. `subjects` are options, groups or scenarios; `excess` says how far beyond the limit it is,
    so that worse can be told from known.

    `where` is the run it was found in (tier, archetype ...) and the scenario, if it is about one.
    """

    assertion: str
    kind: str
    level: Level
    subjects: tuple[str, ...]
    where: str
    message: str
    value: float
    limit: float
    excess: float
    builds: int = 0
    example: str = ""
    is_open: bool = False  # sampled, and not decided on which side of the limit it is
    code: str = ""  # of the finding; that of a limit is its kind
    group: str = ""  # the sentence of the finding that lists it with others; none where it is a finding alone
    fix: str = ""

    @property
    def fingerprint(self) -> str:
        """The same cause of the same assertion has the same one, whatever the numbers."""
        parts = (self.kind, self.assertion, self.where, *sorted(self.subjects))
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Remark:
    """Why an assertion says less than it seems to; it may still fail, or it cannot on the space at hand."""

    text: str
    can_fail: bool = False


@dataclass(frozen=True, slots=True)
class AssertionResult:
    """One assertion in one run, in one scenario where it has one."""

    assertion: str
    kind: str
    level: Level
    where: str
    findings: tuple[Violation, ...]
    seconds: float = 0.0
    remark: Remark | None = None

    @property
    def can_fail(self) -> bool:
        return self.remark is None or self.remark.can_fail

    @property
    def is_skipped(self) -> bool:
        """Whether it says nothing about this run."""
        return not self.can_fail and not self.findings

    @property
    def verdict(self) -> CheckStatus:
        """A proven finding fails it; one that is open leaves it inconclusive."""
        if any(not finding.is_open for finding in self.findings):
            return CheckStatus.FAIL
        return CheckStatus.INCONCLUSIVE if self.findings else CheckStatus.PASS


@dataclass(frozen=True, slots=True)
class Outcome:
    """A whole check after its baseline: what is new or worse, what is known, what is gone."""

    results: tuple[AssertionResult, ...]
    fresh: tuple[Violation, ...]
    known: tuple[Violation, ...] = ()
    fixed: tuple[str, ...] = field(default=())

    def accepts(self, result: AssertionResult) -> bool:
        """Whether the baseline accepts all that an assertion found."""
        fresh = {finding.fingerprint for finding in self.fresh}
        return bool(result.findings) and not any(each.fingerprint in fresh for each in result.findings)

    @property
    def verdict(self) -> CheckStatus:
        """Only errors that are not in the baseline count; a fail outranks what is open."""
        errors = [finding for finding in self.fresh if finding.level is Level.ERROR]
        if any(not finding.is_open for finding in errors):
            return CheckStatus.FAIL
        return CheckStatus.INCONCLUSIVE if errors else CheckStatus.PASS


# Bump when an assertion of the same words is judged differently.
_VERSION = "3"


class CheckCache:
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

"""Games in which builds can meet: a build is then good against others, and not against a list of foes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from buildsearch.model.evaluation import Fight


@runtime_checkable
class Meets(Protocol):
    """A system whose builds can fight one another, and whose first metric is then the chance to win.

    A draw counts as one half. Whoever is scored in the match against B stands alone against B, who is played
    by the same rules and as well: what A wins against B, B loses against A.
    """

    def match(
        self, rules: Any, build: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Fight:
        """The fight of whatever build against this one; raises UsageError where the two are not alike."""

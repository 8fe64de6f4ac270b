"""Filters of a space, checked before anything is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from buildsearch.model.errors import UsageError
from buildsearch.model.space import Wanted
from buildsearch.ruleset.hints import suggest


def check_filters(
    wanted: Wanted,
    groups: Sequence[str],
    features: Sequence[str],
    words: tuple[str, str],
    canonical: Callable[[str], str] = str,
    hint: str = "",
) -> None:
    """Refuse what no build can have. `words`: what the game calls a group, and a feature."""
    for group in wanted.groups:
        if canonical(group) not in groups:
            raise UsageError(f"unknown {words[0]} `{group}`. {suggest(group, groups)}")
    for name in (*wanted.with_features, *wanted.without_features):
        if name not in features:
            raise UsageError(f"unknown {words[1]} `{name}`. {suggest(name, features)}{hint}")
    both = sorted(set(wanted.with_features) & set(wanted.without_features))
    if both:
        raise UsageError(f"`{both[0]}` is asked for and ruled out at once. Drop one of the two filters.")

"""Assertions about who beats whom, for games in which builds can meet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from buildsearch.gate.assertions import FewBuildsWorthPlaying, LargeShare, NoCounter
from buildsearch.gate.check_input import CheckInput
from buildsearch.gate.results import Violation
from buildsearch.meta.double_oracle import Meta
from buildsearch.model.errors import UsageError

KINDS = (NoCounter, FewBuildsWorthPlaying, LargeShare)


def without_counter(name: str, assertion: NoCounter, facts: CheckInput) -> Iterator[Violation]:
    """Builds that nobody beats; those with a share of which nobody knows are open."""
    meta = _meta(name, facts)
    for place, counter in enumerate(meta.counters):
        if counter.by is not None or not (counter.is_proved or meta.shares[place] > 0):
            continue
        build = meta.names[place]
        said = (
            f"{build} has no counter: no build wins more than {counter.most:.1%} of the fights against it"
            if counter.is_proved
            else f"no counter of {build} was found, though one may win up to {counter.most:.1%}"
        )
        told = _about(facts, meta, place, said, is_open=not counter.is_proved)
        yield facts.violation(name, assertion, counter.most, 0.5, **told)


def effective(name: str, assertion: FewBuildsWorthPlaying, facts: CheckInput) -> Iterator[Violation]:
    meta = _meta(name, facts)
    is_settled = len(meta.response.open) == 0
    if is_settled and meta.effective_low >= assertion.min_builds:
        return
    # Unless this equilibrium is proved to be the most even, another may spread over all who hold their own.
    most = meta.effective_high if meta.is_most_even else max(meta.effective_high, float(meta.holding))
    several = f"from {meta.effective_low:.1f} to {most:.1f}"
    said = (
        f"{meta.effective:.1f} builds are worth playing ({several}), not {assertion.min_builds:g}; "
        f"the first is {meta.names[0]} with {meta.shares[0]:.0%}"
    )
    told = _about(facts, meta, 0, said, is_open=not is_settled or most >= assertion.min_builds)
    told["excess"] = max(0.0, assertion.min_builds - meta.effective)
    yield facts.violation(name, assertion, meta.effective, assertion.min_builds, **told)


def largest(name: str, assertion: LargeShare, facts: CheckInput) -> Iterator[Violation]:
    """A build with too large a share of the metagame."""
    meta = _meta(name, facts)
    is_settled = len(meta.response.open) == 0
    for place, build in enumerate(meta.names):
        share, low, high = meta.shares[place], meta.share_low[place], meta.share_high[place]
        is_first_of_unsettled = place == 0 and not is_settled
        if high <= assertion.max_share and not is_first_of_unsettled:
            continue
        said = (
            f"{build} has {share:.0%} of the metagame ({low:.0%} to {high:.0%}), more than "
            f"{assertion.max_share:.0%}"
        )
        told = _about(facts, meta, place, said, is_open=not is_settled or bool(low <= assertion.max_share))
        told["excess"] = max(0.0, float(share) - assertion.max_share)
        yield facts.violation(name, assertion, float(share), assertion.max_share, **told)


def _meta(name: str, facts: CheckInput) -> Meta:
    if facts.meta is None:
        raise UsageError(
            f"assertion `{name}` is about builds that fight each other, and in this game they fight foes. "
            "Take it out of the config."
        )
    return facts.meta


def _about(facts: CheckInput, meta: Meta, place: int, said: str, *, is_open: bool) -> dict[str, Any]:
    build = meta.matches.build(meta.rows[place])
    names = tuple(feature.name for feature in facts.space.features(build))
    return {
        "subjects": names,
        "message": said,
        "builds": 1,
        "example": meta.names[place],
        "is_open": is_open,
    }

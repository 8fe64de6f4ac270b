"""Assertions about what an optimising player finds: the verdict of `analyze`, in its own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from buildsearch.analysis import findings as kinds
from buildsearch.analysis.findings import Finding as Accusation
from buildsearch.analysis.reach import freedom
from buildsearch.gate.assertions import (
    Assertion,
    NoDominantType,
    NoFightDecidedAtOnce,
    NoMispricedOption,
    NoMustHave,
    NoOverpoweredBuilds,
    ViableOptions,
)
from buildsearch.gate.facts import Facts
from buildsearch.gate.findings import Finding, Remark


def overpowered(name: str, assertion: NoOverpoweredBuilds, facts: Facts) -> Iterator[Finding]:
    """Combinations far above the reference level."""
    found = facts.judged(assertion.margin).findings
    limit = facts.with_margin(assertion.margin).verdict.margin
    for each in found:
        if each.kind == kinds.OVERPOWERED:
            yield _finding(
                name,
                assertion,
                facts,
                each,
                float(each.numbers["factor"]),
                limit,
                int(each.numbers["builds"]),
            )


def must_haves(name: str, assertion: NoMustHave, facts: Facts) -> Iterator[Finding]:
    """Options that the best build cannot do without."""
    limit = facts.with_margin(assertion.margin).verdict.margin
    for each in facts.judged(assertion.margin).findings:
        if each.kind == kinds.MUST_HAVE:
            yield _finding(name, assertion, facts, each, float(each.numbers["loss_when_banned"]), limit)


def decided(name: str, assertion: NoFightDecidedAtOnce, facts: Facts) -> Iterator[Finding]:
    """Fights that nobody gets to play."""
    for each in facts.judged().findings:
        if each.kind == kinds.DECIDED:
            limit = facts.limits.verdict.decided_weight
            builds = int(each.numbers["builds"])
            yield _finding(name, assertion, facts, each, float(each.numbers["weight"]), limit, builds)


def dominant(name: str, assertion: NoDominantType, facts: Facts) -> Iterator[Finding]:
    """A group that has nearly all of the top."""
    changed = facts.limits.verdict.model_copy(update={"dominant_share": assertion.share})
    for each in facts.judged_by(facts.limits.model_copy(update={"verdict": changed})).findings:
        if each.kind == kinds.DOMINANT:
            share = each.numbers["of_the_top"] / each.numbers["top"]
            yield _finding(name, assertion, facts, each, share, assertion.share)


def viable(name: str, assertion: ViableOptions, facts: Facts) -> Iterator[Finding]:
    """Too few options that come near the best."""
    verdict = facts.judged().verdict
    if why_nobody(assertion, facts) is not None:
        return
    (found,) = freedom(verdict.reaches, (assertion.viability,))
    share = found.options / max(1, found.of)
    if share >= assertion.least:
        return
    yield facts.finding(
        name,
        assertion,
        culprits=(),
        message=f"{found.options} of {found.of} options stand in a build within "
        f"{1 - assertion.viability:.0%} of the best; at least {assertion.least:.0%} should",
        value=share,
        limit=assertion.least,
        excess=assertion.least - share,
        example=facts.name(verdict.contest.winner),
    )


def mispriced(name: str, assertion: NoMispricedOption, facts: Facts) -> Iterator[Finding]:
    """Options far too cheap, and where that is asked far too dear."""
    accused = {kinds.TOO_CHEAP, kinds.TOO_DEAR, kinds.HOPELESS} if assertion.dear else {kinds.TOO_CHEAP}
    for each in facts.judged(assertion.margin).findings:
        if each.kind in accused:
            price, fair = each.numbers["price"], each.numbers["indifference_price"]
            yield _finding(name, assertion, facts, each, float(price or 0), float(fair or 0))


def why_nobody(_assertion: Assertion, facts: Facts) -> Remark | None:
    """Why nobody can be accused here; None where somebody can."""
    flat = facts.judged().verdict.flat
    return why_too_small(_assertion, facts) if flat is None else Remark(flat)


def why_too_small(_assertion: Assertion, facts: Facts) -> Remark | None:
    """Why no option may be called worse than another: too few builds have both."""
    why = facts.judged().verdict.too_small
    return None if why is None else Remark(why)


def why_not_decided(assertion: NoFightDecidedAtOnce, facts: Facts) -> Remark | None:
    """The same for fights decided at once."""
    if facts.subject.least is None:
        return Remark("The score does not say how long fights last.")
    return why_nobody(assertion, facts)


def why_no_dominant(assertion: NoDominantType, facts: Facts) -> Remark | None:
    """The same for groups: there must be several, none of which is most of the space."""
    found = facts.judged().verdict.dominant
    if found is None:
        return Remark(f"There are too few builds, or only one {facts.space.grouped_by}.")
    return why_nobody(assertion, facts)


def why_not_mispriced(assertion: NoMispricedOption, facts: Facts) -> Remark | None:
    """The same for prices."""
    if all(price is None for price in facts.subject.prices.values()):
        return Remark("Nothing has a price in points.")
    return why_nobody(assertion, facts)


def _finding(
    name: str,
    assertion: Assertion,
    facts: Facts,
    each: Accusation,
    value: float,
    limit: float,
    builds: int = 0,
) -> Finding:
    return facts.finding(
        name,
        assertion,
        culprits=each.culprits,
        message=_said(each.text, each.cures),
        value=value,
        limit=limit,
        builds=builds,
        example=facts.name(each.builds[0]) if each.builds else "",
        is_open=each.is_open,
    )


def _said(text: str, cures: Sequence[str]) -> str:
    return " ".join((text, *cures))

"""The verdict on loadouts: on those that were found, and honest about those that were not.

A search for loadouts keeps its best ones and knows that all others it valued are worse. So what is listed is
a top, and what never occurs in it reaches at most the score of the last one listed: the benchmark is
known, or known to be no better than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from buildsearch.analysis.causes import smallest_family
from buildsearch.analysis.findings import Certainty, Finding, FindingCode, FindingSeverity, in_order
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.text import count, listed

OPTION, MEMBER = "option", "member"


@dataclass(frozen=True, slots=True, eq=False)
class Loadouts:
    """The best loadouts of a search, the best first. `parts[k]` are names of options and members, `kinds[k]`
    which of the two, `has[i, k]` whether loadout i has it. `optional` counts the priced options of the rules,
    also those that no listed loadout has. `decided[i]` is the weight of the fights it decides at once."""

    names: Sequence[str]
    scores: Floats
    errors: Floats
    parts: Sequence[str]
    kinds: Sequence[str]
    has: Bools
    optional: int
    decided: Floats
    searched: int
    valued: int
    is_complete: bool


@dataclass(frozen=True, slots=True)
class PartStanding:
    """An option or a member among the best loadouts: how many have it, the best with it and without it."""

    name: str
    kind: str
    share: float
    best_with: float
    best_without: float | None
    loss_when_banned: float


@dataclass(frozen=True, slots=True)
class LoadoutVerdict:
    """`reference_is_bound`: the benchmark is no better than what is said."""

    standings: tuple[PartStanding, ...]
    reference: float
    reference_is_bound: bool
    overpowered: int
    findings: tuple[Finding, ...]
    health: str


@dataclass(frozen=True, slots=True, eq=False)
class LoadoutJudge:
    """What judges loadouts: how scores compare and are said, and what people call options."""

    yardstick: ScoreScale
    titles: Mapping[str, str]
    words: ScoreWords

    def judge(self, loadouts: Loadouts) -> LoadoutVerdict:
        """Everything that the listed loadouts say."""
        losses = self.yardstick.losses(loadouts.scores)
        standings = self._standings(loadouts, losses)
        reference, is_bound = _reference(loadouts, standings)
        overpowered = np.flatnonzero(losses < self.yardstick.loss(reference) - self.yardstick.margin)
        findings = [
            *self._overpowered(loadouts, losses, overpowered, reference),
            *self._must_haves(loadouts, standings),
            *self._instant_wins(loadouts),
        ]
        health = (
            f"The best loadout {self.words.does(float(loadouts.scores[0]))}; the benchmark is "
            f"{self.words.say(reference)}{' or worse' if is_bound else ''}."
        )
        return LoadoutVerdict(
            tuple(standings), reference, is_bound, len(overpowered), tuple(in_order(findings)), health
        )

    def _title(self, name: str) -> str:
        return self.titles.get(name, name)

    def _standings(self, loadouts: Loadouts, losses: Floats) -> list[PartStanding]:
        found = []
        for place, (name, kind) in enumerate(zip(loadouts.parts, loadouts.kinds, strict=True)):
            mine = np.flatnonzero(loadouts.has[:, place])
            others = np.flatnonzero(~loadouts.has[:, place])
            without = float(losses[others[0] if len(others) else -1])
            found.append(
                PartStanding(
                    name,
                    kind,
                    len(mine) / len(losses),
                    float(loadouts.scores[mine[0]]),
                    float(loadouts.scores[others[0]]) if len(others) else None,
                    self.yardstick.factor(float(losses[0]), without),
                )
            )
        return found

    def _overpowered(
        self, loadouts: Loadouts, losses: Floats, found: Ints, reference: float
    ) -> Iterator[Finding]:
        if len(found) == 0:
            return
        bans = _bans(loadouts, found)
        hits = np.stack([loadouts.has[:, list(ban)].all(axis=1) for ban in bans])
        chosen, is_proved, _ = smallest_family(
            hits[:, found],
            hits.T,
            np.ones(hits.shape[1], np.int64),
            self.yardstick.limits.cause_work,
            # What is lost is only known of the listed ones: it cannot come first.
            bans_first=True,
        )
        for number in sorted(chosen, key=lambda i: int(np.flatnonzero(hits[i])[0])):
            rows = found[hits[number, found]]
            names = tuple(loadouts.parts[place] for place in bans[number])
            titles = [self._title(name) for name in names]
            best, left = int(rows[0]), np.flatnonzero(~hits[number])
            does = self.words.does(float(loadouts.scores[best]))
            after = "none is left"
            if len(left):
                after = f"the best {self.words.does(float(loadouts.scores[left[0]]))}"
            yield Finding(
                code=FindingCode.OVERPOWERED,
                severity=FindingSeverity.ERROR,
                subjects=names,
                text=f"{' + '.join(titles)} is in {len(rows)} of {len(found)} overpowered loadouts. "
                f"Without it {after}. The best {does}: {loadouts.names[best]}",
                fix=f"Weaken {listed(titles)}, or raise the cost.",
                builds=tuple(rows[:5].tolist()),
                certainty=_certainty(loadouts, best),
                numbers={
                    "builds": len(rows),
                    "ratio": self.yardstick.factor(float(losses[best]), self.yardstick.loss(reference)),
                    "is_proved": is_proved,
                },
            )

    def _must_haves(self, loadouts: Loadouts, standings: Sequence[PartStanding]) -> Iterator[Finding]:
        limit = float(self.yardstick.factor(0.0, self.yardstick.margin))
        for each in standings:
            if each.kind != OPTION or each.loss_when_banned <= limit:
                continue
            title = self._title(each.name)
            text = f"All of the {len(loadouts.names)} best loadouts have {title}."
            if each.best_without is not None:
                instead = self.words.instead(each.best_without, each.best_with)
                text = f"Without {title} the best loadout {instead}."
            yield Finding(
                code=FindingCode.MUST_HAVE,
                severity=FindingSeverity.ERROR,
                subjects=(each.name,),
                text=text,
                fix=f"Raise the cost of {title}, or weaken it.",
                builds=(0,),
                certainty=_certainty(loadouts, 0),
                numbers={"ratio": each.loss_when_banned, "pick_rate": each.share},
            )

    def _instant_wins(self, loadouts: Loadouts) -> Iterator[Finding]:
        rows = np.flatnonzero(loadouts.decided >= self.yardstick.limits.instant_weight - 1e-9)
        if len(rows):
            first = int(rows[0])
            yield Finding(
                code=FindingCode.INSTANT_WIN,
                severity=FindingSeverity.ERROR,
                subjects=(),
                text=f"{count(len(rows), 'loadout')} of the best win at least half of the scenarios as "
                f"fast as possible. The first: {loadouts.names[first]}",
                fix="Make these scenarios harder, or weaken the options behind it.",
                builds=tuple(rows[:5].tolist()),
                certainty=_certainty(loadouts, first),
                numbers={"builds": len(rows)},
            )


def _reference(loadouts: Loadouts, standings: Sequence[PartStanding]) -> tuple[float, bool]:
    """The median over all priced options of the best with each. Those that are not listed are no better than
    the last one listed, so where the median is among them it is a bound."""
    known = [each.best_with for each in standings if each.kind == OPTION]
    last = float(loadouts.scores[-1])
    # In the order in which scores are listed.
    known.sort(key=lambda score: int(np.argmin(np.abs(loadouts.scores - score))))
    ordered = known + [last] * max(0, loadouts.optional - len(known))
    middle = (len(ordered) - 1) // 2
    if not ordered:
        return last, True
    return float(np.mean(ordered[middle : len(ordered) // 2 + 1])), len(ordered) // 2 >= len(known)


def _bans(loadouts: Loadouts, overpowered: Ints) -> list[tuple[int, ...]]:
    """Members, and pairs of options, of overpowered loadouts."""
    found: dict[tuple[int, ...], None] = {}
    for row in overpowered:
        mine = np.flatnonzero(loadouts.has[row]).tolist()
        found.update({(place,): None for place in mine if loadouts.kinds[place] == MEMBER})
        found.update(dict.fromkeys(combinations([i for i in mine if loadouts.kinds[i] == OPTION], 2)))
    return list(found)


def _certainty(loadouts: Loadouts, row: int) -> Certainty:
    return Certainty.EXACT if loadouts.errors[row] == 0 else Certainty.SAMPLED

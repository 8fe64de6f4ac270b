"""Armitage's scores for chunks of builds: the kernel, build by build."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.one_by_one import OneByOne
from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.space import Chunk
from buildsearch.systems.armitage.bouts import Bout
from buildsearch.systems.armitage.builds.space import ArmitageSpace
from buildsearch.systems.armitage.evaluators import ExactEvaluator, KernelEvaluator
from buildsearch.systems.armitage.kernel.plan import ENGINE_VERSION
from buildsearch.systems.armitage.rules.metrics import METRICS
from buildsearch.systems.armitage.rules.model import ArmitageRules

# Bump when the exact engine gives another number for the same duel.
EXACT_VERSION = 1


class ArmitageBulk(OneByOne):
    """Win rates, rounds, HP left and draws."""

    outcomes = tuple(metric.name for metric in METRICS)

    def __init__(self, rules: ArmitageRules, space: ArmitageSpace) -> None:
        self.rules = rules
        self.space = space
        self.evaluators = (ExactEvaluator(rules), KernelEvaluator(rules))

    def outcome_range(self, outcome: str, bout: Bout) -> tuple[float, float]:
        """Shares, rounds up to the limit, and all HP that our side can have."""
        if outcome == "rounds":
            return 0.0, float(bout.max_turns)
        if outcome == "hp_left":
            allies = sum(fighter.stats.hth for fighter in bout.parties[0] if fighter is not None)
            ours = sum(fighter is None for fighter in bout.parties[0])
            most = self.rules.base.hth + max((each.most for each in self.rules.raises.values()), default=0)
            return 0.0, float(allies + ours * most)
        return 0.0, 1.0

    def context(self, group: str, bout: Bout) -> bytes:
        """Everything that decides a fight but the build's own stats and cards."""
        rules = self.rules
        others = [fighter for party in bout.parties for fighter in party if fighter is not None]
        theirs = sorted({card for fighter in others for card, _ in fighter.deck})
        parts = [
            f"{EXACT_VERSION} {ENGINE_VERSION}",
            *(self._does(card) for card in theirs),
            rules.dice.model_dump_json(),
            rules.criticals.model_dump_json(),
            rules.rulings.model_dump_json(),
            rules.base.model_dump_json(),
            repr((rules.hand, bout.max_turns, bout.plays, tuple(rules.cards))),
            # Names of combatants are no part of a fight; the build's places are.
            repr([[f and (f.side, f.stats, f.deck, f.play) for f in party] for party in bout.parties]),
        ]
        return content_digest(*(part.encode() for part in parts))

    def keys(self, chunk: Chunk) -> NDArray[np.uint64]:
        """The stat line's digest and the sum of the cards' digests."""
        line = np.frombuffer(content_digest(chunk.group.encode())[:16], dtype="<u8").astype(np.uint64)
        found = np.broadcast_to(line, (len(chunk), 2)).copy()
        for i, digest in enumerate(self._digests):
            found += chunk.codes[:, i : i + 1] * digest  # wraps around, as sums of digests may
        return found

    @cached_property
    def _digests(self) -> NDArray[np.uint64]:
        words = [
            np.frombuffer(content_digest(self._does(card).encode())[:16], dtype="<u8")
            for card in self.space.cards
        ]
        return np.array(words, dtype=np.uint64).reshape(-1, 2)

    def _does(self, card: str) -> Any:
        return self.rules.cards[card].model_dump_json(exclude={"name", "section"})

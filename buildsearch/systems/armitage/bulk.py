"""Armitage's scores for chunks of builds."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.stated_game import stated_evaluators
from buildsearch.evaluate.one_by_one import OneByOne, solve_one_by_one
from buildsearch.evaluate.randomness import content_digest
from buildsearch.evaluate.threads import tell
from buildsearch.model.space import Chunk
from buildsearch.systems.armitage.bouts import Bout
from buildsearch.systems.armitage.builds.space import ArmitageSpace
from buildsearch.systems.armitage.game import ArmitageGame
from buildsearch.systems.armitage.rules.metrics import METRICS
from buildsearch.systems.armitage.rules.model import ArmitageRules
from buildsearch.systems.armitage.sheet import most_hp


class ArmitageBulk(OneByOne):
    """Win rates, rounds, HP left and draws. Duels of one kind of card each are solved, others sampled."""

    outcomes = tuple(metric.name for metric in METRICS)

    def __init__(self, rules: ArmitageRules, space: ArmitageSpace) -> None:
        self.rules = rules
        self.space = space
        self.evaluators = stated_evaluators(ArmitageGame(rules))

    def solve(self, chunk: Chunk, fight: Bout) -> NDArray[np.float64]:
        """What takes no longer than to sample it: two decks of one kind each."""
        others = [each for party in fight.parties for each in party if each is not None]
        means = np.full(len(chunk), np.nan)
        if len(fight.parties[0]) == len(fight.parties[1]) == 1 and all(len(each.deck) < 2 for each in others):
            rows = np.flatnonzero((chunk.codes > 0).sum(axis=1) < 2)
            few = Chunk(chunk.group, chunk.codes[rows])
            means[rows] = solve_one_by_one(self.space, self.evaluators, few, fight)
            tell(len(chunk) - len(rows))
        else:
            tell(len(chunk))
        return means

    def outcome_range(self, outcome: str, bout: Bout) -> tuple[float, float]:
        """Shares, rounds up to the limit, and all HP that our side can have."""
        if outcome == "rounds":
            return 0.0, float(bout.max_turns)
        if outcome == "hp_left":
            return 0.0, float(most_hp(self.rules, bout))
        return 0.0, 1.0

    def context(self, group: str, bout: Bout) -> bytes:
        """Everything that decides a fight but the build's own stats and cards."""
        rules = self.rules
        others = [fighter for party in bout.parties for fighter in party if fighter is not None]
        theirs = sorted({card for fighter in others for card, _ in fighter.deck})
        parts = [
            f"{ArmitageGame.version} {ArmitageGame.statement.digest}",
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

"""A game's readable reference as a way to score: slow, sampled, and what others are held against."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from buildsearch.engines.replays import block_dice
from buildsearch.evaluate.randomness import SeededDice
from buildsearch.evaluate.sampling import Tally, sample
from buildsearch.model.evaluation import Evaluation, Sampling


class SampledReference(ABC):
    """Plays everything. A game says what its reference reads, plays a block, and makes metrics of counts."""

    method = "reference"
    default_fights = 500

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    @abstractmethod
    def content(self, build: Any, bout: Any) -> bytes:
        """A digest of all that the reference reads."""

    @abstractmethod
    def block(self, build: Any, bout: Any, dice: SeededDice, fights: int) -> Tally:
        """So many fights, counted."""

    @abstractmethod
    def evaluation(self, tally: Tally, bout: Any, seed: int) -> Evaluation:
        """The metrics of what was counted."""

    def why_not(self, build: Any, bout: Any) -> str | None:
        """It plays everything."""
        return None

    def evaluate(self, build: Any, bout: Any, sampling: Sampling) -> Evaluation:
        """Sample fights."""
        content = self.content(build, bout)

        def counted(number: int, fights: int) -> Tally:
            return self.block(build, bout, block_dice(content, sampling.seed, number), fights)

        return self.evaluation(sample(counted, sampling), bout, sampling.seed)


class GreedyReference(SampledReference):
    """Plays everything that is played greedily."""

    def why_not(self, build: Any, bout: Any) -> str | None:
        """It plays greedily."""
        return None if bout.play == "greedy" else "the reference plays greedily"

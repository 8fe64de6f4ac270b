"""What Armitage says besides its statement."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.stated import StatedFight
from buildsearch.engines.stated_game import StatedGame, StatedReplayer
from buildsearch.engines.statement import Terms
from buildsearch.model.evaluation import TriggerRate
from buildsearch.systems.armitage.bouts import Bout
from buildsearch.systems.armitage.builds.build import Build
from buildsearch.systems.armitage.rules.model import ArmitageRules
from buildsearch.systems.armitage.sheet import ARMITAGE, build_row, kinds_of, make_terms
from buildsearch.systems.armitage.telling import ArmitageStory


class Among(NamedTuple):
    """A bout or a build where these are the cards of the fight."""

    kinds: tuple[str, ...]
    what: Any


class ArmitageGame(StatedGame):
    """Parties with decks. A fight knows the cards that somebody in it has: others cannot move a result."""

    rules: ArmitageRules
    statement = ARMITAGE
    most_nodes = 1 << 21
    too_large = f"hands and draw piles make too many states ({most_nodes:,} are the most)"
    version = 3

    def terms(self, bout: Among) -> Terms:
        """A fight of these cards."""
        return make_terms(self.rules, bout.what, bout.kinds)

    def row(self, build: Among) -> NDArray[np.int64]:
        """Stats, and how many of each card."""
        return build_row(self.rules, build.kinds, build.what)

    def entered(self, build: Build, bout: Bout) -> tuple[StatedFight, NDArray[np.int64]]:
        """The fight of the cards that the build and the others have."""
        kinds = kinds_of(self.rules, bout, build.deck)
        return self.fight(Among(kinds, bout)), self.row(Among(kinds, build))

    def draw_value(self, bout: Any) -> float:
        """Half a win."""
        return 0.5

    def is_hopeless(self, build: Build, bout: Bout) -> bool:
        """A guess at the states, close where decks have one kind or two."""
        cards = kinds_of(self.rules, bout, build.deck)
        states = 2.0 ** (1 + sum(self.rules.cards[name].status is not None for name in cards))
        for each in bout.fighters(self.rules, build):
            numbers = [number for _, number in each.deck]
            states *= each.stats.hth * (1 + each.stats.tuf if each.stats.res else 1)
            if len(numbers) > 1:
                states *= comb(self.rules.hand + len(numbers), len(numbers)) / 60
                states *= prod(1 + number for number in numbers)
        return states > self.most_nodes

    def story(self, build: Build, bout: Bout) -> ArmitageStory:
        """Card by card."""
        kinds = kinds_of(self.rules, bout, build.deck)
        return ArmitageStory(self.rules, bout.fighters(self.rules, build), kinds, bout.max_turns)


class ArmitageReplayer(StatedReplayer):
    """Tells how often a card was there too."""

    def triggers(self, build: Build, bout: Bout, fights: int, seed: int) -> Mapping[str, TriggerRate]:
        """Share of own turns with the card in hand; share of fights in which it did something."""
        fired = self._sampled(build, bout, seed, fights).fired.tolist()
        kinds = kinds_of(self.game.rules, bout, build.deck)
        owned = {name for name, _ in build.deck}
        return {
            name: TriggerRate(fired[len(kinds) + k] / max(1, fired[-1]), fired[k] / fights)
            for k, name in enumerate(kinds)
            if name in owned
        }

"""What Dungeoneers says besides its statement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.stated import Played, StatedFight
from buildsearch.engines.stated_game import StatedGame, explained
from buildsearch.engines.statement import Terms
from buildsearch.model.space import Chunk
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.grammar import Build
from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules
from buildsearch.systems.dungeoneers.sheet import DUNGEONEERS, hero_row, hero_rows, make_terms
from buildsearch.systems.dungeoneers.telling import DungeoneersStory, body_words, deed_words, names_of


class DungeoneersGame(StatedGame):
    """One hero against every foe of a list."""

    rules: DungeoneersRules
    statement = DUNGEONEERS
    too_large = f"{StatedGame.too_large} (many foes, or magica without a cap)"

    def terms(self, bout: Bout) -> Terms:
        """A fight without its hero."""
        return make_terms(self.rules, bout)

    def row(self, build: Build) -> NDArray[np.int64]:
        """Attributes and the sums of gear."""
        return hero_row(self.rules, build)

    def rows(self, space: DungeoneersSpace, chunk: Chunk) -> NDArray[np.int64]:
        """The same of many."""
        return hero_rows(self.rules, space, chunk)

    def story(self, build: Build, bout: Bout) -> DungeoneersStory:
        """Die by die."""
        sheet = DUNGEONEERS.sheets(self.row(build)[None])[0]
        return DungeoneersStory(self.rules, bout, sheet, self.fight(bout).terms.source)

    def triggers(self, build: Build) -> Mapping[str, int]:
        """Spells."""
        return {name: j for j, name in enumerate(self.rules.spells) if name in build.gear}

    def explain(self, build: Build, bout: Bout, fight: StatedFight, played: Played) -> tuple[str, ...]:
        """When to defend, when to buy stress, how much magica."""
        fight.write(self.row(build))
        names, who = names_of(bout), fight.desk.g.who

        def state(t: Any, c: Any) -> str:
            living = [i for i in range(len(c)) if c[i].wounds <= who[i].most]
            return f"{t.ap} AP, {'; '.join(body_words(names[i], c[i], who[i], ' ') for i in living)}"

        return tuple(explained(fight, played, state, lambda action: deed_words(self.rules, bout, action)))

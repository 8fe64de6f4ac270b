"""What the attacker went through in open fields: as much as its HP depend on.

In open fields blows are alike whatever the enemies' HP, so all that went through the same have the same
chances of HP. Where limits ask what blows did, stories part; else there is one a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS
from buildsearch.systems.vitality.exact.nodes.areas.followed import Play, strike_back
from buildsearch.systems.vitality.exact.nodes.areas.terrain import AreaPlan

Floats = NDArray[np.float64]

# Stories with a smaller chance count as ending on the spot.
UNSEEN = 1e-18

# The turn in which HP fell to a limit (0: there is none), how many turns enemies struck back since, how many
# times they were known to do damage.
Story = tuple[int, int, int]
_BEFORE: Story = (-1, 0, 0)  # HP have not fallen to the limit yet
# By story the chances of HP; together less than 1 where HP fell in one turn of many.
Health = dict[Story, Floats]


@dataclass(frozen=True, eq=False)
class Stories:
    """The stories of one plan."""

    plan: AreaPlan

    @cached_property
    def play(self) -> Play:
        return self.plan.play

    @cached_property
    def hp(self) -> int:
        return int(self.plan.ground.setup["attacker_hp"])

    @cached_property
    def nobody(self) -> Floats:
        return self.plan.terrain.nobody(self.plan.mask)

    @cached_property
    def blows(self) -> Floats:
        """The blows in open fields, by event and loss."""
        return self.plan.terrain.begins_with(self.plan.mask)

    def first(self) -> tuple[Story, Health]:
        story = _BEFORE if self.plan.limits.is_late else (0, 0, 0)
        return story, {story: np.eye(1, self.hp + 1, self.hp)[0]}

    def choices(
        self, turn: int, story: Story, gate: int, now: Health, later: Health
    ) -> list[tuple[Story, float, int]]:
        """From a gate: the story then, the chance, the row that is led to. `later` is filled as needed."""
        play = self.play
        blows = self.nobody if turn == 1 else self.blows
        crossed, struck, damaged = story
        steps = play.steps[:, 0] == gate
        if gate >= play.late:
            return self._before(turn, story, gate, now, later)
        if (play.steps[steps, 1] == ALWAYS).all():
            after = (crossed, struck + (turn > 1), damaged)
            self._remember(after, now[story], blows.sum(axis=0), later)
            return [
                (after, float(play.step_chances[i]), int(play.steps[i, 2])) for i in np.flatnonzero(steps)
            ]
        found = []
        for event in range(NO_RETALIATION):
            chance = float(blows[event].sum())
            if chance == 0.0:
                continue
            after = (crossed, struck, damaged + (event >= 2))
            self._remember(after, now[story], blows[event] / chance, later)
            for i in np.flatnonzero(steps & ((play.steps[:, 1] >> event) & 1 == 1)):
                found.append((after, chance * float(play.step_chances[i]), int(play.steps[i, 2])))
        return found

    def _before(
        self, turn: int, story: Story, gate: int, now: Health, later: Health
    ) -> list[tuple[Story, float, int]]:
        """As long as HP have not fallen to the limit: basic attacks, or waiting."""
        play = self.play
        blows = self.nobody if turn == 1 else self.blows
        left = np.zeros(self.hp + 1)
        strike_back(blows.sum(axis=0), now[story], left)
        within = np.arange(self.hp + 1) <= play.limit
        later[_BEFORE] = np.where(within, 0.0, left)
        row = play.late if play.waits else int(play.steps[-1, 2])
        found = [(_BEFORE, 1.0, row)]
        if left[within].any():
            after = (turn, 0, 0)
            later[after] = np.where(within, left, 0.0)
            entered = play.entered[min(turn - 1, len(play.entered) - 1), gate - play.late]
            for i in np.flatnonzero(play.steps[:, 0] == entered):
                found.append((after, float(play.step_chances[i]), int(play.steps[i, 2])))
        return found

    def _remember(self, after: Story, before: Floats, blow: Floats, later: Health) -> None:
        if after not in later:
            later[after] = np.zeros(self.hp + 1)
            strike_back(blow, before, later[after])

    def most_at_once(self, most: int) -> int:
        """How many stories are followed side by side at worst; beyond `most` nobody counts on.

        Whatever a turn may do to the enemies is taken to be certain.
        """
        story, health = self.first()
        now = {(story, self.plan.limits.first_gate): 1.0}
        worst = 1
        for turn in range(1, int(self.plan.ground.setup["max_turns"]) + 1):
            later: dict[tuple[Story, int], float] = {}
            after: Health = {}
            for (told, gate), chance in now.items():
                for then, share, row in self.choices(turn, told, gate, health, after):
                    for end in self._ends[row]:
                        later[then, end] = min(later.get((then, end), 0.0) + chance * share, 1.0)
            bounds = {key: chance * float(after[key[0]].sum()) for key, chance in later.items()}
            now = {key: chance for key, chance in later.items() if bounds[key] >= UNSEEN}
            worst, health = max(worst, len({told for told, _ in now})), after
            if worst > most or not now:
                break
        return worst

    @cached_property
    def _ends(self) -> list[set[int]]:
        """By row the gates that it may lead to."""
        found = [{gate} for gate in range(self.play.gates)]
        for rows in self.play.next_rows.tolist():
            found.append(set().union(*(found[row] for row in rows)))
        return found

"""What the attacker went through in open fields: as much as its HP depend on.

In open fields blows are alike whatever the enemies' HP, so all that went through the same have the same
chances of HP. Where limits ask what blows did, stories part; else there is one a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION, UNUSABLE, USABLE
from buildsearch.systems.vitality.exact.forward import Plan, struck_by
from buildsearch.systems.vitality.exact.nodes.areas.terrain import AreaPlan

Floats = NDArray[np.float64]

# Stories with a smaller chance count as ending on the spot.
UNSEEN = 1e-18
_EITHER = 1 << UNUSABLE | 1 << USABLE
# Events from this on are those with damage; every second one is accepted.
_DAMAGED = 2
_ALWAYS = 0b1111

# How many turns enemies struck back, how many times they were known to do damage.
Story = tuple[int, int]
# By story the chances of HP.
Health = dict[Story, Floats]


@dataclass(frozen=True, eq=False)
class Stories:
    """The stories of one plan."""

    plan: AreaPlan

    @cached_property
    def play(self) -> Plan:
        return self.plan.play

    @cached_property
    def hp(self) -> int:
        return int(self.plan.ground.setup["attacker_hp"])

    @cached_property
    def blows(self) -> tuple[Floats, Floats]:
        """By event and loss: those of nobody, before the first turn, and those in open fields."""
        terrain, mask = self.plan.terrain, int(self.plan.ground.setup["since_mask"])
        return terrain.nobody(mask), terrain.begins_with(mask)

    def first(self) -> tuple[Story, Health]:
        return (0, 0), {(0, 0): np.eye(1, self.hp + 1, self.hp)[0]}

    def choices(
        self, turn: int, story: Story, gate: int, now: Health, later: Health
    ) -> list[tuple[Story, float, int]]:
        """From a gate: the story then, the chance, the row that is led to. `later` is filled as needed."""
        play, setup, blows = self.play, self.plan.ground.setup, self.blows[turn > 1]
        struck, damaged = story
        own = range(play.step_starts[gate], play.step_starts[gate + 1])
        in_time = play.first_turn <= turn <= play.last_turn
        # Full HP are known as long as no damage is.
        may_be_full = bool(setup["hp_full"]) and damaged == 0
        usable = in_time and (may_be_full or not setup["hp_full"])
        asks = usable and self._asks_events and any(play.steps[i, 0] & _EITHER != _EITHER for i in own)
        if not (asks or may_be_full):
            after = (struck + (turn > 1), damaged)
            self._remember(after, now[story], blows.sum(axis=0), later)
            return [
                (after, float(play.step_chances[i]), int(play.steps[i, 1]))
                for i in own
                if play.steps[i, 0] >> (USABLE if usable else UNUSABLE) & 1
            ]
        found = []
        for event in range(NO_RETALIATION):
            chance = float(blows[event].sum())
            if chance == 0.0:
                continue
            after = (struck, damaged + (event >= _DAMAGED))
            self._remember(after, now[story], blows[event] / chance, later)
            accepted = usable and event % 2 == 1 and not (may_be_full and event >= _DAMAGED)
            for i in own:
                if play.steps[i, 0] >> (USABLE if accepted else UNUSABLE) & 1:
                    found.append((after, chance * float(play.step_chances[i]), int(play.steps[i, 1])))
        return found

    @cached_property
    def _asks_events(self) -> bool:
        return int(self.plan.ground.setup["since_mask"]) != _ALWAYS

    def _remember(self, after: Story, before: Floats, blow: Floats, later: Health) -> None:
        if after not in later:
            later[after] = struck_by(blow, before)

    def most_at_once(self, most: int) -> int:
        """How many stories are followed side by side at worst; beyond `most` nobody counts on.

        Whatever a turn may do to the enemies is taken to be certain.
        """
        story, health = self.first()
        now = {(story, self.play.first_gate): 1.0}
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

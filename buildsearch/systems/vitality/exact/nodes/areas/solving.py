"""One area that rolls, forward in time: the whole distribution of its fights, and survival."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.followed import Followed, follow_turn, strike_back
from buildsearch.systems.vitality.exact.nodes.areas.spreading import amount, pour, spread
from buildsearch.systems.vitality.exact.nodes.areas.stories import UNSEEN, Stories, Story
from buildsearch.systems.vitality.exact.nodes.areas.terrain import AreaPlan, area_plan
from buildsearch.systems.vitality.exact.solution import Solution

Floats = NDArray[np.float64]

# Fights that are still on with less than this chance count as ending on the spot.
NEGLIGIBLE = 1e-15


@dataclass(eq=False)
class _Walk:
    plan: AreaPlan
    hp: int
    ends: Floats
    # By story the chances of HP, and mass by gate, row and column.
    health: dict[Story, Floats] = field(default_factory=dict)
    open_mass: dict[Story, Floats] = field(default_factory=dict)
    # By story how much of it is in each gate; and room for mass, empty.
    amounts: dict[Story, Floats] = field(default_factory=dict)
    spare: list[Floats] = field(default_factory=list)
    survived: float = 0.0
    cut: float = 0.0

    def __post_init__(self) -> None:
        plan, play = self.plan, self.plan.play
        terrain = plan.terrain
        self.stories = Stories(plan)
        self.followed: Followed = terrain.followed(plan.rolls, plan.mask)
        fields, size = len(self.followed.kinds), self.hp + 1
        self.now = np.zeros((play.gates, fields, size))
        self.later = np.zeros((play.gates, fields, size))
        self.nodes = np.zeros((len(play.rolls), fields, size))
        if terrain.is_open:
            wave = terrain.waves[0]
            story, self.health = self.stories.first()
            mass = np.zeros((play.gates, wave.rows, wave.columns))
            mass[plan.limits.first_gate, -1, -1] = 1.0
            self.open_mass[story], self.amounts[story] = mass, mass.sum(axis=(1, 2))
            self.open_nodes = np.zeros((len(play.rolls), wave.rows, wave.columns))
            rows, columns = np.nonzero(terrain.numbers[0] >= 0)
            self.closing = (rows, columns)
        else:
            self.now[plan.limits.first_gate, terrain.coming[0], self.hp] = 1.0

    def turn(self, turn: int) -> None:
        over = np.zeros(self.hp + 1)
        if self.open_mass:
            self._open_turn(turn, over)
        if self.now.size:
            follow_turn(self.followed, self.plan.play, turn, self.now, self.later, self.nodes, over)
            self.now, self.later = self.later, self.now
        self.ends[turn] += over.sum()
        self.survived += float(over[1:].sum())

    def _open_turn(self, turn: int, over: Floats) -> None:
        asked: dict[Story, list[tuple[Floats, float, int]]] = {}
        health: dict[Story, Floats] = {}
        used = list(self.open_mass.values())
        for story, mass in self.open_mass.items():
            for gate in np.flatnonzero(self.amounts[story]):
                for after, chance, row in self.stories.choices(turn, story, int(gate), self.health, health):
                    asked.setdefault(after, []).append((mass[gate], chance, row))
        self.health, self.open_mass, self.amounts = health, {}, {}
        for story, sources in asked.items():
            gates = self._act(turn, story, sources, over)
            self.amounts[story] = np.array([amount(each) for each in gates])
            self.open_mass[story] = gates
            total = self._chance(story)
            if total < UNSEEN:
                self._drop(turn, total)
                used.append(self.open_mass.pop(story))
        for mass in used:
            for each in mass:
                each.fill(0.0)
        self.spare += used

    def _act(self, turn: int, story: Story, sources: list[tuple[Floats, float, int]], over: Floats) -> Floats:
        """Whatever is done after one story; the answer is mass by gate."""
        play, nodes, health = self.plan.play, self.open_nodes, self.health[story]
        gates = self.spare.pop() if self.spare else np.zeros((play.gates, *nodes.shape[1:]))
        waiting = set()
        for mass, chance, row in sources:
            pour(mass, chance, gates[row] if row < play.gates else nodes[row - play.gates])
            waiting.add(row - play.gates)
        ended = 0.0
        for node in range(len(play.rolls) - 1, -1, -1):
            if node not in waiting:
                continue
            ended += nodes[node, 0, 0]
            nodes[node, 0, 0] = 0.0
            roll = self.plan.rolls[0][play.rolls[node]]
            self._drop(turn, spread(roll, nodes[node], play.next_rows[node], gates, nodes) * health.sum())
            waiting |= {int(row) - play.gates for row in play.next_rows[node]}
        ended += gates[:, 0, 0].sum()
        gates[:, 0, 0] = 0.0
        over += ended * health
        if len(self.closing[0]):
            closing = gates[:, self.closing[0], self.closing[1]]
            self.later += closing[:, :, None] * health
            gates[:, self.closing[0], self.closing[1]] = 0.0
        return gates

    def _chance(self, story: Story) -> float:
        """The chance of a story that is not over."""
        return float(self.amounts[story].sum() * self.health[story].sum())

    def _drop(self, turn: int, chance: float) -> None:
        """Too little to follow: it counts as ending on the spot, and as survived."""
        self.ends[turn] += chance
        self.survived += chance
        self.cut += chance

    def remaining(self) -> float:
        """The chance that fights are still on."""
        return float(self.now.sum()) + sum(self._chance(story) for story in self.open_mass)

    def last_blows(self) -> float:
        """The chance to be fighting still, and to survive the blows after the last turn."""
        survived = 0.0
        for story in self.open_mass:
            left = np.zeros(self.hp + 1)
            strike_back(self.stories.blows.sum(axis=0), self.health[story], left)
            survived += float(self.amounts[story].sum() * left[1:].sum())
        for number in range(len(self.followed.kinds)):
            left = np.zeros(self.hp + 1)
            blow = self.followed.blows[self.followed.kinds[number]].sum(axis=0)
            strike_back(blow, self.now[:, number].sum(axis=0), left)
            survived += float(left[1:].sum())
        return survived


def solve_area(ground: ExactGround) -> Solution:
    """Solve an area that the gate lets through."""
    plan = area_plan(ground)
    assert plan is not None  # noqa: S101 - the gate looked
    return follow(plan)


def follow(plan: AreaPlan) -> Solution:
    """Go forward in time, up to the turn limit."""
    setup = plan.ground.setup
    max_turns = int(setup["max_turns"])
    walk = _Walk(plan, int(setup["attacker_hp"]), np.zeros(max_turns + 1))
    remaining = 1.0
    for turn in range(1, max_turns + 1):
        walk.turn(turn)
        remaining = walk.remaining()
        if remaining < NEGLIGIBLE and turn < max_turns:
            walk.ends[turn] += remaining
            return Solution(walk.ends, 0.0, 0.0, walk.cut + remaining, walk.survived + remaining)
    walk.ends[-1] += remaining
    return Solution(walk.ends, remaining, 0.0, walk.cut, walk.survived + walk.last_blows())

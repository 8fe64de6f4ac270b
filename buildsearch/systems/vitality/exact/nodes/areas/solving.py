"""One area that rolls, forward in time: the whole distribution of its fights, and survival."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.forward import NEGLIGIBLE, Fight, struck_by
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.spreading import amount, pour, spread
from buildsearch.systems.vitality.exact.nodes.areas.stories import UNSEEN, Stories, Story
from buildsearch.systems.vitality.exact.nodes.areas.terrain import AreaPlan, area_plan
from buildsearch.systems.vitality.exact.solution import Solution

Floats = NDArray[np.float64]


@dataclass(eq=False)
class _Walk:
    plan: AreaPlan
    hp: int
    # By turn and HP of the attacker what is over.
    ends: Floats
    # By story the chances of HP, and mass by gate, row and column.
    health: dict[Story, Floats] = field(default_factory=dict)
    open_mass: dict[Story, Floats] = field(default_factory=dict)
    # By story how much of it is in each gate; and room for mass, empty.
    amounts: dict[Story, Floats] = field(default_factory=dict)
    spare: list[Floats] = field(default_factory=list)
    cut: float = 0.0

    def __post_init__(self) -> None:
        plan, play = self.plan, self.plan.play
        terrain = plan.terrain
        self.stories = Stories(plan)
        states, entries = terrain.followed(plan.ground, plan.rolls)
        self.fight = Fight(states, play, entries, self.hp + 1, self.hp)
        if terrain.is_open:
            wave = terrain.waves[0]
            story, self.health = self.stories.first()
            mass = np.zeros((play.gates, wave.rows, wave.columns))
            mass[play.first_gate, -1, -1] = 1.0
            self.open_mass[story], self.amounts[story] = mass, mass.sum(axis=(1, 2))
            self.open_nodes = np.zeros((len(play.rolls), wave.rows, wave.columns))
            rows, columns = np.nonzero(terrain.numbers[0] >= 0)
            self.closing = (rows, columns)
        else:
            self.fight.begin(1 + terrain.coming[0])

    def turn(self, turn: int) -> None:
        closing = np.zeros((0, 0, 0))
        if self.open_mass:
            closing = self._open_turn(turn, self.ends[turn])
        self.fight.run(turn, turn, self.ends)
        if closing.size:
            self._close(closing)

    def _close(self, closing: Floats) -> None:
        """Put mass by gate, field and HP where fields are followed."""
        mass, (gates, fields, size) = self.fight.mass, closing.shape
        mass.at.reshape(gates, 1 + fields, -1)[:, 1:, :size] += closing
        some = closing.any(axis=2)
        mass.low[:, 1:][some], mass.high[:, 1:][some] = 0, size

    def _open_turn(self, turn: int, over: Floats) -> Floats:
        """The answer: what comes into fields that are followed, by gate, field and HP."""
        asked: dict[Story, list[tuple[Floats, float, int]]] = {}
        health: dict[Story, Floats] = {}
        used = list(self.open_mass.values())
        for story, mass in self.open_mass.items():
            for gate in np.flatnonzero(self.amounts[story]):
                for after, chance, row in self.stories.choices(turn, story, int(gate), self.health, health):
                    asked.setdefault(after, []).append((mass[gate], chance, row))
        self.health, self.open_mass, self.amounts = health, {}, {}
        closing = np.zeros((self.plan.play.gates, len(self.closing[0]), self.hp + 1))
        for story, sources in asked.items():
            gates = self._act(turn, story, sources, over, closing)
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
        return closing

    def _act(
        self, turn: int, story: Story, sources: list[tuple[Floats, float, int]], over: Floats, closed: Floats
    ) -> Floats:
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
            closed += closing[:, :, None] * health
            gates[:, self.closing[0], self.closing[1]] = 0.0
        return gates

    def _chance(self, story: Story) -> float:
        """The chance of a story that is not over."""
        return float(self.amounts[story].sum() * self.health[story].sum())

    def _drop(self, turn: int, chance: float) -> None:
        """Too little to follow: it counts as ending on the spot, and as survived."""
        self.ends[turn, self.hp] += chance
        self.cut += chance

    def remaining(self) -> float:
        """The chance that fights are still on."""
        return float(self.fight.mass.at.sum()) + sum(self._chance(story) for story in self.open_mass)

    def left(self, turn: int) -> Floats:
        """By HP of the attacker what is on after this turn and the enemies' answer."""
        found, blow = self.fight.left(turn), self.stories.blows[1].sum(axis=0)
        for story in self.open_mass:
            found += float(self.amounts[story].sum()) * struck_by(blow, self.health[story])
        return found


def solve_area(ground: ExactGround) -> Solution:
    """Solve an area that the gate lets through."""
    return follow(area_plan(ground))


def follow(plan: AreaPlan) -> Solution:
    """Go forward in time, up to the turn limit."""
    setup = plan.ground.setup
    max_turns, hp = int(setup["max_turns"]), int(setup["attacker_hp"])
    walk = _Walk(plan, hp, np.zeros((max_turns + 1, hp + 1)))
    left = np.zeros(hp + 1)
    for turn in range(1, max_turns + 1):
        walk.turn(turn)
        remaining = walk.remaining()
        if turn == max_turns:
            left = walk.left(turn)
        elif remaining < NEGLIGIBLE:
            walk._drop(turn, remaining)
            break
    lengths = walk.ends.sum(axis=1)
    lengths[-1] += left.sum()
    survived = float(walk.ends[:, 1:].sum() + left[1:].sum())
    return Solution(lengths, float(left.sum()), 0.0, walk.cut + walk.fight.cut, survived)

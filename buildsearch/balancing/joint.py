"""One set of edits that keeps the goal in several games: the same rules under other parameters.

Every game has its own table and its own judge; one master problem chooses edits that hit what is in the way
in any of them. A game too large to score as a whole has a pool of builds instead: after each choice its best
builds are looked for anew under the edits, and what breaks the goal there is learned.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from buildsearch.analysis.health import VIABLE
from buildsearch.balancing.answers import (
    MINIMAL,
    MINIMAL_OF_RAISES,
    NOT_MINIMAL,
    NOT_MINIMAL_ALIKE,
    Effort,
    Proposal,
)
from buildsearch.balancing.final_check import closer_look
from buildsearch.balancing.games import Game
from buildsearch.balancing.goals import Goal
from buildsearch.balancing.hitting_set import ROUNDS, Master
from buildsearch.balancing.measure import Candidate, Measure, Quick, describe, measure, pick, quick
from buildsearch.balancing.numbers import NumberSearch
from buildsearch.balancing.restrict import is_sound
from buildsearch.model.levers import Edit, Lever

Say = Callable[[str], None]

# Sets of edits beyond those that are shown, to choose among.
_MORE_SETS = 6


@dataclass(frozen=True, slots=True)
class Weaker:
    """A proposal with one edit a step less far, or without it, and where the goal breaks then."""

    text: str
    breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JointProposal:
    """Edits with what they do in each game; `weaker`: what happens when they do a little less."""

    edits: tuple[Edit, ...]
    by_game: dict[str, Proposal]
    best_at: str
    proof: str
    weaker: tuple[Weaker, ...] = ()

    @property
    def steps(self) -> int:
        """How far its edits go together."""
        return sum(edit.steps for edit in self.edits)

    @property
    def binds(self) -> tuple[str, ...]:
        """The games that a weaker proposal breaks most often."""
        counts = {label: sum(label in each.breaks for each in self.weaker) for label in self.by_game}
        most = max(counts.values(), default=0)
        return tuple(label for label, count in counts.items() if count == most and most)


@dataclass(frozen=True, slots=True, eq=False)
class GameToday:
    """A game before anything is moved. `known` builds of `builds` have scores."""

    label: str
    builds: int
    known: int
    before: Measure
    broken: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every build has a score."""
        return self.known == self.builds


@dataclass(frozen=True, eq=False)
class JointAnswer:
    """Everything that was found out about several games together."""

    goals: tuple[Goal, ...]
    games: tuple[GameToday, ...]
    proposals: tuple[JointProposal, ...]
    proof: str
    notes: tuple[str, ...] = ()
    is_partial: bool = False
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_kept_already(self) -> bool:
        """Whether there is nothing to do."""
        return not any(game.broken for game in self.games)


@dataclass(eq=False)
class JointSearch:
    """One search over several games; `goals` are those that were asked for, `levers` may be moved."""

    games: Sequence[Game]
    goals: tuple[Goal, ...]
    levers: Sequence[Lever]
    effort: Effort
    say: Say = lambda _text: None
    on_interrupt: Callable[[], None] = lambda: None
    on_first: Say = lambda _text: None

    def __post_init__(self) -> None:
        self.notes: list[str] = []
        self.found: dict[tuple[str, ...], tuple[Edit, ...]] = {}
        self.proof = ""
        self.is_partial = False
        self.least: int | None = None

    def run(self) -> JointAnswer:
        """Search, choose, look closely. Ctrl-C ends the search, not the answer."""
        begun = time.monotonic()
        broken = {game.label: game.search.begin() for game in self.games}
        for game in self.games:
            self.notes += [f"{game.label}: {note}" for note in game.search.notes]
            game.search.notes.clear()
        begun, seconds = time.monotonic(), {"today": round(time.monotonic() - begun, 3)}
        self._until = begun + self.effort.seconds
        before = {game.label: measure(game.search.court.state(())) for game in self.games}
        numbers = self._numbers(before)
        if any(broken.values()):
            try:
                self._search() if numbers is None else numbers.run()
            except KeyboardInterrupt:
                self.on_interrupt()
                self.is_partial = True
                self.notes.append("Interrupted: this is what was found so far.")
            except TimeoutError:
                self.notes.append(self.effort.ended(self._until))
        seconds["search"] = round(time.monotonic() - begun, 3)
        if numbers is None:
            # Builds that were learned of on the way are builds of today too.
            before = {game.label: measure(game.search.court.state(())) for game in self.games}
            proposals = self._proposals(before)
        else:
            proposals = self._renumbered(numbers)
        seconds["answer"] = round(time.monotonic() - begun - seconds["search"], 3)
        today = tuple(
            GameToday(
                game.label,
                game.builds,
                int(game.search.court.state(()).legal.sum()),
                before[game.label],
                broken[game.label],
            )
            for game in self.games
        )
        notes = tuple(dict.fromkeys(self.notes))
        return JointAnswer(self.goals, today, tuple(proposals), self.proof, notes, self.is_partial, seconds)

    # Numbers ------------------------------------------------------------------------------------------

    def _numbers(self, before: dict[str, Measure]) -> NumberSearch | None:
        """Who looks for numbers, where those are moved."""
        if not any(edit.changes_fights for lever in self.levers for edit in lever.edits):
            return None
        return NumberSearch(self.games, self.levers, self.effort, before, self.say, self.on_first)

    def _renumbered(self, numbers: NumberSearch) -> list[JointProposal]:
        """What it found, and who asks for as much."""
        self.proof = numbers.proof
        shown = []
        for each in numbers.found:
            self.say(f"who binds: {', '.join(edit.text for edit in each.edits)}")
            weaker = self._weaker(each.edits, numbers.breaks)
            shown.append(JointProposal(each.edits, each.by_game, "", "", weaker))
        self.notes += numbers.notes
        return shown

    # The search ---------------------------------------------------------------------------------------

    def _master(self) -> Master:
        judges = [game.judge for game in self.games]
        rounds = self.effort.counted(ROUNDS)
        master = Master(judges, self.levers, until=self._until, rounds=rounds)
        for judge in judges:
            master.learn((), judge.verdict(()), judge)
        for edits in self.found.values():
            master.forbid_more(edits)
        return master

    def _search(self) -> None:
        """The fewest edits first, then others that do not do all of that and more."""
        master = self._master()
        rounds = 0
        while len(self.found) < self.effort.proposals + _MORE_SETS:
            rounds += 1
            self.say(f"{self.proof or 'the smallest set that fixes all games'} ({rounds})")
            cover = master.solve((10_000, 100, 1) if self.found else (10_000, 100, 0))
            if cover is None:
                self._say_none()
                return
            if self.least is not None and len(cover.edits) > max(self.least + 2, self.effort.edits):
                return
            if sum(game.grow(cover.edits) for game in self.games):
                # Rows are others now, and so may be what is in the way.
                master = self._master()
                if not self._keeps(cover.edits):
                    continue
            self.found[tuple(sorted(edit.text for edit in cover.edits))] = cover.edits
            if self.least is None or len(cover.edits) < self.least:
                # Fewer may do later: builds that a pool learns of move the reference level.
                is_first, self.least = self.least is None, len(cover.edits)
                self._say_proof(len(cover.edits), is_proved=cover.is_proved)
                if is_first:
                    self.on_first(f"{describe(cover.edits)}. {self.proof}")
            if self.effort.proposals == 1:
                return
            master.forbid_more(cover.edits)

    def _keeps(self, edits: Sequence[Edit]) -> bool:
        return all(game.judge.verdict(edits).is_kept for game in self.games)

    def _partly(self) -> list[str]:
        return [game.label for game in self.games if game.pool is not None]

    def _say_proof(self, edits: int, *, is_proved: bool) -> None:
        if partly := self._partly():
            self.proof = f"Not proved minimal: not every build of {' and '.join(partly)} was scored."
        elif not all(is_sound(game.search) for game in self.games):
            self.proof = NOT_MINIMAL_ALIKE
        elif not is_proved:
            self.proof = NOT_MINIMAL
        else:
            self.proof = MINIMAL_OF_RAISES if edits > 1 else MINIMAL

    def _say_none(self) -> None:
        if self.found:
            return
        is_proved = not self._partly() and all(is_sound(game.search) for game in self.games)
        self.proof = (
            "Proved: no set of raises, bans and lower caps meets the goal in all games."
            if is_proved
            else "Found no set of raises, bans and lower caps that meets the goal in all games."
        )

    # The answer ---------------------------------------------------------------------------------------

    def _proposals(self, before: dict[str, Measure]) -> list[JointProposal]:
        candidates: list[Candidate] = [(edits, self._quick(edits)) for edits in self.found.values()]
        shown: list[JointProposal] = []
        for (edits, _), best_at in pick(candidates, self.effort.proposals):
            self.say(f"looking closely at proposal {len(shown) + 1}")
            by_game = {}
            for game in self.games:
                found = closer_look(game.search, edits, best_at, before[game.label])
                self.notes += [f"{game.label}: {note}" for note in game.search.notes]
                game.search.notes.clear()
                if found is None:
                    break
                by_game[game.label] = found
            if len(by_game) == len(self.games):
                proof = self.proof if len(edits) == self.least else ""
                shown.append(JointProposal(edits, by_game, best_at, proof, self._weaker(edits, self._breaks)))
        return shown

    def _quick(self, edits: tuple[Edit, ...]) -> Quick:
        """By the game in which it does worst."""
        all_ = [quick(game.search.court.state(edits), VIABLE, game.search.goals) for game in self.games]
        return Quick(
            edits=all_[0].edits,
            steps=all_[0].steps,
            lost=max(each.lost for each in all_),
            freedom=min(each.freedom for each in all_),
            shift=max(each.shift for each in all_),
            best=all_[0].best,
            last=max(each.last for each in all_),
        )

    def _breaks(self, edits: Sequence[Edit]) -> list[str]:
        return [game.label for game in self.games if not game.judge.verdict(edits).is_kept]

    def _weaker(
        self, edits: tuple[Edit, ...], breaks: Callable[[Sequence[Edit]], list[str]]
    ) -> tuple[Weaker, ...]:
        """What one step less would do, for each edit by itself; `breaks` says in which games."""
        found = []
        for edit in edits:
            rest = tuple(each for each in edits if each is not edit)
            less = self._less(edit)
            weaker = rest if less is None else (*rest, less)
            text = f"without {edit.text}" if less is None else less.text
            found.append(Weaker(text, tuple(breaks(weaker))))
        return tuple(found)

    def _less(self, edit: Edit) -> Edit | None:
        lever = next(each for each in self.levers if each.name == edit.lever)
        nearer = [
            each
            for each in lever.edits
            if (each.kind, each.strength) == (edit.kind, edit.strength) and each.steps < edit.steps
        ]
        return max(nearer, key=lambda each: each.steps, default=None)

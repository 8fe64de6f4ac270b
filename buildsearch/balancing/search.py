"""From goals to a few proposals for one or several games, with before and after, and what is proved.

Several games are the same rules under other parameters. Each has its own table and its own judge, and one
master problem chooses edits that hit what is in the way in any of them. A game too large to score as a whole
has a pool of builds instead: after each choice its best builds are looked for anew under the edits, and what
breaks the goal there is learned. In a single game edits that let builds in are tried too, and other sets of
edits that keep more builds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from buildsearch.analysis.findings import VIABLE
from buildsearch.balancing.answers import (
    MINIMAL,
    MINIMAL_OF_RAISES,
    NOT_MINIMAL,
    NOT_MINIMAL_ALIKE,
    BalanceEffort,
    BalanceResult,
    GameOutcome,
    GameToday,
    Proposal,
    Weaker,
)
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import hold
from buildsearch.balancing.hitting_set import ROUNDS, Cover, HittingSetMaster
from buildsearch.balancing.levers import ChosenLevers
from buildsearch.balancing.measure import (
    NOTHING_OVERCOSTED,
    Candidate,
    Measure,
    Quick,
    change,
    deciding,
    describe,
    measure,
    moved_benchmark,
    pick,
    quick,
    weakened,
)
from buildsearch.balancing.numbers import NumberSearch
from buildsearch.balancing.relax import cut, score_let_in
from buildsearch.balancing.restrict import find_fewest, find_others, is_sound, try_sets
from buildsearch.model.levers import Edit

Say = Callable[[str], None]

# Sets of edits beyond those that are shown, to choose among.
_MORE_SETS = 6
# Counted, not timed: half of what is spent on certainty before the search.
_SETTLE_FIGHTS = 4_000_000


@dataclass(eq=False)
class Search:
    """One search; what is found so far is kept, so that Ctrl-C gives that."""

    games: Sequence[BalancedGame]
    levers: ChosenLevers
    effort: BalanceEffort
    say: Say = lambda _text: None
    on_interrupt: Callable[[], None] = lambda: None
    on_first: Say = lambda _text: None  # told the first proposal as soon as it is known

    def __post_init__(self) -> None:
        self.goals = self.game.goals
        self.found: dict[tuple[str, ...], tuple[Edit, ...]] = {}
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}
        self.least: Cover | None = None
        self.proof = ""
        self.is_partial = False
        self.is_impossible = False
        self.ended_by_clock = False
        self.core: tuple[str, ...] = ()
        self.outside: tuple[str, ...] = ()
        self.stuck: tuple[str, ...] = ()
        self._start()

    def _start(self) -> None:
        self.begun = time.monotonic()
        self.until = self.begun + self.effort.seconds

    @property
    def game(self) -> BalancedGame:
        return self.games[0]

    @property
    def is_whole_game(self) -> bool:
        """Whether there is one game, all of whose builds are known."""
        return len(self.games) == 1 and self.game.pool is None

    def run(self) -> BalanceResult:
        """Search, choose, look closely. Ctrl-C ends the search, not the answer."""
        broken = {game.label: game.begin(self.say) for game in self.games}
        self._take_notes()
        self.mark("today", self.begun)
        # What was spent on certainty is not taken from the search.
        self._start()
        numbers = self._numbers() if any(broken.values()) else None
        try:
            if numbers is not None:
                numbers.run()
            elif any(broken.values()):
                self._search_one() if self.is_whole_game else self._search_all()
        except KeyboardInterrupt:
            self.on_interrupt()
            self.is_partial = True
            self.notes.append("Interrupted: this is what was found so far.")
        except TimeoutError:
            self.ran_out(self.until)
        self.mark("search", self.begun)
        begun = time.monotonic()
        # Builds that were learned of on the way are builds of today too.
        before = self._today() if numbers is None else numbers.before
        proposals = self._proposals(before) if numbers is None else self._renumbered(numbers)
        self.mark("answer", begun)
        return BalanceResult(
            goals=self.goals if self.game.label else self.game.goals,
            games=tuple(
                GameToday(
                    game.label,
                    game.builds,
                    int(game.court.state(()).legal.sum()),
                    before[game.label],
                    broken[game.label],
                )
                for game in self.games
            ),
            proposals=tuple(proposals),
            proof=self.proof,
            notes=tuple(dict.fromkeys(self.notes)),
            core=self.core,
            outside=self.outside,
            stuck=self.stuck,
            is_partial=self.is_partial,
            unjudged="" if self.game.label else self.game.unjudged,
            is_impossible=self.is_impossible,
            could_let_in=any(edit.lets_in for edit in self.levers.edits),
            ended_by_clock=self.ended_by_clock,
            seconds=self.seconds,
        )

    def _today(self) -> dict[str, Measure]:
        return {game.label: measure(game.court.state(())) for game in self.games}

    def _take_notes(self) -> None:
        for game in self.games:
            self.notes += [f"{game.label}: {note}" if game.label else note for note in game.notes]
            game.notes.clear()

    def ran_out(self, until: float, *, of_work_too: bool = True) -> None:
        """Say that a search ended before all was tried: by the clock always, by work where that matters."""
        is_late = time.monotonic() >= until
        self.ended_by_clock = self.ended_by_clock or is_late
        if is_late or of_work_too:
            self.notes.append(self.effort.ended(until))

    def mark(self, stage: str, since: float) -> None:
        self.seconds[stage] = round(time.monotonic() - since, 3)

    def note(self, edits: Sequence[Edit]) -> None:
        """Some edits keep the goal."""
        key = tuple(sorted(edit.text for edit in edits))
        self.found.setdefault(key, tuple(edits))

    # Numbers ------------------------------------------------------------------------------------------

    def _numbers(self) -> NumberSearch | None:
        if not any(edit.changes_fights for edit in self.levers.edits):
            return None
        return NumberSearch(self.games, self.levers.free, self.effort, self._today(), self.say, self.on_first)

    def _renumbered(self, numbers: NumberSearch) -> list[Proposal]:
        """What it found, and which game asks for as much."""
        self.proof, self.ended_by_clock = numbers.proof, numbers.ended_by_clock
        self.notes = [*numbers.notes, *self.notes] if self.is_partial else [*self.notes, *numbers.notes]
        return [
            Proposal(each.edits, each.by_game, weaker=self._weaker(each.edits, numbers.breaks))
            for each in numbers.found
        ]

    # The search ---------------------------------------------------------------------------------------

    def _search_one(self) -> None:
        """The fewest raises and bans by proof, edits that let builds in, and other sets."""
        master = find_fewest(self)
        score_let_in(self)
        cut(self)
        if master is not None and self.effort.proposals > 1:
            find_others(self, master)
        try_sets(self)

    def _master(self) -> HittingSetMaster:
        judges = [game.judge for game in self.games]
        rounds = self.effort.counted(ROUNDS)
        master = HittingSetMaster(judges, self.levers.free, until=self.until, rounds=rounds)
        for judge in judges:
            master.learn((), judge.verdict(()), judge)
        for edits in self.found.values():
            master.forbid_more(edits)
        return master

    def _search_all(self) -> None:
        """The fewest edits that keep the goal in every game, then others that do not do all of that and
        more."""
        master = self._master()
        rounds = 0
        while len(self.found) < self.effort.proposals + _MORE_SETS:
            rounds += 1
            self.say(f"{self.proof or 'the smallest set that fixes all games'} ({rounds})")
            cover = master.solve((10_000, 100, 1) if self.found else (10_000, 100, 0))
            if cover is None:
                self._say_none()
                return
            edits, least = cover.edits, self.least
            if least is not None and len(edits) > max(len(least.edits) + 2, self.effort.edits):
                return
            if sum(game.grow(edits) for game in self.games):
                # Rows are others now, and so may be what is in the way.
                master = self._master()
                if not all(game.judge.verdict(edits).is_kept for game in self.games):
                    continue
            self.note(edits)
            if least is None or len(edits) < len(least.edits):
                # Fewer may do later: builds that a pool learns of move the reference level.
                self.least = cover
                self._say_proof(cover)
                if least is None:
                    self.on_first(f"{describe(edits)}. {self.proof}")
            if self.effort.proposals == 1:
                return
            master.forbid_more(edits)

    def _partly(self) -> list[str]:
        return [game.label for game in self.games if game.pool is not None]

    def _say_proof(self, cover: Cover) -> None:
        if partly := self._partly():
            self.proof = f"Not proved minimal: not every build of {' and '.join(partly)} was scored."
        elif not all(map(is_sound, self.games)):
            self.proof = NOT_MINIMAL_ALIKE
        elif not cover.is_proved:
            self.proof = NOT_MINIMAL
        else:
            self.proof = MINIMAL_OF_RAISES if len(cover.edits) > 1 else MINIMAL

    def _say_none(self) -> None:
        if self.found:
            return
        is_proved = not self._partly() and all(map(is_sound, self.games))
        self.proof = (
            "Proved: no set of raises, bans and lower caps meets the goal in all games."
            if is_proved
            else "Found no set of raises, bans and lower caps that meets the goal in all games."
        )

    # The answer ---------------------------------------------------------------------------------------

    def _proposals(self, before: dict[str, Measure]) -> list[Proposal]:
        """Those of all that was found that are worth showing, but for what a closer look takes away."""
        candidates: list[Candidate] = [(edits, self._quick(edits)) for edits in self.found.values()]
        chosen = pick(candidates, self.effort.proposals)
        shown: list[Proposal] = []
        for number, ((edits, _), best_at) in enumerate(chosen, start=1):
            self.say(f"looking closely at proposal {number} of {len(chosen)}")
            try:
                outcomes = self._outcomes(edits, best_at, before)
            except KeyboardInterrupt:
                self.is_partial = True
                break
            if outcomes is not None:
                is_least = self.least is not None and len(edits) == len(self.least.edits)
                weaker = self._weaker(edits, self._breaks)
                shown.append(Proposal(edits, outcomes, best_at, self.proof if is_least else "", weaker))
        return shown

    def _outcomes(
        self, edits: tuple[Edit, ...], best_at: str, before: dict[str, Measure]
    ) -> dict[str, GameOutcome] | None:
        found = {}
        for game in self.games:
            outcome = closer_look(self, game, edits, best_at, before[game.label])
            self._take_notes()
            if outcome is None:
                return None
            found[game.label] = outcome
        return found

    def _quick(self, edits: tuple[Edit, ...]) -> Quick:
        """By the game in which it does worst."""
        first, *others = (quick(game.court.state(edits), VIABLE, game.goals) for game in self.games)
        if not others:
            return first
        return Quick(
            edits=first.edits,
            steps=first.steps,
            lost=max(each.lost for each in (first, *others)),
            freedom=min(each.freedom for each in (first, *others)),
            shift=max(each.shift for each in (first, *others)),
            best=first.best,
            last=max(each.last for each in (first, *others)),
        )

    def _breaks(self, edits: Sequence[Edit]) -> list[str]:
        return [game.label for game in self.games if not game.judge.verdict(edits).is_kept]

    def _weaker(
        self, edits: tuple[Edit, ...], breaks: Callable[[Sequence[Edit]], list[str]]
    ) -> tuple[Weaker, ...]:
        """Of several games: what one step less would do, for each edit by itself; `breaks` says in which."""
        if not self.game.label:
            return ()
        self.say(f"who binds: {', '.join(edit.text for edit in edits)}")
        found = []
        for edit in edits:
            rest = tuple(each for each in edits if each is not edit)
            less = self._less(edit)
            weaker = rest if less is None else (*rest, less)
            text = f"without {edit.text}" if less is None else less.text
            found.append(Weaker(text, tuple(breaks(weaker))))
        return tuple(found)

    def _less(self, edit: Edit) -> Edit | None:
        lever = next(each for each in self.levers.free if each.name == edit.lever)
        nearer = [
            each
            for each in lever.edits
            if (each.kind, each.strength) == (edit.kind, edit.strength) and each.steps < edit.steps
        ]
        return max(nearer, key=lambda each: each.steps, default=None)


def closer_look(
    search: Search, game: BalancedGame, edits: tuple[Edit, ...], best_at: str, before: Measure
) -> GameOutcome | None:
    """With the whole verdict; None where a closer look takes the goal away again."""
    court, open_why = game.explained_in(edits)
    state = court.state(edits)
    rows = deciding(state, game.goals)
    if len(rows) and game.lab is not None:
        settled = game.lab.settle(court.table, rows.tolist(), _SETTLE_FIGHTS)
        if settled.solved or settled.fought:
            court = game.reopened(settled.table)
            state = court.state(edits)
            rows = deciding(state, game.goals)
    verdict = hold(game.goals, state)
    if not verdict.is_kept and not (verdict.is_open and not open_why):
        game.notes.append(
            f"{', '.join(edit.text for edit in edits)} misses the goal after a closer look at sampled builds."
        )
        return None
    if verdict.is_open:
        open_why = "sampled scores are too close to a limit"
    after = measure(state)
    names = tuple(state.court.table.population.name(row, court.table.subject.space) for row in rows[:5])
    is_least = search.least is not None and len(edits) == len(search.least.edits) and search.is_whole_game
    is_least = is_least and not any(edit.lets_in for edit in edits)
    proof, is_proved = _proof(search, edits) if is_least else ("", False)
    moved = moved_benchmark(game.goals, state, court.state(()))
    found = change(before, after)
    if NOTHING_OVERCOSTED in best_at and weakened(found):
        best_at = ", ".join(part for part in best_at.split(", ") if part != NOTHING_OVERCOSTED)
    return GameOutcome(edits, after, found, best_at, proof, open_why, names, moved, is_proved)


def _proof(search: Search, edits: Sequence[Edit]) -> tuple[str, bool]:
    """What is proved of the smallest set, and whether that is that none is smaller."""
    if not is_sound(search.game):
        return NOT_MINIMAL_ALIKE, False
    if search.least is None or not search.least.is_proved:
        return NOT_MINIMAL, False
    could_cut = len(edits) > 1 and any(edit.lets_in for edit in search.levers.edits)
    return (MINIMAL_OF_RAISES if could_cut else MINIMAL), True

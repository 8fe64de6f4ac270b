"""Two rulesets judged side by side: from two runs, or from one where costs and bans are all that differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.balancing.edited_game import EditEvaluator
from buildsearch.balancing.edits import differs_from
from buildsearch.balancing.what_if import Effect, JudgedGame, effect_of
from buildsearch.diffs.comparison import Comparison
from buildsearch.diffs.edits import EditKind, RuleEdit
from buildsearch.gate.check_input import CheckInput
from buildsearch.library.balance import open_desk
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.rescoring import RunScorer
from buildsearch.library.runs import LoadedRun
from buildsearch.library.stored_runs import Making, facts_of, run_of, say_parameters, stored_run
from buildsearch.model.levers import Edit, Lever, Movable, Put
from buildsearch.options.search import SearchOptions
from buildsearch.search.executor import executor_of

# Keys of rules that say what a thing is called, and change no fight.
_TEXT = ("name", "section")


def is_text(edit: RuleEdit) -> bool:
    """Whether an edit changes no fight and no cost: names, and where the rules text has it."""
    if edit.kind is EditKind.RENAMED:
        return True
    return bool(edit.changes) and all(change.path[-1] in _TEXT for change in edit.changes)


@dataclass(frozen=True, eq=False)
class JudgedSides:
    """Both sides as assertions see them. `court` and `moved` (by the number of the rule edit): the second
    side follows from the first without a fight."""

    before: CheckInput
    after: CheckInput
    comparison: Comparison
    run: LoadedRun | None = None  # of the second side, where there is one
    court: EditEvaluator | None = None
    moved: tuple[tuple[int, Edit], ...] = ()

    @property
    def games(self) -> tuple[JudgedGame, JudgedGame]:
        """What both sides are worth to a player."""
        before, after = (JudgedGame(each.subject, each.judged()) for each in (self.before, self.after))
        return before, after

    def effect(self) -> Effect:
        """What the edits do: the options that they are about, then the game."""
        names = dict.fromkeys(
            edit.subject for edit in self.comparison.edits if edit.subject is not None and not is_text(edit)
        )
        features = {*self.before.space.feature_names, *self.after.space.feature_names}
        about = [name for name in names if name in features or name in self.comparison.names.values()]
        named = dict(self.comparison.names)
        if not about:
            about = [name for _, edit in self.moved for name in edit.about if name in features]
        kept = None
        if self.court is not None:
            kept = self.court.state([edit for _, edit in self.moved]).kept
        return effect_of(*self.games, tuple(dict.fromkeys(about)), named, kept=kept)


def judge_both(
    setups: tuple[FightSetup, FightSetup],
    requests: tuple[SearchOptions, SearchOptions],
    comparison: Comparison,
    making: Making,
    *,
    keep: bool = False,
    fights: int | None = None,
) -> JudgedSides:
    """Both sides, from stored runs where there are; `keep` the run of the second."""
    where = say_parameters(setups[1].space)
    first = run_of(setups[0], requests[0], making)
    before = facts_of(first, where, fights)
    if not keep and stored_run(setups[1], requests[1]) is None:
        moved = _moved(setups, requests, comparison)
        if moved is not None:
            desk = open_desk(first.run)
            edits = [edit for _, edit in moved]
            court = RunScorer(desk, making.cache, making.jobs, making.watch).court(edits, read_thresholds())
            state = court.state(edits)
            if court.table.is_closed(edits) and differs_from(setups[1].space, desk.wanted, state) is None:
                subject = replace(
                    state.subject,
                    options=setups[1].loaded.system.options(setups[1].loaded.model),
                    replayer=before.subject.replayer,
                    absent_targets=before.subject.absent_targets,
                )
                after = replace(
                    before,
                    subject=subject,
                    verdicts={},
                    score_again=lambda: run_of(setups[1], requests[1], making).score_again(),
                    jobs=executor_of(making.jobs).threads,
                )
                return JudgedSides(before, after, comparison, None, court, moved)
    second = run_of(setups[1], requests[1], making, keep=keep)
    return JudgedSides(before, facts_of(second, where, fights), comparison, second.run)


def _moved(
    setups: tuple[FightSetup, FightSetup],
    requests: tuple[SearchOptions, SearchOptions],
    comparison: Comparison,
) -> tuple[tuple[int, Edit], ...] | None:
    """The edits as levers of the first rules; None where one changes more than costs and bans."""
    system = setups[0].loaded.system
    same_game = (
        setups[0].space.parameters == setups[1].space.parameters
        and list(map(repr, setups[0].fights.values())) == list(map(repr, setups[1].fights.values()))
        and not comparison.names
        and requests[0].wanted == requests[1].wanted
    )
    if not isinstance(system, Movable) or not same_game:
        return None
    levers = system.levers(setups[0].loaded.model, setups[0].space)
    found: list[tuple[int, Edit]] = []
    for number, edit in enumerate(comparison.edits):
        if is_text(edit):
            continue
        lever_edit = _lever_edit(edit, levers)
        if lever_edit is None or lever_edit.changes_fights:
            return None
        found.append((number, lever_edit))
    return tuple(found) or None


def _lever_edit(edit: RuleEdit, levers: Sequence[Lever]) -> Edit | None:
    """The edit of a lever that does the same to the rules."""
    if len(edit.changes) != 1:
        return None
    (change,) = edit.changes
    if edit.kind is EditKind.CHANGED:
        for lever in levers:
            for some in lever.edits[:1]:
                if [write.path for write in some.writes] == [change.path] and isinstance(some.writes[0], Put):
                    return lever.to(change.after) if lever.to is not None else _with(lever, change.after)
    pair = change.path[-1]
    if edit.kind is EditKind.ADDED and isinstance(pair, tuple):
        for lever in levers:
            for some in lever.edits:
                if any({name for name, _ in ban} == set(pair) for ban in some.bans) and len(some.bans) == 1:
                    return some
    return None


def _with(lever: Lever, value: object) -> Edit | None:
    return next(
        (edit for edit in lever.edits if isinstance(edit.writes[0], Put) and edit.writes[0].value == value),
        None,
    )

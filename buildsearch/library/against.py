"""Rules against earlier ones: both sides judged (costs and bans from one run), and what `check` finds new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from buildsearch.analysis.findings import by_subject
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.balancing.edited_game import EditEvaluator
from buildsearch.balancing.edits import differs_from
from buildsearch.balancing.what_if import Effect, JudgedGame, Since, effect_of
from buildsearch.diffs.comparison import Comparison, compare
from buildsearch.diffs.edits import EditKind, RuleEdit, read_rules
from buildsearch.gate.baseline import read_baseline
from buildsearch.gate.check_input import CheckInput
from buildsearch.gate.config import GateConfig
from buildsearch.gate.results import AssertionResult, Outcome, Violation
from buildsearch.library.balance import open_desk
from buildsearch.library.check import (
    Assertions,
    Check,
    check_runs,
    combinations,
    page_of,
    sifted,
    worst_first,
)
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.input_files import Loaded, load_rules
from buildsearch.library.report import write_report
from buildsearch.library.rescoring import RunScorer
from buildsearch.library.runs import LoadedRun
from buildsearch.library.stored_runs import facts_of, run_of, say_parameters, stored_run
from buildsearch.library.watch import Scoring
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.levers import Edit, Lever, Movable, Put
from buildsearch.options.search import SearchOptions
from buildsearch.ruleset.extends import from_here
from buildsearch.ruleset.git import check_revision_name, commit_of, git_output, is_revision
from buildsearch.search.executor import executor_of

# More edits than this are not left out one by one to see which finding goes with which.
_MOST_LEFT_OUT = 8
# Keys of rules that say what a thing is called, and change no fight.
_TEXT = ("name", "section")


def is_text(edit: RuleEdit) -> bool:
    """Whether an edit changes no fight and no cost: names, and where the rules text has it."""
    if edit.kind is EditKind.RENAMED:
        return True
    return bool(edit.changes) and all(change.path[-1] in _TEXT for change in edit.changes)


def compared(before: Loaded, after: Loaded) -> Comparison:
    """Two rulesets as data, path by path."""
    return compare(*(read_rules(each.system, each.model, each.document) for each in (before, after)))


def titles_of(*rules: Loaded) -> dict[str, str]:
    """What options are called; where both rulesets have one, as the second does."""
    return {option.id: option.name for each in rules for option in each.system.options(each.model)}


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
    how: Scoring,
    *,
    keep: bool = False,
    fights: int | None = None,
) -> JudgedSides:
    """Both sides, from stored runs where there are; `keep` the run of the second."""
    where = say_parameters(setups[1].space)
    first = run_of(setups[0], requests[0], how)
    before = facts_of(first, where, fights)
    if not keep and stored_run(setups[1], requests[1]) is None:
        moved = _moved(setups, requests, comparison)
        if moved is not None:
            desk = open_desk(first.run)
            edits = [edit for _, edit in moved]
            court = RunScorer(desk, how).court(edits, read_thresholds())
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
                    score_again=lambda: run_of(setups[1], requests[1], how).score_again(),
                    jobs=executor_of(how.jobs).threads,
                )
                return JudgedSides(before, after, comparison, None, court, moved)
    second = run_of(setups[1], requests[1], how, keep=keep)
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


def rules_at(word: str, path: Path) -> str | None:
    """What earlier rules are called: a file, a name, `git:REV:path`, or a revision of the checked file; None
    where that revision has no such file. Raises UsageError for a revision that the repository lacks."""
    if is_revision(word) or Path(word).is_file() or word.endswith((".yaml", ".yml")):
        return word
    check_revision_name(word, "Name a revision, a rules file or a ruleset.")
    if commit_of(word) is None:
        found = shipped(word)
        if found:
            return word
        raise UsageError(
            f"‹against›: {word!r} is not a revision of this repository, a file or a ruleset. In CI, fetch "
            "the history first (fetch-depth: 0)."
        )
    name = from_here(str(path))
    return f"git:{word}:{name}" if git_output("cat-file", "-e", f"{word}:{name}") is not None else None


def shipped(word: str) -> bool:
    """Whether a ruleset has this name."""
    try:
        load_rules(word)
    except (UsageError, InputError):
        return False
    return True


def check_against(
    settings: GateConfig,
    request: SearchOptions,
    values: Mapping[str, Sequence[str]],
    against: str,
    how: Scoring,
    baseline: Path,
    *,
    html: Path | None = None,
) -> Check:
    """Check the rules, and report what is new since the earlier ones; costs and bans alone take no fight."""
    requests = combinations(settings, request, values)
    checker = Assertions(settings, how)
    found: list[AssertionResult] = []
    new: list[Violation] = []
    known: list[Violation] = []
    gone: list[str] = []
    labels: list[str] = []
    behind: dict[str, tuple[int, ...]] = {}
    effect: Effect | None = None
    builds = 0
    after = before = setup_of(requests[0])
    earlier_rules = rules_at(against, after.loaded.path)
    if earlier_rules is None:
        how.watch.warn(f"{from_here(str(after.loaded.path))} is not in {against}, so every finding is new.")
        runs = check_runs(settings, request, values, how, keep=True, html=html)
        all_new = page_of(sifted(runs, baseline), runs.setup, builds=runs.builds, several=len(runs.runs) > 1)
        return Check(all_new, runs.setup, settings)
    for number, each in enumerate(requests, start=1):
        after = after if number == 1 else setup_of(each)
        checker.accept(after)
        earlier = each.changed(rules=earlier_rules, overrides=())
        before = setup_of(earlier)
        if before.loaded.system.id != after.loaded.system.id:
            raise UsageError(
                f"{against} has rules for {before.loaded.system.title}, not {after.loaded.system.title}."
            )
        comparison = compared(before.loaded, after.loaded)
        if all(is_text(edit) for edit in comparison.edits):
            continue  # nothing that is scored differs
        judged = judge_both(
            (before, after),
            (earlier, each),
            comparison,
            how,
            keep=html is not None,
            fights=settings.fights,
        )
        old, results = (checker.check(side) for side in (judged.before, judged.after))
        fresh, stays, fixed = sorted_out(old, results, comparison.names)
        behind |= _behind(judged, fresh)
        found += results
        new += fresh
        known += stays
        gone += fixed
        labels.append(judged.after.where)
        builds += len(judged.after.scores)
        effect = effect or judged.effect()
        if html is not None and judged.run is not None:
            page = html if len(requests) == 1 else html.with_stem(f"{html.stem}-{number}")
            write_report(judged.run, page, jobs=how.jobs, watch=how.watch)
    outcome = Outcome(tuple(found), tuple(new), tuple(known), tuple(gone))
    accepted_before = read_baseline(baseline, after.loaded.model.id)
    if accepted_before is not None:
        accepted = {each.fingerprint for each in accepted_before.sift(found).known}
        fresh = [each for each in new if each.fingerprint not in accepted]
        outcome = replace(outcome, fresh=tuple(fresh))
    since = Since(
        since=against,
        edits=comparison.edits,
        is_text=tuple(map(is_text, comparison.edits)),
        behind=behind,
        effect=effect,
        titles=titles_of(before.loaded, after.loaded),
    )
    found_page = page_of(worst_first(outcome), after, builds=builds, several=len(labels) > 1)
    return Check(replace(found_page, since=since), after, settings)


def sorted_out(
    before: Sequence[AssertionResult], after: Sequence[AssertionResult], names: Mapping[str, str]
) -> tuple[list[Violation], list[Violation], list[str]]:
    """New findings, those that were there already, and the sentences of those that are gone."""
    old = {
        replace(each, subjects=tuple(names.get(name, name) for name in each.subjects)).fingerprint: each
        for result in before
        for each in result.findings
    }
    now = [each for result in after for each in result.findings]
    there = {each.fingerprint for each in now}
    return (
        [each for each in now if each.fingerprint not in old],
        [each for each in now if each.fingerprint in old],
        [each.message for print_, each in old.items() if print_ not in there and not each.is_open],
    )


def _behind(judged: JudgedSides, new: Sequence[Violation]) -> dict[str, tuple[int, ...]]:
    """By finding the numbers of the edits behind it: without one of them it would not be there."""
    edits = judged.comparison.edits
    changing = [number for number, edit in enumerate(edits) if not is_text(edit)]
    if len(changing) == 1:
        return {each.fingerprint: (changing[0],) for each in new}
    found: dict[str, list[int]] = {each.fingerprint: [] for each in new}
    if judged.court is not None and len(changing) <= _MOST_LEFT_OUT:
        for number, _ in judged.moved:
            rest = [edit for other, edit in judged.moved if other != number]
            left = {
                (each.code.value, each.subjects)
                for finding in judged.court.state(rest).judged.findings
                for each in by_subject(finding)
            }
            for each in new:
                if (each.code, each.subjects) not in left:
                    found[each.fingerprint].append(number)
    return {
        each.fingerprint: tuple(found[each.fingerprint] or _named(judged, changing, each)) for each in new
    }


def _named(judged: JudgedSides, changing: Sequence[int], finding: Violation) -> list[int]:
    """Edits of the options that a finding is about, else of those in its build, else all of them."""
    edits = judged.comparison.edits
    named = [number for number in changing if edits[number].subject in finding.subjects]
    if not named and finding.example:
        space = judged.after.space
        parts = {feature.name for feature in space.features(space.parse(finding.example))}
        named = [number for number in changing if edits[number].subject in parts]
    return named or list(changing)

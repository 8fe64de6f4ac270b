"""A check against earlier rules: findings that are new since then, and the edit behind each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from buildsearch.analysis.findings import by_subject
from buildsearch.balancing.what_if import Effect, Since
from buildsearch.diffs.comparison import compare
from buildsearch.diffs.edits import read_rules
from buildsearch.gate.baseline import read_baseline
from buildsearch.gate.config import GateConfig
from buildsearch.gate.results import AssertionResult, Outcome, Violation
from buildsearch.library.check import (
    Assertions,
    Check,
    check_runs,
    combinations,
    page_of,
    sifted,
    worst_first,
)
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.input_files import load_rules
from buildsearch.library.report import write_report
from buildsearch.library.sides import JudgedSides, is_text, judge_both
from buildsearch.library.stored_runs import Making
from buildsearch.model.errors import InputError, UsageError
from buildsearch.options.search import SearchOptions
from buildsearch.ruleset.extends import from_here
from buildsearch.ruleset.git import check_revision_name, commit_of, git_output, is_revision

# More edits than this are not left out one by one to see which finding goes with which.
_MOST_LEFT_OUT = 8


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
    making: Making,
    baseline: Path,
    *,
    html: Path | None = None,
) -> Check:
    """Check the rules, and report what is new since the earlier ones; costs and bans alone take no fight."""
    requests = combinations(settings, request, values)
    checker = Assertions(settings, making)
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
        making.watch.warn(
            f"{from_here(str(after.loaded.path))} is not in {against}, so every finding is new."
        )
        runs = check_runs(settings, request, values, making, keep=True, html=html)
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
        comparison = compare(
            *(
                read_rules(side.loaded.system, side.loaded.model, side.loaded.document)
                for side in (before, after)
            )
        )
        if all(is_text(edit) for edit in comparison.edits):
            continue  # nothing that is scored differs
        judged = judge_both(
            (before, after),
            (earlier, each),
            comparison,
            making,
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
            write_report(judged.run, page, jobs=making.jobs, watch=making.watch)
    outcome = Outcome(tuple(found), tuple(new), tuple(known), tuple(gone))
    accepted_before = read_baseline(baseline, after.loaded.model.id)
    if accepted_before is not None:
        accepted = {each.fingerprint for each in accepted_before.sift(found).known}
        fresh = [each for each in new if each.fingerprint not in accepted]
        outcome = replace(outcome, fresh=tuple(fresh))
    titles = {
        option.id: option.name
        for side in (before, after)
        for option in side.loaded.system.options(side.loaded.model)
    }
    since = Since(
        since=against,
        edits=comparison.edits,
        is_text=tuple(map(is_text, comparison.edits)),
        behind=behind,
        effect=effect,
        titles=titles,
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

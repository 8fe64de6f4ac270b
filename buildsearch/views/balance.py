"""Proposals for balance as a page: what fixes the game, today and each proposal side by side."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from buildsearch.analysis.findings import VIABLE, Finding, FindingCode
from buildsearch.balancing.answers import BalanceResult, GameOutcome, GameToday, Proposal
from buildsearch.balancing.first_proposal import stored
from buildsearch.balancing.goals import Goal
from buildsearch.balancing.measure import Measure, describe, weakened
from buildsearch.balancing.what_if import Effect, GameStanding, OptionStanding
from buildsearch.document.blocks import (
    BLANK,
    Block,
    Cell,
    Code,
    Column,
    Document,
    Heading,
    Kind,
    Labelled,
    OutOf,
    Step,
    Table,
    Text,
    Tone,
)
from buildsearch.document.numbers import in_file
from buildsearch.model.evaluation import Scale, ScoreWords
from buildsearch.model.levers import Edit
from buildsearch.model.text import count
from buildsearch.views.effects import below_rules_note

# Where a page tells how to write a proposal.


@dataclass(frozen=True, slots=True)
class BalanceAbout:
    """What an answer is about: the command that was typed, ids, and how scores are said.

    `fights` are scenario files that strain a proposal, by game; `details` are notes for `--verbose`; `out` is
    a file that is free for the edited rules.
    """

    command: str
    rules: str
    run: str
    parameters: Mapping[str, object]
    words: ScoreWords
    details: Sequence[str] = ()
    fights: Sequence[tuple[str, str]] = ()
    checks: Sequence[str] = ()
    is_incomplete: bool = False
    out: str = "rules/mine.yaml"
    below_rules: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def applying(self) -> str:
        """The command that writes the first proposal."""
        return f"{self.command} --apply 1 --out {shlex.quote(self.out)}"


def balance_document(answer: BalanceResult, about: BalanceAbout) -> Document:
    """The page of one game."""
    blocks: list[Block] = [
        Text(headline(answer), Tone.STRONG),
        Text(goal_line(answer.goals)),
        *_partial(about.is_incomplete),
    ]
    if answer.proposals:
        blocks += [BLANK, proposal_table("proposals", answer.before, _sides(answer.outcomes), about.words)]
        blocks += [BLANK, *_in_words(answer.outcomes)]
    blocks += [*_caveats(answer), *below_rules_note(about.below_rules)]
    blocks += [Text(said) for said in about.checks]
    if about.details:
        blocks += [BLANK, *(Text(note, Tone.DIM) for note in about.details)]
    blocks += list(_next(answer, about))
    blocks += _fights(about.fights)
    return Document(f"Balance of {about.rules}", tuple(blocks), balance_data(answer, about))


def joint_document(answer: BalanceResult, about: BalanceAbout) -> Document:
    """The page of several games: one set of proposals, a table for each game."""
    blocks: list[Block] = [Text(joint_headline(answer), Tone.STRONG), Text(goal_line(answer.goals))]
    blocks += _partial(about.is_incomplete)
    for game in answer.games:
        sides = [(each.edits, each.by_game[game.label]) for each in answer.proposals]
        blocks += [BLANK, Heading(_game_line(game))]
        if sides:
            blocks.append(proposal_table(f"proposals {game.label}", game.before, sides, about.words))
    if answer.proposals:
        blocks.append(BLANK)
    for number, each in enumerate(answer.proposals, start=1):
        reasons = [each.best_at] if each.best_at else []
        blocks.append(Labelled(str(number), f"{describe(each.edits)}.{_bracketed(reasons)}"))
        blocks += [Text(f"   {said}", indent=3) for said in _joint_remarks(each)]
    blocks += [Text(said) for said in about.checks]
    if about.details:
        blocks += [BLANK, *(Text(note, Tone.DIM) for note in about.details)]
    partly = [game.label for game in answer.games if not game.is_whole]
    if partly and answer.proposals:
        some = " and ".join(partly)
        blocks.append(Text(f"Not every build of {some} was scored: run optimize there to be sure."))
    if answer.proposals:
        blocks.append(Step(about.applying, "writes proposal 1"))
    blocks += _fights(about.fights)
    return Document(f"Balance of {about.rules}", tuple(blocks), joint_data(answer, about))


# The first lines -----------------------------------------------------------------------------------------


def headline(answer: BalanceResult) -> str:
    """What fixes the game and what is proved, in one line; else why nothing is proposed."""
    if answer.unjudged:
        return f"Too small to judge: {answer.unjudged}. Nothing is proposed."
    if answer.is_kept_already:
        free = answer.before.free(VIABLE)
        return f"Nothing to change: the goal is met, and {free.options} of {free.of} options are viable."
    if not answer.proposals:
        return _why_none(answer)
    first = answer.outcomes[0]
    said = f"{describe(first.edits)}: {_fixes(answer, first)}."
    if first.open_why:
        return f"{said} Inconclusive: {first.open_why}."
    return f"{said} {first.proof}".rstrip()


def _fixes(answer: BalanceResult, proposal: GameOutcome) -> str:
    """What a proposal does: `fixes all 5 errors`; a goal of one's own is named too."""
    before, left = (_errors(each) for each in (answer.before, proposal.after))
    if before and not left:
        fixed = "fixes the error" if before == 1 else f"fixes all {before} errors"
    elif before > left:
        fixed = f"fixes {before - left} of {count(before, 'error')}"
    else:
        fixed = ""
    is_default = all(goal.accuses for goal in answer.goals)
    parts = [part for part in ("" if is_default and fixed else "meets the goal", fixed) if part]
    return " and ".join(parts)


def _why_none(answer: BalanceResult) -> str:
    """Why nothing is proposed, and what to try."""
    if answer.outside or answer.core:
        also = [f"also allow {', '.join(answer.outside)}"] if answer.outside else []
        also += [f"unlock {', '.join(answer.core)}"] if answer.core else []
        return f"The goal cannot be met by these levers. To meet it, {' and '.join(also)}."
    if answer.is_impossible and answer.stuck:
        return (
            f"The goal cannot be met by raises, bans and lower caps: {', '.join(answer.stuck)} would stay "
            "legal. Allow more with --lever or --max-change, or set a lower goal."
        )
    if answer.is_impossible and not answer.could_let_in:
        return (
            "The goal cannot be met by these levers. Allow more with --lever or --max-change, or set a lower "
            "goal."
        )
    return (
        "Found no proposal that meets the goal. Allow more with --lever, --max-change or --seconds, or set a "
        "lower goal."
    )


def goal_line(goals: Sequence[Goal]) -> str:
    """What was asked, in one line; what is compared with the benchmark comes last."""
    ordered = sorted(goals, key=lambda goal: goal.margin is not None)
    return f"Goal: {', '.join(goal.words for goal in ordered)}."


def joint_headline(answer: BalanceResult) -> str:
    """The same for several games."""
    if answer.is_kept_already:
        return f"Nothing to change: the goal is met in all {len(answer.games)} games."
    if not answer.proposals:
        said = answer.proof or "Found no proposal that meets the goal in all games."
        return f"{said} Allow more with --lever, --max-change or --seconds, or set a lower goal."
    first = answer.proposals[0]
    unsure = [label for label, part in first.by_game.items() if part.open_why]
    said = f"{describe(first.edits)}: meets the goal in {_listed([*first.by_game])}."
    if unsure:
        return f"{said} Inconclusive in {_listed(unsure)}."
    return f"{said} {first.proof}".rstrip()


def _game_line(game: GameToday) -> str:
    known = f"{game.builds:,} builds" if game.is_whole else f"{game.known:,} of {game.builds:,} builds scored"
    return f"{game.label}: {known}, {'goal not met' if game.broken else 'goal met'}"


def _partial(is_incomplete: bool) -> list[Block]:
    if not is_incomplete:
        return []
    return [Text("The run is incomplete: better builds may be missing.", Tone.WARNING)]


# Proposals -----------------------------------------------------------------------------------------------

Side = tuple[Sequence[object], GameOutcome]


def _sides(proposals: Sequence[GameOutcome]) -> list[Side]:
    return [(each.edits, each) for each in proposals]


def proposal_table(name: str, before: Measure, sides: Sequence[Side], words: ScoreWords) -> Table:
    """Today and every proposal: a column each, a row for each measure."""
    unit = f", {words.unit}" if words.unit else ""
    score = Kind.RATE if _is_rate(words) else Kind.NUMBER
    ahead = Kind.PERCENT if before.ahead_text.endswith("%") else Kind.TEXT
    columns = (
        Column("proposal", Kind.TEXT, head=" "),
        Column("edits", Kind.COUNT),
        Column("errors", Kind.COUNT),
        Column("viable_options", Kind.COUNT),
        Column("best", score, head=f"best build{unit}"),
        Column("benchmark", score, head=f"benchmark{unit}"),
        Column("ahead", ahead, head="best is ahead by"),
        Column("legal_share", Kind.PERCENT, head="builds still legal"),
        Column("newly_overcosted", Kind.COUNT),
    )

    def row(label: str, edits: int | None, measure: Measure, new: int | None) -> tuple[Cell, ...]:
        free = measure.free(VIABLE)
        viable: Cell = OutOf(free.options, free.of) if edits is None else free.options
        apart = measure.ahead if ahead is Kind.PERCENT else measure.ahead_text
        numbers = (measure.best, measure.reference, apart, measure.kept)
        return (label, edits, _errors(measure), viable, *numbers, new)

    rows = [row("now", None, before, None)]
    rows += [
        row(str(number), len(edits), each.after, len(weakened(each.change)))
        for number, (edits, each) in enumerate(sides, start=1)
    ]
    return Table(name.replace(" ", "_"), "", columns, rows, is_transposed=True)


def _in_words(proposals: Sequence[GameOutcome]) -> Iterator[Block]:
    for number, each in enumerate(proposals, start=1):
        reasons = [each.best_at] if each.best_at else []
        if each.still_ahead:
            reasons.append("moves the benchmark")
        if each.open_why:
            reasons.append("inconclusive")
        yield Labelled(str(number), f"{describe(each.edits)}.{_bracketed(reasons)}")


def _bracketed(reasons: Sequence[str]) -> str:
    return f" ({', '.join(reasons)})" if reasons else ""


def _caveats(answer: BalanceResult) -> Iterator[Block]:
    sampled = {name: None for each in answer.outcomes for name in each.sampled}
    if any(each.still_ahead for each in answer.outcomes):
        yield Text("Moves the benchmark: the best build stays too far ahead of the benchmark of now.")
    if sampled and any(each.open_why for each in answer.outcomes):
        yield Text(f"Sampled scores that decide: {', '.join([*sampled][:3])}.")
    if answer.is_partial:
        yield Text("Interrupted: this is what was found so far.", Tone.WARNING)


def _next(answer: BalanceResult, about: BalanceAbout) -> Iterator[Block]:
    if answer.proposals:
        yield Step(about.applying, "")
    elif answer.unjudged:
        yield Step("buildsearch optimize", "score more builds: a larger budget")
    elif answer.is_kept_already:
        yield Step("buildsearch check --update-baseline", "keep it that way in CI")


def _fights(fights: Sequence[tuple[str, str]]) -> list[Block]:
    """The hardest fights, as files that `score --scenarios` takes."""
    found: list[Block] = []
    for label, text in fights:
        at = f" at {label}" if label else ""
        head = f"# The hardest fight{at}; `buildsearch score BUILD --scenarios FILE` fights it."
        found += [BLANK, Code(f"{head}\n{text}", "yaml")]
    return found


def _joint_remarks(proposal: Proposal) -> Iterator[str]:
    if len(proposal.by_game) > 1:
        yield _tightest(proposal)
    for label, part in proposal.by_game.items():
        if part.proof and part.proof != proposal.proof:
            yield f"{label}: {part.proof}"
        if part.open_why:
            yield f"{label}: inconclusive, {part.open_why}."
        if part.still_ahead:
            yield f"{label}: moves the benchmark."


def _tightest(proposal: Proposal) -> str:
    """Which game asks for this much."""
    if not proposal.binds:
        return "Every edit could do less in each game alone, but then another is needed."
    if len(proposal.by_game) > 1 and len(proposal.binds) == len(proposal.by_game):
        return "All games are equally tight: any smaller edit breaks the goal in each of them."
    shown = [each for each in proposal.weaker if set(each.breaks) & set(proposal.binds)][:2]
    less = " or ".join(f"`{each.text}`" for each in shown)
    broken = {name for each in shown for name in each.breaks}
    free = [label for label in proposal.by_game if label not in broken]
    also = f"; {_listed(free)} would still meet it" if free else ""
    return f"{_listed(proposal.binds)} is the tightest: with {less} it misses the goal{also}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _errors(measure: Measure) -> int:
    return sum(finding.is_error for finding in measure.findings)


# For programs ------------------------------------------------------------------------------------------


def balance_data(answer: BalanceResult, about: BalanceAbout) -> dict[str, object]:
    """What `--json` prints; `health`, `findings` and `proposal` are as in `analyze` and `check`."""
    first = stored(answer)
    return {
        **_head(about),
        "status": "too small" if answer.unjudged else "met" if answer.is_kept_already else "not met",
        "headline": headline(answer),
        "goals": [goal.text for goal in answer.goals],
        "missed_goals": list(answer.games[0].broken),
        "already_met": answer.is_kept_already,
        "health": health_data(answer.before),
        "findings": [finding_data(each) for each in answer.before.findings],
        "proposal": None if first is None or not first.edits else asdict(first),
        "proposals": [proposal_data(each) for each in answer.outcomes],
        "proof": answer.proof,
        "notes": list(answer.notes),
        "blocking_locks": list(answer.core),
        "also_needed": list(answer.outside),
        "remaining_builds": list(answer.stuck),
        "is_incomplete": answer.is_partial,
        "ended_by_clock": answer.ended_by_clock,
        "next": _steps(answer, about),
        "seconds": answer.seconds,
    }


def _steps(answer: BalanceResult, about: BalanceAbout) -> list[dict[str, str]]:
    return [
        {"command": each.command, "why": each.why} for each in _next(answer, about) if isinstance(each, Step)
    ]


def _head(about: BalanceAbout) -> dict[str, object]:
    metric = about.words.metric
    return {
        "rules": about.rules,
        "run": about.run,
        "parameters": dict(about.parameters),
        "metric": None
        if metric is None
        else {"name": metric.name, "unit": metric.unit, "is_lower_better": not metric.higher_is_better},
    }


def joint_data(answer: BalanceResult, about: BalanceAbout) -> dict[str, object]:
    """The same for several games."""
    return {
        **_head(about),
        "headline": joint_headline(answer),
        "goals": [goal.text for goal in answer.goals],
        "already_met": answer.is_kept_already,
        "games": [
            {
                "game": game.label,
                "builds": game.builds,
                "scored": game.known,
                "missed_goals": list(game.broken),
                "health": health_data(game.before),
                "findings": [finding_data(each) for each in game.before.findings],
            }
            for game in answer.games
        ],
        "proof": answer.proof,
        "notes": list(answer.notes),
        "is_incomplete": answer.is_partial,
        "proposals": [
            {
                "edits": [edit.text for edit in each.edits],
                "text": f"{describe(each.edits)}.",
                "change": each.steps,
                "best_at": each.best_at,
                "tightest": list(each.binds),
                "weaker": [{"edit": less.text, "breaks": list(less.breaks)} for less in each.weaker],
                "games": {label: proposal_data(part) for label, part in each.by_game.items()},
            }
            for each in answer.proposals
        ],
        "seconds": answer.seconds,
    }


def proposal_data(proposal: GameOutcome) -> dict[str, object]:
    return {
        "edits": [edit.text for edit in proposal.edits],
        "text": f"{describe(proposal.edits)}.",
        "levers": [
            {
                "edit": edit.text,
                "lever": edit.lever,
                "kind": edit.kind,
                "change": edit.steps,
                "text": edit.words,
            }
            for edit in proposal.edits
        ],
        "change": proposal.steps,
        "best_at": proposal.best_at,
        "proof": proposal.proof,
        "is_proved_minimal": proposal.is_proved_minimal,
        "inconclusive": proposal.open_why,
        "sampled": list(proposal.sampled),
        "moves_benchmark": bool(proposal.still_ahead),
        "after": {
            "health": health_data(proposal.after),
            "findings": [finding_data(each) for each in proposal.after.findings],
        },
        "fixed": [finding_data(each) for each in proposal.change.gone],
        "remaining": [finding_data(each) for each in proposal.change.stays],
        "new": [finding_data(each) for each in proposal.change.new],
    }


def health_data(measure: Measure) -> dict[str, object]:
    """A game in numbers."""
    free = measure.free(VIABLE)
    return {
        "viable_options": free.options,
        "options": free.of,
        "best": in_file(measure.best),
        "best_build": measure.best_build,
        "benchmark": in_file(measure.reference),
        "ahead": in_file(measure.ahead),
        "builds": measure.builds,
        "legal_share": in_file(measure.kept),
        "rank_shift": in_file(measure.shift),
        "errors": _errors(measure),
        "overpowered_builds": measure.overpowered,
        "must_haves": list(measure.must_haves),
        "instant_wins": measure.decided,
    }


def finding_data(finding: Finding) -> dict[str, object]:
    """A finding, as `analyze` has it."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "subjects": list(finding.subjects),
        "text": finding.text,
        "certainty": finding.certainty,
    }


# Edits of one's own --------------------------------------------------------------------------------------


def tried_document(effect: Effect, edits: Sequence[Edit], missed: Sequence[Goal], next_: Step) -> Document:
    """What edits of one's own do: whether they are enough, the edited options, then the game."""
    blocks: list[Block] = [Text(tried_headline(effect, missed), Tone.STRONG)]
    if effect.open_why:
        blocks.append(Text(f"Inconclusive: {effect.open_why}.", Tone.WARNING))
    blocks.append(BLANK)
    blocks += effect_tables(effect)
    blocks.append(BLANK)
    for label, found in (("Fixed", effect.fixed), ("New", effect.new)):
        if said := _by_code(found, effect.titles):
            blocks.append(Labelled(label, said))
    blocks.append(next_)
    return Document(f"{describe(edits)}.", tuple(blocks), _tried_data(effect, edits, missed))


def tried_headline(effect: Effect, missed: Sequence[Goal]) -> str:
    """Whether edits are enough, and what remains."""
    left = [each for each in (*effect.stays, *effect.new) if each.is_error]
    if left:
        return f"Not enough: {_remaining(left, effect.titles)}."
    if missed:
        return f"Not enough: misses the goal ({', '.join(goal.words for goal in missed)})."
    fixed = effect.before.errors
    if not fixed:
        return "The goal is still met: no errors."
    return "Enough: fixes the error." if fixed == 1 else f"Enough: fixes all {fixed} errors."


_NOUNS = {
    FindingCode.OVERPOWERED: "overpowered build",
    FindingCode.MUST_HAVE: "must-have",
    FindingCode.INSTANT_WIN: "instant win",
    FindingCode.DOMINANT_TYPE: "dominant type",
}


def _remaining(left: Sequence[Finding], titles: Mapping[str, str]) -> str:
    """`4 overpowered builds and 2 must-haves remain (Barrage, Charges 1)`."""
    counts: dict[FindingCode, int] = {}
    for each in left:
        by_builds = each.code in (FindingCode.OVERPOWERED, FindingCode.INSTANT_WIN)
        counts[each.code] = counts.get(each.code, 0) + (
            int(each.numbers.get("builds", 1)) if by_builds else 1
        )
    said = [count(number, _NOUNS.get(code, f"{code} finding")) for code, number in counts.items()]
    needed = [name for each in left if each.code is FindingCode.MUST_HAVE for name in each.subjects]
    named = f" ({', '.join(titles.get(name, name) for name in needed)})" if needed else ""
    return f"{_listed(said)} {'remains' if sum(counts.values()) == 1 else 'remain'}{named}"


def _by_code(findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    """Findings in few words: each code once, with the options that it is about."""
    names: dict[str, list[str]] = {}
    for each in findings:
        about = " + ".join(titles.get(name, name) for name in each.subjects)
        names.setdefault(str(each.code), []).append(about if each.code is not FindingCode.INSTANT_WIN else "")
    return "; ".join(f"{code} {', '.join(filter(None, some))}".rstrip() for code, some in names.items())


def effect_tables(effect: Effect) -> Iterator[Block]:
    """Each edited option before and after, then the game."""
    words = effect.words
    score = Kind.RATE if _is_rate(words) else Kind.NUMBER
    unit = f", {words.unit}" if words.unit else ""
    columns = (
        Column("cost", Kind.COUNT),
        Column("best", score, head=f"its best build{unit}"),
        Column("rank", Kind.TEXT, head="rank of that build"),
        Column("viability", Kind.PERCENT),
        Column("pick_rate_top_100", Kind.PERCENT, head=f"in the best {effect.top}"),
        Column("fair_cost", Kind.COUNT),
        Column("builds", Kind.COUNT, head="builds with it"),
    )
    for option in effect.options:
        rows = [
            _standing_row(name, each, effect.top)
            for name, each in (("now", option.before), ("after", option.after))
        ]
        head = Column("side", Kind.TEXT, head=option.title)
        yield Table(f"option_{option.option}", "", (head, *columns), rows, is_transposed=True)
    games = (
        Column("side", Kind.TEXT, head="The game"),
        Column("viable_options", Kind.COUNT),
        Column("best", score, head=f"best build{unit}"),
        Column("benchmark", score, head=f"benchmark{unit}"),
        Column("errors", Kind.COUNT),
        Column("legal_share", Kind.PERCENT, head="builds still legal"),
    )
    rows = [
        (
            name,
            OutOf(game.viable, game.options) if name == "now" else game.viable,
            game.best,
            game.benchmark,
            game.errors,
            kept,
        )
        for name, game, kept in (("now", effect.before, 1.0), ("after", effect.after, effect.kept))
    ]
    yield Table("game", "", games, rows, is_transposed=True)


def _standing_row(name: str, standing: OptionStanding | None, top: int) -> tuple[Cell, ...]:
    if standing is None:
        return (name, None, None, None, None, None, None, 0)
    low, high = standing.ranks.best, standing.ranks.worst
    rank = f"{low:,}" if low == high else f"{low:,}\u2013{high:,}"
    share = standing.in_best / top
    return (
        name, standing.cost, standing.score, rank, standing.viability, share, standing.fair_cost,
        standing.builds,
    )  # fmt: skip


def _is_rate(words: ScoreWords) -> bool:
    return words.metric is not None and words.metric.scale is Scale.PROBABILITY


def _tried_data(effect: Effect, edits: Sequence[Edit], missed: Sequence[Goal]) -> dict[str, object]:
    return {
        "status": "not met" if missed else "met",
        "headline": tried_headline(effect, missed),
        "edits": [edit.text for edit in edits],
        "missed_goals": [goal.text for goal in missed],
        "options": [
            {
                "option": each.option,
                "now": None if each.before is None else asdict(each.before),
                "after": None if each.after is None else asdict(each.after),
            }
            for each in effect.options
        ],
        "health": _standing_data(effect.before),
        "after": {"health": {**_standing_data(effect.after), "legal_share": in_file(effect.kept)}},
        "fixed": [finding_data(each) for each in effect.fixed],
        "remaining": [finding_data(each) for each in effect.stays],
        "new": [finding_data(each) for each in effect.new],
        "inconclusive": effect.open_why,
    }


def _standing_data(game: GameStanding) -> dict[str, object]:
    return {
        "viable_options": game.viable,
        "options": game.options,
        "best": in_file(game.best),
        "best_build": game.best_build,
        "benchmark": in_file(game.benchmark),
        "builds": game.builds,
        "errors": game.errors,
        "warnings": game.warnings,
    }

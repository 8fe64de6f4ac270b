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
from buildsearch.balancing.what_if import Effect, OptionStanding
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
    table_of,
)
from buildsearch.document.numbers import in_file
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.levers import Edit
from buildsearch.model.text import count, listed
from buildsearch.views.effects import below_rules_note, game_data
from buildsearch.views.phrases import finding_data, fixes, metric_data, score_column


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
    blocks = _start(headline(answer), answer, about)
    if answer.proposals:
        table = proposal_table("proposals", answer.before, [*answer.outcomes], about.words)
        blocks += [BLANK, table, BLANK]
    for number, each in enumerate(answer.outcomes, start=1):
        moves = "moves the benchmark" if each.still_ahead else ""
        blocks.append(_in_words(number, each, moves, "inconclusive" if each.open_why else ""))
    blocks += [*_caveats(answer), *below_rules_note(about.below_rules), *_noted(about)]
    blocks += [*_next(answer, about), *_fights(about.fights)]
    return Document(f"Balance of {about.rules}", tuple(blocks), balance_data(answer, about))


def joint_document(answer: BalanceResult, about: BalanceAbout) -> Document:
    """The page of several games: one set of proposals, a table for each game."""
    blocks = _start(joint_headline(answer), answer, about)
    for game in answer.games:
        blocks += [BLANK, Heading(_game_line(game))]
        if sides := [each.by_game[game.label] for each in answer.proposals]:
            blocks.append(
                proposal_table(f"proposals_{game.label.replace(' ', '_')}", game.before, sides, about.words)
            )
    if answer.proposals:
        blocks.append(BLANK)
    for number, each in enumerate(answer.proposals, start=1):
        blocks.append(_in_words(number, each))
        blocks += [Text(f"   {said}", indent=3) for said in _joint_remarks(each)]
    blocks += _noted(about)
    partly = [game.label for game in answer.games if not game.is_whole]
    if partly and answer.proposals:
        some = " and ".join(partly)
        blocks.append(Text(f"Not every build of {some} was scored: run optimize there to be sure."))
    if answer.proposals:
        blocks.append(Step(about.applying, "writes proposal 1"))
    blocks += _fights(about.fights)
    return Document(f"Balance of {about.rules}", tuple(blocks), joint_data(answer, about))


def _start(said: str, answer: BalanceResult, about: BalanceAbout) -> list[Block]:
    """What was found and what was asked; what is compared with the benchmark comes last."""
    ordered = sorted(answer.goals, key=lambda goal: goal.margin is not None)
    blocks: list[Block] = [Text(said, Tone.STRONG)]
    blocks.append(Text(f"Goal: {', '.join(goal.words for goal in ordered)}."))
    if about.is_incomplete:
        blocks.append(Text("The run is incomplete: better builds may be missing.", Tone.WARNING))
    return blocks


def _noted(about: BalanceAbout) -> list[Block]:
    blocks: list[Block] = [Text(said) for said in about.checks]
    return [*blocks, BLANK, *(Text(note, Tone.DIM) for note in about.details)] if about.details else blocks


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
    fixed = fixes(before - left, before) if before > left else ""
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
    why = (
        "The goal cannot be met by these levers. Allow more with --lever or --max-change,"
        if answer.is_impossible and not answer.could_let_in
        else "Found no proposal that meets the goal. Allow more with --lever, --max-change or --seconds,"
    )
    return f"{why} or set a lower goal."


def joint_headline(answer: BalanceResult) -> str:
    if answer.is_kept_already:
        return f"Nothing to change: the goal is met in all {len(answer.games)} games."
    if not answer.proposals:
        said = answer.proof or "Found no proposal that meets the goal in all games."
        return f"{said} Allow more with --lever, --max-change or --seconds, or set a lower goal."
    first = answer.proposals[0]
    unsure = [label for label, part in first.by_game.items() if part.open_why]
    said = f"{describe(first.edits)}: meets the goal in {listed([*first.by_game])}."
    if unsure:
        return f"{said} Inconclusive in {listed(unsure)}."
    return f"{said} {first.proof}".rstrip()


def _game_line(game: GameToday) -> str:
    known = f"{game.builds:,} builds" if game.is_whole else f"{game.known:,} of {game.builds:,} builds scored"
    return f"{game.label}: {known}, {'goal not met' if game.broken else 'goal met'}"


# Proposals -----------------------------------------------------------------------------------------------


def proposal_table(name: str, before: Measure, sides: Sequence[GameOutcome], words: ScoreWords) -> Table:
    """Today and every proposal: a column each, a row for each measure."""
    is_share = before.ahead_text.endswith("%")
    games: list[tuple[str, Measure, GameOutcome | None]] = [("now", before, None)]
    games += [(str(number), each.after, each) for number, each in enumerate(sides, start=1)]

    def viable(measure: Measure, side: GameOutcome | None) -> Cell:
        free = measure.free(VIABLE)
        return OutOf(free.options, free.of) if side is None else free.options

    return table_of(
        name,
        "",
        games,
        (Column("proposal", Kind.TEXT, " "), lambda each: each[0]),
        (Column("edits", Kind.COUNT), lambda each: None if each[2] is None else len(each[2].edits)),
        (Column("errors", Kind.COUNT), lambda each: _errors(each[1])),
        (Column("viable_options", Kind.COUNT), lambda each: viable(each[1], each[2])),
        (score_column("best", "best build", words), lambda each: each[1].best),
        (score_column("benchmark", "benchmark", words), lambda each: each[1].reference),
        (
            Column("ahead", Kind.PERCENT if is_share else Kind.TEXT, "best is ahead by"),
            lambda each: each[1].ahead if is_share else each[1].ahead_text,
        ),
        (Column("legal_share", Kind.PERCENT, "builds still legal"), lambda each: each[1].kept),
        (
            Column("newly_overcosted", Kind.COUNT),
            lambda each: None if each[2] is None else len(weakened(each[2].change)),
        ),
        is_transposed=True,
    )


def _in_words(number: int, proposal: GameOutcome | Proposal, *more: str) -> Labelled:
    reasons = [reason for reason in (proposal.best_at, *more) if reason]
    why = f" ({', '.join(reasons)})" if reasons else ""
    return Labelled(str(number), f"{describe(proposal.edits)}.{why}")


def _caveats(answer: BalanceResult) -> Iterator[Block]:
    sampled = {name: None for each in answer.outcomes for name in each.sampled}
    if any(each.still_ahead for each in answer.outcomes):
        yield Text("Moves the benchmark: the best build stays too far ahead of the benchmark of now.")
    if sampled and any(each.open_why for each in answer.outcomes):
        yield Text(f"Sampled scores that decide: {', '.join([*sampled][:3])}.")
    if answer.is_partial:
        yield Text("Interrupted: this is what was found so far.", Tone.WARNING)


def _next(answer: BalanceResult, about: BalanceAbout) -> Iterator[Step]:
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
    also = f"; {listed(free)} would still meet it" if free else ""
    return f"{listed(proposal.binds)} is the tightest: with {less} it misses the goal{also}."


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
        "findings": _findings(answer.before.findings),
        "proposal": None if first is None or not first.edits else asdict(first),
        "proposals": [proposal_data(each) for each in answer.outcomes],
        "proof": answer.proof,
        "notes": list(answer.notes),
        "blocking_locks": list(answer.core),
        "also_needed": list(answer.outside),
        "remaining_builds": list(answer.stuck),
        "is_incomplete": answer.is_partial,
        "ended_by_clock": answer.ended_by_clock,
        "next": [{"command": each.command, "why": each.why} for each in _next(answer, about)],
        "seconds": answer.seconds,
    }


def _head(about: BalanceAbout) -> dict[str, object]:
    return {
        "rules": about.rules,
        "run": about.run,
        "parameters": dict(about.parameters),
        "metric": metric_data(about.words.metric),
    }


def joint_data(answer: BalanceResult, about: BalanceAbout) -> dict[str, object]:
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
                "findings": _findings(game.before.findings),
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
                "edit": each.text,
                "lever": each.lever,
                "kind": each.kind,
                "change": each.steps,
                "text": each.words,
            }
            for each in proposal.edits
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
            "findings": _findings(proposal.after.findings),
        },
        "fixed": _findings(proposal.change.gone),
        "remaining": _findings(proposal.change.stays),
        "new": _findings(proposal.change.new),
    }


def health_data(measure: Measure) -> dict[str, object]:
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


def _findings(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """As `analyze` has them."""
    return [finding_data(each) | {"certainty": each.certainty} for each in findings]


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
    return f"Enough: {fixes(fixed, fixed)}." if fixed else "The goal is still met: no errors."


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
    return f"{listed(said)} {'remains' if sum(counts.values()) == 1 else 'remain'}{named}"


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
    columns = (
        Column("cost", Kind.COUNT),
        score_column("best", "its best build", words),
        Column("rank", Kind.TEXT, "rank of that build"),
        Column("viability", Kind.PERCENT),
        Column("pick_rate_top_100", Kind.PERCENT, f"in the best {effect.top}"),
        Column("fair_cost", Kind.COUNT),
        Column("builds", Kind.COUNT, "builds with it"),
    )
    for option in effect.options:
        head = Column("side", Kind.TEXT, option.title)
        rows = [
            ("now", *_standing(option.before, effect.top)),
            ("after", *_standing(option.after, effect.top)),
        ]
        yield Table(f"option_{option.option}", "", (head, *columns), rows, is_transposed=True)
    now, after = effect.before, effect.after
    viable: list[Cell] = [OutOf(now.viable, now.options), after.viable]
    yield table_of(
        "game",
        "",
        zip(("now", "after"), viable, (now, after), (1.0, effect.kept), strict=True),
        (Column("side", Kind.TEXT, "The game"), lambda each: each[0]),
        (Column("viable_options", Kind.COUNT), lambda each: each[1]),
        (score_column("best", "best build", words), lambda each: each[2].best),
        (score_column("benchmark", "benchmark", words), lambda each: each[2].benchmark),
        (Column("errors", Kind.COUNT), lambda each: each[2].errors),
        (Column("legal_share", Kind.PERCENT, "builds still legal"), lambda each: each[3]),
        is_transposed=True,
    )


def _standing(standing: OptionStanding | None, top: int) -> tuple[Cell, ...]:
    if standing is None:
        return (None, None, None, None, None, None, 0)
    low, high = standing.ranks.best, standing.ranks.worst
    rank = f"{low:,}" if low == high else f"{low:,}\u2013{high:,}"
    share, builds = standing.in_best / top, standing.builds
    return (standing.cost, standing.score, rank, standing.viability, share, standing.fair_cost, builds)


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
        "health": _rounded(game_data(effect.before)),
        "after": {"health": _rounded(game_data(effect.after) | {"legal_share": effect.kept})},
        "fixed": _findings(effect.fixed),
        "remaining": _findings(effect.stays),
        "new": _findings(effect.new),
        "inconclusive": effect.open_why,
    }


def _rounded(game: dict[str, object]) -> dict[str, object]:
    return {name: in_file(value) if isinstance(value, float) else value for name, value in game.items()}

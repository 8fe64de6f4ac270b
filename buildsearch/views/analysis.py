"""`analyze` as a page: the verdict, at most ten findings, one fix, the next command; tables behind it.

`answer_of` makes plain data of an analysis: what is kept beside a run, and what pages of other commands show
of it. `document_of` makes the page of that data and of a proposal, which may have been found later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from buildsearch.analysis.findings import (
    VIABLE,
    Certainty,
    Finding,
    FindingCode,
    FindingSeverity,
    Status,
    status,
)
from buildsearch.balancing.first_proposal import AIMED_AT, StoredProposal
from buildsearch.document.blocks import BLANK, Block, Document, Labelled, Step, Table, Text, Tone
from buildsearch.document.numbers import as_share
from buildsearch.document.terminal import height, labelled_lines
from buildsearch.model.evaluation import Metric, ScoreWords
from buildsearch.model.text import count, listed
from buildsearch.views.phrases import below_rules, finding_data, fixes, metric_data, some_of

if TYPE_CHECKING:  # they bring kernels, and a page of a kept analysis needs none
    from buildsearch.analysis.analyses import RunAnalysis
    from buildsearch.analysis.assessment import Assessment
    from buildsearch.analysis.reach import ReachLevel

MOST_FINDINGS = 10
MOST_LINES = 25
_MOST_OF_ONE = 2
_MOST_LISTED = 8
# What people say of a win rate from here on is how often it fails.
_MOSTLY_WINS = 0.9
_TONES = {
    FindingSeverity.ERROR: Tone.BAD,
    FindingSeverity.WARNING: Tone.WARNING,
    FindingSeverity.NOTE: Tone.DIM,
}


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What a page says about a run. `folder` is what a user types to name it, empty for the latest.

    `builds` have a score, of `legal_builds`; `locations` are files and lines of options.
    """

    folder: str
    path: str
    rules: str
    name: str
    parameters: Mapping[str, Any]
    scenarios: tuple[str, ...]
    all_scenarios: int
    builds: int
    legal_builds: int
    exact_share: float
    is_partial: bool = False
    is_default_rules: bool = False
    locations: Mapping[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A build that a finding names; no rank where it is not on the leaderboard."""

    build: str
    rank: int | None
    score: float


@dataclass(frozen=True, slots=True)
class ShownFinding(Finding):
    """A finding with its builds by name, and the line of the rules that it is about."""

    named: tuple[Evidence, ...] = ()
    location: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class GameHealth:
    """A game, a group or a scenario in numbers: viable options of all, the best score, the benchmark."""

    name: str
    kind: str
    builds: int
    viable_options: int
    options: int
    best: float
    best_build: str
    benchmark: float | None


@dataclass(frozen=True, slots=True)
class AnalysisAnswer:
    """What an analysis says, as plain data. `healths` are those of the whole game, of the game without its
    first cause (`banned`), and of groups and scenarios; none where there is no option to choose."""

    status: Status
    facts: RunFacts
    metric: Metric | None
    below_rules: Mapping[str, tuple[int, int]]
    why_not: str
    healths: tuple[GameHealth, ...]
    banned: tuple[str, ...]
    findings: tuple[ShownFinding, ...]
    titles: Mapping[str, str]
    tables: tuple[Table, ...]
    seconds: float

    @property
    def words(self) -> ScoreWords:
        return ScoreWords(self.metric)

    @property
    def whole(self) -> GameHealth | None:
        return next((each for each in self.healths if each.kind == "all"), None)

    @property
    def without_first_cause(self) -> GameHealth | None:
        return next((each for each in self.healths if each.kind == "ban"), None)

    @property
    def headline(self) -> str:
        """The status, how many options are viable, and how far ahead the best build is."""
        facts, words, whole, said = self.facts, self.words, self.whole, self.status.word
        if self.status is Status.INCOMPLETE:
            does = "" if whole is None else f" {words.does(whole.best)}"
            scored = f"the best of {count(facts.builds, 'scored build')} (of {facts.legal_builds:,})"
            return f"{said}: {scored}{does}."
        if self.below_rules:
            said += f" {below_rules(self.below_rules)}"
        if self.status is Status.TOO_SMALL or whole is None:
            return f"{said}: {self.why_not}."
        viable = f"{whole.viable_options} of {whole.options} options are viable"
        said += f": {_flat(self) if self.why_not else viable}. {_best_against_benchmark(whole, words)}"
        return f"{said} Expensive options look weaker here than they are." if self.below_rules else said

    def count(self, severity: FindingSeverity) -> int:
        return sum(finding.severity is severity for finding in self.findings)


def answer_of(
    analysis: RunAnalysis,
    facts: RunFacts,
    tables: Sequence[Table],
    metric: Metric | None,
    ranks: Sequence[int] | None = None,
) -> AnalysisAnswer:
    """An analysis as plain data; `ranks` are those of its builds on the leaderboard, by row, 0 for none."""
    verdict = analysis.verdict
    found = Status.INCOMPLETE if facts.is_partial else status(analysis.findings, verdict)
    step = verdict.without_first_cause
    shown = () if facts.is_partial else analysis.findings
    return AnalysisAnswer(
        status=found,
        facts=facts,
        metric=metric,
        below_rules=dict(analysis.below_rules),
        why_not=_why_not(verdict, found),
        healths=tuple(_healths(analysis)),
        banned=step.banned if step is not None and step.health is not None else (),
        findings=tuple(_shown(finding, analysis, facts, ranks) for finding in shown),
        titles=dict(analysis.naming.titles),
        tables=tuple(tables),
        seconds=round(sum(analysis.seconds.values()), 3),
    )


def _why_not(verdict: Assessment, found: Status) -> str:
    """Why nothing can be said about this game, or about its options."""
    if found is Status.TOO_SMALL:
        return verdict.too_small or ""
    if verdict.flat is not None:
        return verdict.flat
    return "" if verdict.reference is not None else "there is no option to choose"


def _shown(
    finding: Finding, analysis: RunAnalysis, facts: RunFacts, ranks: Sequence[int] | None
) -> ShownFinding:
    scores = analysis.verdict.contest.scores
    said = {each.name: getattr(finding, each.name) for each in fields(Finding)} | {"builds": ()}
    named = tuple(
        Evidence(
            analysis.build_names[row],
            int(ranks[row]) or None if ranks is not None else None,
            float(scores[row]),
        )
        for row in finding.builds
    )
    location = next((facts.locations[name] for name in finding.subjects if name in facts.locations), None)
    return ShownFinding(**said, named=named, location=location)


def _healths(analysis: RunAnalysis) -> Iterator[GameHealth]:
    verdict = analysis.verdict
    whole, first = verdict.bans[0].health, verdict.without_first_cause
    if whole is not None and whole.reference is not None:
        yield _health(analysis, whole, "", "all")
    if first is not None and first.health is not None:
        yield _health(analysis, first.health, " + ".join(first.banned), "ban")
    for level in verdict.levels:
        yield _health(analysis, level, level.name, level.kind)


def _health(analysis: RunAnalysis, level: ReachLevel, name: str, kind: str) -> GameHealth:
    free = min(level.freedom, key=lambda each: abs(each.least - VIABLE))
    return GameHealth(
        name=name,
        kind=kind,
        builds=level.builds,
        viable_options=free.options,
        options=free.of,
        best=level.score,
        best_build=analysis.build_names[level.best],
        benchmark=None if level.reference is None else level.reference.score,
    )


# The page ---------------------------------------------------------------------------------------------


def document_of(
    answer: AnalysisAnswer,
    proposal: StoredProposal | None,
    *,
    can_balance: bool,
    full: bool = False,
    rows: int = 15,
) -> Document:
    """The page; with `full` every finding, health by group, and the tables. `can_balance`: the game says what
    costs and bans may be moved."""
    steps = list(_steps(answer, proposal, can_balance=can_balance))
    fix = list(_fix(answer, proposal, can_balance=can_balance))
    head = list(_head(answer, full=full))
    end = [BLANK, *fix, *steps]
    blocks: list[Block] = [*head]
    if answer.findings:
        blocks.append(BLANK)
        used = height(*head, BLANK, *end)
        blocks += _findings(answer, None if full else MOST_LINES - used)
    blocks += end
    if full:
        for table in answer.tables:
            shown = rows if table.shown and table.rows else 0
            if shown:
                blocks.append(BLANK)
            blocks.append(replace(table, shown=shown))
    return Document(f"Analysis of {answer.facts.name}", tuple(blocks), _data(answer, proposal, steps))


def _flat(answer: AnalysisAnswer) -> str:
    """`sample` is too easy; or what else keeps the scenarios from separating builds."""
    for ending, word in (("wins nearly always", "easy"), ("loses nearly always", "hard")):
        if answer.why_not.endswith(ending):
            names = answer.facts.scenarios
            which = f"`{names[0]}` is" if len(names) == 1 else "the scenarios are"
            return f"{which} too {word}"
    return answer.why_not


def _best_against_benchmark(whole: GameHealth, words: ScoreWords) -> str:
    if whole.benchmark is None:
        return f"Best build {words.say(whole.best)}."
    wins = words.metric is not None and words.metric.higher_is_better and words.is_share
    if wins and whole.best > _MOSTLY_WINS:
        failures = [words.number(1 - score) for score in (whole.best, whole.benchmark)]
        return f"Best build fails {failures[0]} of fights, benchmark {failures[1]}."
    return f"Best build {words.say(whole.best)}, benchmark {words.number(whole.benchmark)}."


def _head(answer: AnalysisAnswer, *, full: bool) -> Iterator[Block]:
    words = answer.words
    tone = Tone.GOOD if answer.status is Status.HEALTHY else Tone.STRONG
    yield Text(answer.headline, Tone.BAD if answer.status is Status.BROKEN else tone)
    without = answer.without_first_cause
    if without is not None and answer.status is not Status.INCOMPLETE:
        banned = " + ".join(answer.titles.get(name, name) for name in answer.banned)
        yield Text(
            f"Without {banned} {without.viable_options} of {without.options} would be viable: "
            f"{_best_and_benchmark(without, words)}."
        )
    yield Text(_about(answer))
    if answer.status in (Status.TOO_SMALL, Status.INCOMPLETE) and answer.whole is not None:
        yield Text(f"The best build {words.does(answer.whole.best)}: {answer.whole.best_build}")
    if answer.status is Status.INCOMPLETE:
        yield Text("The run was interrupted, so the game is not judged: the benchmark needs all builds.")
    for group in answer.healths if full else ():
        if group.kind == "group":
            name = answer.titles.get(group.name, group.name)
            options = f"{group.viable_options} of {group.options} viable"
            yield Text(f"{name}: {options}, {_best_and_benchmark(group, words)}.")


def _best_and_benchmark(health: GameHealth, words: ScoreWords) -> str:
    said = f"best {words.say(health.best)}"
    return said if health.benchmark is None else f"{said}, benchmark {words.number(health.benchmark)}"


def _about(answer: AnalysisAnswer) -> str:
    facts = answer.facts
    share = facts.exact_share
    exact = "exact" if share == 1 else "all sampled" if share == 0 else f"{share:.1%} exact"
    scenarios = count(len(facts.scenarios), "scenario")
    if facts.all_scenarios > len(facts.scenarios):
        scenarios = f"{len(facts.scenarios)} of {facts.all_scenarios} scenarios"
    said = f"{facts.name}, {count(facts.builds, 'build')} ({exact}), {scenarios}"
    if answer.status is Status.INCOMPLETE:
        return f"{said}."
    found = [(answer.count(each), each) for each in (FindingSeverity.ERROR, FindingSeverity.WARNING)]
    told = ", ".join(count(number, word) if number else f"no {word}s" for number, word in found)
    return f"{said}: {told}."


def _findings(answer: AnalysisAnswer, lines: int | None) -> Iterator[Block]:
    """Findings as sentences with their codes, worst first; so many that a page stays a page."""
    left = len(answer.findings)
    before: ShownFinding | None = None
    for number, finding in enumerate(answer.findings):
        block = _finding(finding, before)
        if lines is not None:
            rest = 1 if left > 1 else 0  # the line that says how many are left out
            if number == MOST_FINDINGS or height(block) > lines - rest:
                break
            lines -= height(block)
        yield block
        left -= 1
        before = finding
    if left:
        grave = answer.findings[len(answer.findings) - left].severity
        yield Labelled("", f"and {left} more: --full lists them", _TONES[grave])


def _finding(finding: ShownFinding, before: ShownFinding | None) -> Labelled:
    sure = " (inconclusive)" if finding.certainty is Certainty.INCONCLUSIVE else ""
    text = finding.text.removesuffix(finding.evidence).strip()
    if before is not None and before.code is finding.code:
        text = _after_its_like(text, finding)
    more = tuple(line for line in (_evidence(finding), finding.holds) if line)
    shown = min(len(finding.listed), _MOST_LISTED)
    code, full = finding.code.value, text
    while shown > 1 and labelled_lines(f"{text}{sure} [{code}]") > _MOST_OF_ONE:
        shown -= 1
        text = full.replace(some_of(finding.listed), some_of(finding.listed, shown))
    return Labelled(finding.severity.value, text + sure, _TONES[finding.severity], code, more=more)


def _evidence(finding: ShownFinding) -> str:
    """A sentence that ends with a build; the build alone where the line has no room for both."""
    if labelled_lines(finding.evidence) <= 1:
        return finding.evidence
    return finding.evidence.rsplit(": ", 1)[-1]


def _after_its_like(text: str, finding: ShownFinding) -> str:
    """Shorter, below a finding of the same code."""
    if finding.code is FindingCode.MUST_HAVE and text.startswith("Without "):
        return text.replace(" the best build ", " it ", 1)
    if finding.code in (FindingCode.OVERCOSTED, FindingCode.TOO_WEAK):
        number = len(finding.subjects)
        options = f"{count(number, 'option')} {'misses' if number == 1 else 'miss'} the benchmark"
        return text.replace(options, f"{number:,} more {'misses' if number == 1 else 'miss'} it", 1)
    return text


def _fix(answer: AnalysisAnswer, proposal: StoredProposal | None, *, can_balance: bool) -> Iterator[Block]:
    if answer.status is not Status.BROKEN:
        return
    errors = sum(finding.is_error for finding in answer.findings)
    if proposal is None:
        if can_balance:
            yield Labelled("Fix", f"Not searched yet: {_command(answer, 'balance')} (about {_time(answer)})")
        elif fix := next((each.fix for each in answer.findings if each.is_error and each.fix), ""):
            yield Labelled("Fix", fix, Tone.GOOD)
        return
    if not proposal.edits or proposal.after is None:
        which = "the error" if errors == 1 else f"all {errors}"
        text = f"Not found: no set of cost raises and bans that was tried fixes {which}."
        yield Labelled("Fix", text)
        return
    yield Labelled(
        "Fix", fix_sentence(answer, proposal), Tone.GOOD, more=tuple(fix_effects(answer, proposal))
    )


def fix_sentence(answer: AnalysisAnswer, proposal: StoredProposal) -> str:
    """`Raise Barrage from 1 to 3: fixes all 5 errors, proved minimal.`"""
    errors = sum(finding.is_error for finding in answer.findings)
    proved = ", proved minimal" if proposal.is_proved_minimal else ""
    return f"{proposal.text}: {fixes(proposal.fixed, errors)}{proved}."


def fix_effects(answer: AnalysisAnswer, proposal: StoredProposal) -> Iterator[str]:
    """What the game is like after a fix, a sentence each."""
    after, words = proposal.after, answer.words
    assert after is not None  # noqa: S101 - the caller asked
    kept = (
        "all builds stay"
        if after.remaining_builds == 1
        else f"{as_share(after.remaining_builds)} of builds stay"
    )
    viable = f"{after.viable_options} of {after.options} options viable"
    yield f"{viable}, best {words.say(after.best)}, {kept} legal."
    weak = [
        name
        for code, name in proposal.newly_flagged
        if code in (FindingCode.OVERCOSTED, FindingCode.TOO_WEAK)
    ]
    if weak:
        names = [answer.titles.get(name, name) for name in weak]
        told = some_of(names) if len(names) > _MOST_LISTED else listed(names)
        yield f"After it {told} {'misses' if len(names) == 1 else 'miss'} the benchmark too."


# A search takes some seconds, and on one core as many more for each of so many builds.
_BUILDS_A_SECOND, _AT_LEAST = 10_000, 5


def _time(answer: AnalysisAnswer) -> str:
    seconds = _AT_LEAST + answer.facts.builds / _BUILDS_A_SECOND
    return (
        f"{round(seconds, -1 if seconds >= 10 else 0):.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
    )


def _command(answer: AnalysisAnswer, name: str, *words: str) -> str:
    return " ".join(word for word in ("buildsearch", name, answer.facts.folder, *words) if word)


def _steps(answer: AnalysisAnswer, proposal: StoredProposal | None, *, can_balance: bool) -> Iterator[Step]:
    facts = answer.facts
    again = "buildsearch optimize" + ("" if facts.is_default_rules else f" --rules {facts.rules}")
    if answer.status is Status.INCOMPLETE:
        yield Step(again, "continues where it stopped")
    elif answer.below_rules:
        usual = ", ".join(f"{name} {usual}" for name, (_, usual) in answer.below_rules.items())
        scenarios = (
            f", all {facts.all_scenarios} scenarios" if len(facts.scenarios) < facts.all_scenarios else ""
        )
        yield Step(again, f"what the rules give: {usual}{scenarios}")
    elif answer.status is Status.TOO_SMALL:
        yield Step(again, "more builds: raise the budget, or add options")
    elif answer.status is Status.INCONCLUSIVE:
        if answer.why_not:
            yield Step(again, "with harder scenarios")
        else:
            yield Step(f"{again} --ranking-fights 200000000", "more fights settle what is inconclusive")
    elif answer.status is Status.HEALTHY:
        yield Step("buildsearch check --update-baseline", "keep it that way in CI")
    if answer.status is Status.BROKEN and can_balance:
        why = "other proposals, and writing this one" if proposal is not None else "the smallest fixes"
        yield Step(_command(answer, "balance"), why)
    yield Step(
        _command(answer, "analyze", "--full"), f"tables; as CSV in {facts.path}/analysis", label="More"
    )


# For programs -----------------------------------------------------------------------------------------


def _data(answer: AnalysisAnswer, proposal: StoredProposal | None, steps: Sequence[Step]) -> dict[str, Any]:
    facts = answer.facts
    # Whether the proposal ends every error that costs and bans can end.
    fixed = proposal is not None and bool(proposal.edits) and proposal.fixed == proposal.errors
    return {
        "status": answer.status.value,
        "headline": answer.headline,
        "rules": facts.rules,
        "run": facts.path,
        "parameters": dict(facts.parameters),
        "metric": metric_data(answer.metric),
        "scenarios": list(facts.scenarios),
        "builds": facts.builds,
        "exact_share": facts.exact_share,
        "health": _health_data(answer),
        "counts": {each.value: answer.count(each) for each in FindingSeverity},
        "findings": [_finding_data(each, proposal, is_fixed=fixed) for each in answer.findings],
        "proposal": None if proposal is None else _proposal_data(proposal),
        "next": [{"command": step.command, "why": step.why} for step in steps],
        "tables": {table.name: f"{table.name}.csv" for table in answer.tables if table.rows},
        "seconds": answer.seconds,
    }


def _health_data(answer: AnalysisAnswer) -> dict[str, Any]:
    def numbers(health: GameHealth, *names: str) -> dict[str, Any]:
        shown = ("viable_options", "options", "best", "best_build", "benchmark")
        return {name: getattr(health, name) for name in (*names, *shown)}

    whole, without = answer.whole, answer.without_first_cause
    return {
        **({} if whole is None else numbers(whole)),
        "without_first_cause": None
        if without is None
        else {"banned": list(answer.banned), **numbers(without, "builds")},
        "by_type": [numbers(each, "name", "builds") for each in answer.healths if each.kind == "group"],
        "by_scenario": [numbers(each, "name") for each in answer.healths if each.kind == "scenario"],
    }


def _finding_data(
    finding: ShownFinding, proposal: StoredProposal | None, *, is_fixed: bool
) -> dict[str, Any]:
    fix = {"edits": [], "text": finding.fix, "is_verified": False} if finding.fix else None
    if proposal is not None and is_fixed and finding.is_error and finding.code in AIMED_AT:
        fix = {"edits": list(proposal.edits), "text": f"{proposal.text}.", "is_verified": True}
    return {
        **finding_data(finding),
        "numbers": dict(finding.numbers),
        "builds": [asdict(each) for each in finding.named],
        "fix": fix,
        "certainty": finding.certainty.value,
        "holds": finding.holds,
        "location": None
        if finding.location is None
        else {"file": finding.location[0], "line": finding.location[1]},
    }


def _proposal_data(proposal: StoredProposal) -> dict[str, Any]:
    return {
        "edits": list(proposal.edits),
        "text": proposal.text,
        "errors": proposal.errors,
        "fixed": proposal.fixed,
        "is_proved_minimal": proposal.is_proved_minimal,
        "after": None if proposal.after is None else {"health": asdict(proposal.after)},
        "newly_flagged": [{"code": code, "option": name} for code, name in proposal.newly_flagged],
    }

"""`check` as a page: how it ended, errors with their lines, a fix. Against earlier rules the edits first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from buildsearch.analysis.findings import OPTION_CLASSES, FindingCode
from buildsearch.balancing.first_proposal import StoredProposal
from buildsearch.balancing.what_if import Since
from buildsearch.document.blocks import (
    BLANK,
    Block,
    Cell,
    Column,
    Document,
    Kind,
    Labelled,
    More,
    Show,
    Step,
    Table,
    Text,
    Tone,
)
from buildsearch.gate.results import AssertionResult, CheckStatus, Level, Outcome, Violation
from buildsearch.model.text import count
from buildsearch.views.effects import edit_cells, edit_text, effect_data, game_sentences, line_of, undone
from buildsearch.views.phrases import fixes, score_column, some_of

_MOST_ERRORS = 30
_MOST_FIXED = 3
_IN_COMMENT = 2
_LONGEST_FILE = 20  # as the head of a column
_TONES = {CheckStatus.PASS: Tone.GOOD, CheckStatus.FAIL: Tone.BAD, CheckStatus.INCONCLUSIVE: Tone.WARNING}


@dataclass(frozen=True)
class Checked:
    """A check and what is known about its files and runs.

    `places` has file and line of each option, `fights` how many were spent near limits, `fix` the stored
    proposal of the run, `since` what was edited since earlier rules. `run` names the checked run where it is
    not the latest. `is_verbose`: warnings and all checks.
    """

    outcome: Outcome
    rules_file: str
    scenarios_file: str
    scenarios: Sequence[str]
    places: Mapping[str, tuple[str, int]]
    titles: Mapping[str, str]
    builds: int
    seconds: float
    fights: int = 0
    several: bool = False
    fix: StoredProposal | None = None
    since: Since | None = None
    run: str = ""
    is_verbose: bool = False
    data: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def lines(self) -> list[_Line]:
        """New findings, equal ones in one line."""
        return _lines(self, self.outcome.fresh)

    @cached_property
    def known(self) -> list[_Line]:
        """The same of accepted ones."""
        return _lines(self, self.outcome.known)

    @property
    def errors(self) -> list[_Line]:
        return [each for each in self.lines if each.is_error]

    @property
    def warnings(self) -> list[_Line]:
        return [each for each in self.lines if not each.is_error]


def check_document(answer: Checked) -> Document:
    head, since = _head(answer), answer.since
    if since is not None:
        said = _since_said(answer, since)
        head = f"{answer.outcome.verdict.value.capitalize()}: {_lowered(said)}"
    blocks: list[Block] = [Text(head, _tone(answer.outcome))]
    if since is not None:
        blocks += _since_blocks(answer, since)
    blocks += _findings(answer)
    blocks += _skipped(answer.outcome)
    if answer.is_verbose:
        blocks += [BLANK, _checks_table(answer.outcome)]
    blocks += _end(answer)
    title = f"buildsearch check: {answer.outcome.verdict.value}"
    return Document(title, tuple(blocks), _data(answer))


def comment_document(answer: Checked) -> Document:
    """The comment on a pull request: errors first, the rest folded away."""
    since, title = answer.since, f"Balance: {answer.outcome.verdict.value}"
    blocks: list[Block] = [Text(_head(answer))]
    if since is not None:
        title += f". {_since_said(answer, since)}"
        blocks = _since_blocks(answer, since, in_comment=True)
    first, rest = answer.errors[:_IN_COMMENT], answer.errors[_IN_COMMENT:]
    blocks += [each.block(answer, located=False) for each in first]
    old = answer.known if since is not None else []
    folded = [
        (rest, "more error"),
        (answer.warnings, "new warning" if since else "warning"),
        (old, "old finding"),
    ]
    if said := [count(len(lines), what) for lines, what in folded if lines]:
        inside = [each.block(answer, located=False) for lines, _ in folded for each in lines]
        blocks.append(More(", ".join(said), tuple(inside)))
    blocks += _skipped(answer.outcome)
    blocks += _end(answer)
    return Document(title, tuple(blocks), _data(answer))


# How it ended.
def _tone(outcome: Outcome) -> Tone:
    idle = any(result.is_skipped for result in outcome.results)
    return Tone.WARNING if outcome.verdict is CheckStatus.PASS and idle else _TONES[outcome.verdict]


def _head(answer: Checked) -> str:
    outcome, total = answer.outcome, len(answer.outcome.results)
    size = f"{answer.builds:,} builds, {answer.seconds:.0f} s."
    warned = _and_count(", ", sum(not each.is_open for each in answer.warnings), "warning")
    if outcome.verdict is CheckStatus.FAIL:
        errors = sum(not each.is_open for each in answer.errors)
        return f"Fail: {count(errors, 'error')}{warned} in {answer.rules_file}. {size}"
    if outcome.verdict is CheckStatus.INCONCLUSIVE:
        close = len({(each.assertion, each.where) for each in outcome.fresh if each.is_open})
        verb = "is" if close == 1 else "are"
        after = f" after {answer.fights:,} fights" if answer.fights else ""
        return (
            f"Inconclusive: {close} of {count(total, 'check')} {verb} too close to the limit{after}. {size}"
        )
    skipped = sum(result.is_skipped for result in outcome.results)
    left_out = f", {skipped} skipped" if skipped else ""
    return f"Pass: {total - skipped} of {count(total, 'check')}{left_out}{warned}. {size}"


def _and_count(before: str, number: int, what: str) -> str:
    return f"{before}{count(number, what)}" if number else ""


def _since_said(answer: Checked, since: Since) -> str:
    if not since.edits:
        return f"No edits since {since.since}."
    if since.effect is None:
        return f"No edit since {since.since} changes a fight or a cost."
    lines, errors, warnings = answer.lines, len(answer.errors), len(answer.warnings)
    if not lines:
        return f"No new errors and no new warnings since {since.since}."
    said = count(errors, "new error") if errors else "No new errors"
    said += _and_count(", ", warnings, "new warning")
    edits = _edits_behind(lines, since)
    if len(edits) == 1:
        whole = "all from one edit" if len(lines) > 1 else "from one edit"
        return f"{said} since {since.since}, {whole}: {edit_text(since.edits[edits[0]], since.titles)}."
    return f"{said} since {since.since}, from {count(len(edits), 'edit')}."


def _edits_behind(lines: Sequence[_Line], since: Since) -> list[int]:
    """The numbers of the edits behind some findings."""
    found = [each for line in lines for each in line.findings]
    return sorted({number for each in found for number in since.behind.get(each.fingerprint, ())})


# Edits since earlier rules.
def _since_blocks(answer: Checked, since: Since, *, in_comment: bool = False) -> list[Block]:
    if not since.edits:
        return []
    blocks: list[Block] = [BLANK, _edit_table(answer, since, in_comment=in_comment)]
    if since.effect is not None:
        blocks.append(Text(" ".join(game_sentences(since.effect))))
    return [*blocks, BLANK] if answer.outcome.fresh else blocks


def _edit_table(answer: Checked, since: Since, *, in_comment: bool) -> Table:
    effect = since.effect
    rows: list[tuple[Cell, ...]] = []
    for number, edit in enumerate(since.edits):
        mine = [each for each in answer.lines if number in _edits_behind([each], since)]
        errors = sum(each.is_error for each in mine)
        new = _and_count("", errors, "error")
        new += _and_count(", " if new else "", len(mine) - errors, "warning")
        line, text = line_of(edit), edit_text(edit, since.titles)
        if in_comment and line is not None:
            text = f"{text} ({answer.rules_file}:{line})"
        rows.append((line, text, *edit_cells(effect, edit, is_text=since.is_text[number]), new or "none"))
    is_short = in_comment or len(answer.rules_file) > _LONGEST_FILE
    columns = (
        Column("line", Kind.COUNT, show=Show.FILE if in_comment else Show.ALWAYS),
        Column("edit", Kind.TEXT, head="edit" if is_short else f"edit in {answer.rules_file}"),
        score_column("best", "its best build", None if effect is None else effect.words),
        Column("rank", Kind.TEXT),
        Column("findings", Kind.TEXT, head="new findings"),
    )
    return Table("edits", "", columns, rows, shown=20)


# Findings, equal ones in one line.
@dataclass(frozen=True)
class _Line:
    findings: tuple[Violation, ...]
    text: str

    @property
    def first(self) -> Violation:
        return self.findings[0]

    @property
    def is_error(self) -> bool:
        return self.first.level is Level.ERROR

    @property
    def is_open(self) -> bool:
        return self.first.is_open

    @property
    def word(self) -> str:
        return "inconclusive" if self.is_open else "error" if self.is_error else "warning"

    @property
    def subjects(self) -> list[str]:
        return list(dict.fromkeys(name for each in self.findings for name in each.subjects))

    def block(self, answer: Checked, *, located: bool = True) -> Labelled:
        tone = Tone.BAD if self.is_error and not self.is_open else Tone.WARNING
        text = self.text
        if answer.several:
            text = f"{text.rstrip('.')} ({self.first.where})."
        return Labelled(
            self.word, text, tone, code=self.first.code, place=self._place(answer) if located else ""
        )

    def _place(self, answer: Checked) -> str:
        for name in self.subjects:
            if name in answer.places:
                file, line = answer.places[name]
                return f"{file}:{line}"
        about_scenarios = self.first.code in (FindingCode.INSTANT_WIN, FindingCode.FLAT_SCENARIO) or any(
            name in answer.scenarios for name in self.subjects
        )
        return answer.scenarios_file if about_scenarios else answer.rules_file


def _lines(answer: Checked, findings: Sequence[Violation]) -> list[_Line]:
    whole = Counter(_key(each) for result in answer.outcome.results for each in result.findings if each.group)
    groups: dict[tuple[object, ...], list[Violation]] = {}
    for each in findings:
        groups.setdefault(_key(each) if each.group else (each.fingerprint, each.is_open), []).append(each)
    found = []
    for key, mine in groups.items():
        first = mine[0]
        if not first.group:
            text = first.message
        elif len(mine) == whole[key]:
            text = first.group
        else:
            text = _listed(mine, answer.titles)
        found.append(_Line(tuple(mine), text))
    return found


def _key(finding: Violation) -> tuple[object, ...]:
    return (finding.assertion, finding.where, finding.level, finding.is_open, finding.group)


def _listed(findings: Sequence[Violation], titles: Mapping[str, str]) -> str:
    """Some of the options of a list, by what is wrong with them."""
    if len(findings) == 1:
        return findings[0].message
    names = [titles.get(name, name) for each in findings for name in each.subjects]
    code = findings[0].code
    known = OPTION_CLASSES.get(FindingCode(code)) if code in set(FindingCode) else None
    return f"{len(names)} options are {known.name if known else code}: {some_of(names)}."


def _findings(answer: Checked) -> list[Block]:
    errors, warnings, outcome = answer.errors, answer.warnings, answer.outcome
    blocks: list[Block] = []
    if errors and answer.since is None:
        blocks.append(BLANK)
    blocks += [each.block(answer) for each in errors[:_MOST_ERRORS]]
    if len(errors) > _MOST_ERRORS:
        blocks.append(Text(f"{count(len(errors) - _MOST_ERRORS, 'more error')}; --json lists all."))
    if answer.is_verbose:
        blocks += [each.block(answer) for each in warnings]
    elif warnings and errors:
        blocks.append(Text(f"{count(len(warnings), 'warning')}: {_folded(warnings)}. --verbose lists them."))
    else:
        blocks += [each.block(answer, located=False) for each in warnings]
    blocks += [Labelled("fixed", sentence, Tone.GOOD) for sentence in outcome.fixed[:_MOST_FIXED]]
    if len(outcome.fixed) > _MOST_FIXED:
        more = count(len(outcome.fixed) - _MOST_FIXED, "more finding")
        blocks.append(Labelled("fixed", f"{more}.", Tone.GOOD))
    if outcome.known and answer.since is None:
        blocks.append(Text(f"The baseline accepts {count(len(outcome.known), 'finding')}.", Tone.DIM))
    elif outcome.known:
        verb = "is" if len(answer.known) == 1 else "are"
        blocks.append(Text(f"{count(len(answer.known), 'old finding')} {verb} not shown.", Tone.DIM))
    return blocks


def _folded(lines: Sequence[_Line]) -> str:
    """`undercosted (6 options), overcosted (6)`."""
    sizes: dict[str, int] = {}
    for each in lines:
        sizes[each.first.code] = sizes.get(each.first.code, 0) + len(each.findings)
    said: list[str] = []
    for code, size in sizes.items():
        many = any(each.first.group for each in lines if each.first.code == code)
        unit = " options" if many and not said else ""
        said.append(f"{code} ({size}{unit if size != 1 else unit.rstrip('s')})" if many or size > 1 else code)
    return ", ".join(said)


def _skipped(outcome: Outcome) -> list[Block]:
    """Checks that cannot fail here, in one line for each reason."""
    texts = [each.remark.text for each in outcome.results if each.is_skipped and each.remark is not None]
    total = count(len(outcome.results), "check")
    return [
        Text(f"Skipped {many} of {total}: {_lowered(why)}", Tone.WARNING, indent=2)
        for why, many in Counter(texts).items()
    ]


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _end(answer: Checked) -> list[Block]:
    outcome, fix = answer.outcome, answer.fix
    if answer.since is not None:
        return _undo(answer, answer.since)
    if outcome.verdict is CheckStatus.INCONCLUSIVE:
        more = max(200_000_000, 4 * answer.fights)
        return [Step(f"buildsearch check --fights {more}", "or --inconclusive pass (or fail)")]
    if outcome.verdict is not CheckStatus.FAIL or not answer.errors:
        return []
    if fix is not None and fix.edits and fix.fixed:
        does = "fixes both errors" if fix.fixed == fix.errors == 2 else fixes(fix.fixed, fix.errors)
        return [Labelled("Fix", f"{fix.text}{_at_line(answer, fix)}: {does}.", Tone.GOOD)]
    if fix is not None:
        return [Labelled("Fix", "Not found: no cost increases and bans that were tried fix it.", Tone.GOOD)]
    return [Step(f"buildsearch balance {answer.run}".rstrip(), "searches the smallest fix", label="Fix")]


def _at_line(answer: Checked, fix: StoredProposal) -> str:
    name = fix.edits[0].partition(".")[0]
    if len(fix.edits) == 1 and name in answer.places:
        return f" (line {answer.places[name][1]})"
    return ""


def _undo(answer: Checked, since: Since) -> list[Block]:
    numbers = _edits_behind(answer.errors, since)
    if not numbers:
        return []
    said = "; ".join(undone(since.edits[number], since.titles) for number in numbers[:3])
    more = f"; and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return [Labelled("Fix", f"{said}{more}.", Tone.GOOD)]


def _checks_table(outcome: Outcome) -> Table:
    columns = (
        Column("check", Kind.TEXT),
        Column("kind", Kind.TEXT, show=Show.WIDE),
        Column("level", Kind.TEXT),
        Column("where", Kind.TEXT, show=Show.WIDE),
        Column("result", Kind.TEXT),
        Column("findings", Kind.COUNT),
        Column("remark", Kind.TEXT, show=Show.OWN_LINE),
    )
    rows = [tuple("" if cell is None else cell for cell in row.values()) for row in check_rows(outcome)]
    return Table("checks", "", columns, rows, shown=200)


def check_rows(outcome: Outcome) -> list[dict[str, Cell]]:
    return [
        {
            "check": result.assertion,
            "kind": result.kind,
            "level": result.level.value,
            "where": result.where,
            "result": _result(outcome, result),
            "findings": len(result.findings),
            "remark": None if result.remark is None else result.remark.text,
        }
        for result in outcome.results
    ]


def _result(outcome: Outcome, result: AssertionResult) -> str:
    if outcome.accepts(result):
        return "accepted"
    if result.is_skipped:
        return "skipped"
    if result.verdict is CheckStatus.FAIL and result.level is Level.WARN:
        return "warning"
    return result.verdict.value


def _data(answer: Checked) -> dict[str, object]:
    outcome = answer.outcome
    counts = Counter(each.word for each in answer.lines)
    since = answer.since
    return {
        "status": outcome.verdict.value,
        "counts": {name: counts[name] for name in ("error", "warning", "inconclusive")},
        "findings": [_finding_data(answer, each) for each in outcome.fresh],
        "accepted": [each.fingerprint for each in outcome.known],
        "fixed": list(outcome.fixed),
        "checks": [
            row | {"can_fail": result.can_fail}
            for row, result in zip(check_rows(outcome), outcome.results, strict=True)
        ],
        "proposal": None
        if answer.fix is None or not answer.fix.edits
        else {"edits": list(answer.fix.edits), "text": answer.fix.text, "fixed": answer.fix.fixed},
        "since": None if since is None else _since_data(since),
        "builds": answer.builds,
        "seconds": round(answer.seconds, 3),
        **answer.data,
    }


def _finding_data(answer: Checked, finding: Violation) -> dict[str, object]:
    file, line = next(
        (answer.places[name] for name in finding.subjects if name in answer.places), (answer.rules_file, None)
    )
    return {
        "code": finding.code,
        "check": finding.assertion,
        "kind": finding.kind,
        "severity": "error" if finding.level is Level.ERROR else "warning",
        "subjects": list(finding.subjects),
        "where": finding.where,
        "text": finding.message,
        "value": finding.value,
        "limit": finding.limit,
        "excess": finding.excess,
        "builds": finding.builds,
        "example": finding.example,
        "fix": finding.fix,
        "is_inconclusive": finding.is_open,
        "location": {"file": file, "line": line},
        "fingerprint": finding.fingerprint,
    }


def _since_data(since: Since) -> dict[str, object]:
    return {
        "rules": since.since,
        "edits": [
            {
                "text": edit_text(edit, since.titles),
                "option": edit.subject,
                "line": line_of(edit),
                "changes_fights_or_costs": not is_text,
                "findings": [print_ for print_, numbers in since.behind.items() if number in numbers],
            }
            for number, (edit, is_text) in enumerate(zip(since.edits, since.is_text, strict=True))
        ],
        **({} if since.effect is None else effect_data(since.effect)),
    }

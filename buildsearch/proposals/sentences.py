"""An answer in words: the same on a terminal, in Markdown and on a page."""

from __future__ import annotations

from collections.abc import Sequence

from buildsearch.analysis.findings import Finding
from buildsearch.model.text import as_text, table_lines
from buildsearch.proposals.answers import Answer, Proposal, count_edits
from buildsearch.proposals.measure import Measure, describe

HEADS = (
    "",
    "edits",
    "steps",
    "best",
    "benchmark",
    "ahead by",
    "free at 0.9",
    "free at 0.8",
    "builds kept",
    "ranks move",
    "must-haves",
    "overpowered",
    "decided",
)


def row(name: str, measure: Measure, edits: int | None = None, steps: int | None = None) -> tuple[str, ...]:
    """One line of the table that compares proposals."""
    strict, usual = measure.free(0.9), measure.free(0.8)
    return (
        name,
        "" if edits is None else str(edits),
        "" if steps is None else str(steps),
        f"{measure.best:.4g}",
        "none" if measure.reference is None else f"{measure.reference:.4g}",
        measure.ahead_text,
        f"{strict.options}/{strict.of}",
        f"{usual.options}/{usual.of}",
        f"{measure.kept:.1%}",
        f"{measure.shift:.1%}",
        str(len(measure.must_haves)),
        str(measure.overpowered),
        str(measure.decided),
    )


def rows(answer: Answer) -> list[tuple[str, ...]]:
    """Today, then every proposal."""
    return [
        row("today", answer.before),
        *(
            row(str(number), each.after, len(each.edits), each.steps)
            for number, each in enumerate(answer.proposals, start=1)
        ),
    ]


def title(proposal: Proposal) -> str:
    """What it does."""
    return f"{describe(proposal.edits)}."


def remarks(proposal: Proposal) -> list[str]:
    """What is to be known about it, a sentence each."""
    said = []
    if proposal.proof or proposal.best_at:
        words = "; ".join(word for word in (proposal.proof, proposal.best_at) if word)
        said.append(f"{words[0].upper()}{words[1:]}.")
    if proposal.open_why:
        said.append(f"Open: {proposal.open_why}.")
    if proposal.sampled:
        said.append(f"It hangs on sampled scores: {', '.join(proposal.sampled)}.")
    best = f"The best build is then {proposal.after.best_build} ({proposal.after.best:.4g})"
    ahead = proposal.after.ahead_text
    said.append(f"{best}, ahead of the benchmark by {ahead}." if ahead else f"{best}.")
    if proposal.still_ahead:
        said.append(f"It moves the benchmark: {still_ahead(proposal)}.")
    gone, stays = proposal.change.gone, proposal.change.stays
    said.append(f"It ends {_counted(gone)}; {_counted(stays)} stay{'s' if len(stays) == 1 else ''}.")
    said.append(f"New: {_named(proposal.change.new)}.")
    return said


def still_ahead(proposal: Proposal) -> str:
    """What is wrong with a proposal that moves the benchmark."""
    return f"the best build stays ahead of today's by {proposal.still_ahead}"


def _by_kind(findings: Sequence[Finding]) -> dict[str, list[str]]:
    by_kind: dict[str, list[str]] = {}
    for each in findings:
        by_kind.setdefault(each.code, []).append(" + ".join(each.subjects))
    return by_kind


def _counted(findings: Sequence[Finding]) -> str:
    if not findings:
        return "no finding"
    kinds = ", ".join(f"{len(names)} {kind}" for kind, names in _by_kind(findings).items())
    return f"{len(findings)} finding{'' if len(findings) == 1 else 's'} ({kinds})"


def _named(findings: Sequence[Finding]) -> str:
    said = "; ".join(f"{kind} ({', '.join(names)})" for kind, names in _by_kind(findings).items())
    return said or "nothing"


def goal_line(answer: Answer) -> str:
    """What was asked."""
    return "Goal: " + "; ".join(goal.words for goal in answer.goals) + "."


def conclusion(answer: Answer, run: str) -> str:
    """What to do next, in a sentence that may name arguments."""
    if answer.unjudged:
        return "Nobody can be accused in so small or so even a game, so nothing is proposed."
    if answer.is_kept_already:
        return "The goal is kept already: nothing has to change."
    if answer.proposals:
        first = answer.proposals[0]
        unsure = " (open)" if first.open_why else ""
        return (
            f"Begin with proposal 1{unsure}: {title(first)} "
            f"`buildsearch balance {run} --apply 1 --out rules/mine.yaml`, with the other options of this "
            "search, writes it."
        )
    return _why_none(answer)


def _why_none(answer: Answer) -> str:
    """Why nothing is proposed, and what to try."""
    if answer.outside:
        also = f", and {' and '.join(answer.core)} unlocked" if answer.core else ""
        return (
            f"The goal cannot be kept by moving only what may be moved: with {', '.join(answer.outside)} as "
            f"well{also} it would hold. Allow that too, or ask for less."
        )
    if answer.core:
        many = "this lock" if len(answer.core) == 1 else "these locks"
        return (
            f"The goal cannot be kept: {many} prevent{'s' if len(answer.core) == 1 else ''} it. With "
            f"{', '.join(answer.core)} it would hold. Lift {many}, or ask for less."
        )
    if answer.proof.startswith("Proved:") and answer.stuck:
        return (
            f"The goal cannot be kept by raises, bans and lower limits: {', '.join(answer.stuck)} would stay "
            "whatever is raised or banned. Allow more with ‹levers› or ‹steps›, or ask for less."
        )
    if answer.proof.startswith("Proved:") and answer.could_let_in:
        return (
            "No raises, bans or lower limits keep the goal, and nothing was found that lets builds in and "
            "does. Allow more with ‹levers›, ‹steps› or ‹seconds›, or ask for less."
        )
    if answer.proof.startswith("Proved:"):
        return (
            "The goal cannot be kept by what may be moved. Allow more with ‹levers› or ‹steps›, or ask for "
            "less."
        )
    return "Nothing was found that keeps the goal. Allow more with ‹levers›, ‹steps› or ‹seconds›."


def markdown(answer: Answer, name: str, last: str) -> str:
    """For a pull request; `last` is the conclusion."""
    lines = [f"### Balance of {as_text(name)}", "", as_text(goal_line(answer)), ""]
    lines += table_lines(HEADS, rows(answer), numbers=True)
    for number, proposal in enumerate(answer.proposals, start=1):
        lines += ["", f"**{number}. {as_text(title(proposal))}** {as_text(' '.join(remarks(proposal)))}"]
    lines += ["", *(as_text(note) for note in (answer.proof, *answer.notes) if note), ""]
    return "\n".join([*lines, f"**{as_text(last)}**", ""])


def as_data(answer: Answer) -> dict[str, object]:
    """For programs."""
    return {
        "goals": [goal.text for goal in answer.goals],
        "broken": list(answer.broken),
        "already_kept": answer.is_kept_already,
        "unjudged": answer.unjudged,
        "before": measure_data(answer.before),
        "proof": answer.proof,
        "notes": list(answer.notes),
        "locks_in_the_way": list(answer.core),
        "would_be_needed": list(answer.outside),
        "builds_that_stay": list(answer.stuck),
        "incomplete": answer.is_partial,
        "ended_by_clock": answer.ended_by_clock,
        "proposals": [proposal_data(each) for each in answer.proposals],
        "seconds": answer.seconds,
    }


def proposal_data(proposal: Proposal) -> dict[str, object]:
    """One proposal."""
    return {
        "edits": [
            {
                "edit": edit.text,
                "lever": edit.lever,
                "kind": edit.kind,
                "steps": edit.steps,
                "words": edit.words,
            }
            for edit in proposal.edits
        ],
        "steps": proposal.steps,
        "best_at": proposal.best_at,
        "proof": proposal.proof,
        "open": proposal.open_why,
        "sampled": list(proposal.sampled),
        "moves_benchmark": bool(proposal.still_ahead),
        "after": measure_data(proposal.after),
        "findings": {
            "gone": [_finding(each) for each in proposal.change.gone],
            "stay": [_finding(each) for each in proposal.change.stays],
            "new": [_finding(each) for each in proposal.change.new],
        },
    }


def measure_data(measure: Measure) -> dict[str, object]:
    """A game in numbers."""
    return {
        "builds": measure.builds,
        "kept": measure.kept,
        "ranks_move": measure.shift,
        "best": measure.best,
        "best_build": measure.best_build,
        "reference": measure.reference,
        "ahead": measure.ahead,
        "freedom": {f"{each.least:g}": each.options for each in measure.freedom},
        "options": measure.freedom[0].of,
        "overpowered_builds": measure.overpowered,
        "must_haves": list(measure.must_haves),
        "decided": measure.decided,
        "findings": [_finding(each) for each in measure.findings],
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "subjects": list(finding.subjects),
        "certainty": finding.certainty,
    }


def explained(before: Measure, after: Measure, kept: Sequence[tuple[str, bool]]) -> str:
    """The last word on an edit of one's own."""
    broken = [words for words, is_kept in kept if not is_kept]
    said = (
        f"It takes the best from {before.best:.4g} to {after.best:.4g}, freedom at 0.8 from "
        f"{before.free(0.8).options} to {after.free(0.8).options} of {after.free(0.8).of}, and keeps "
        f"{after.kept:.1%} of the builds."
    )
    if broken:
        return f"{said} The goal is not kept: it is not so that {'; nor that '.join(broken)}."
    return f"{said} The goal is kept."


__all__ = ["as_data", "conclusion", "count_edits", "explained", "markdown", "remarks", "rows", "title"]

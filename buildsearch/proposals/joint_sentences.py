"""An answer for several games in words and as data."""

from __future__ import annotations

from collections.abc import Sequence

from buildsearch.model.text import as_text, table_lines
from buildsearch.proposals.joint import GameToday, JointAnswer, JointProposal
from buildsearch.proposals.measure import describe
from buildsearch.proposals.sentences import HEADS, measure_data, proposal_data, row, still_ahead


def today_line(game: GameToday) -> str:
    """What is wrong in a game today, and how much of it is known."""
    known = f"all {game.builds:,} builds" if game.is_whole else f"{game.known:,} of {game.builds:,} builds"
    said = f"not kept: {', '.join(game.broken)}" if game.broken else "the goal is kept"
    return f"{game.label} ({known}): {said}."


def rows(answer: JointAnswer) -> list[tuple[str, ...]]:
    """Every game today, then under each proposal."""
    found = [row(f"{game.label}, today", game.before) for game in answer.games]
    for number, each in enumerate(answer.proposals, start=1):
        found += [
            row(f"{number}: {label}", part.after, len(each.edits), each.steps)
            for label, part in each.by_game.items()
        ]
    return found


def title(proposal: JointProposal) -> str:
    """What it does."""
    return f"{describe(proposal.edits)}."


def binding(proposal: JointProposal) -> str:
    """Which game asks for this much."""
    if not proposal.binds:
        return "Less would do in every game: another set of edits is smaller."
    bound = ", ".join(proposal.binds)
    if len(proposal.by_game) > 1 and len(proposal.binds) == len(proposal.by_game):
        return "All games bind alike: whatever goes less far breaks the goal in each of them."
    shown = [each for each in proposal.weaker if set(each.breaks) & set(proposal.binds)][:2]
    less = " or ".join(f"`{each.text}`" for each in shown)
    free = [label for label in proposal.by_game if label not in {name for w in shown for name in w.breaks}]
    also = f", while {' and '.join(free)} would keep it" if free else ""
    return f"What binds is {bound}: with {less} the goal breaks there{also}."


def remarks(proposal: JointProposal) -> list[str]:
    """What is to be known about it, a sentence each."""
    said = [binding(proposal)] if len(proposal.by_game) > 1 else []
    if proposal.best_at:
        said.append(f"{proposal.best_at[0].upper()}{proposal.best_at[1:]}.")
    for label, part in proposal.by_game.items():
        if part.proof:
            said.append(f"At {label}: {part.proof}.")
        if part.open_why:
            said.append(f"Open at {label}: {part.open_why}.")
        if part.still_ahead:
            said.append(f"At {label} it moves the benchmark: {still_ahead(part)}.")
        if part.sampled:
            said.append(f"At {label} it hangs on sampled scores: {', '.join(part.sampled)}.")
    return said


def conclusion(answer: JointAnswer, command: str) -> str:
    """What to do next."""
    if answer.is_kept_already:
        return "The goal is kept in all games already: nothing has to change."
    if not answer.proposals:
        return (
            f"{answer.proof or 'Nothing was found that keeps the goal in all games.'} Allow more with "
            "‹levers›, ‹steps› or ‹seconds›, or ask for less."
        )
    first = answer.proposals[0]
    partly = [game.label for game in answer.games if not game.is_whole]
    but = (
        f" Not every build of {' and '.join(partly)} was scored: run optimize there before you rely on it."
        if partly
        else ""
    )
    undecided = [label for label, part in first.by_game.items() if part.open_why]
    kept = [label for label in first.by_game if label not in undecided]
    holds = f"It keeps the goal in {', '.join(kept)}. " if kept else ""
    if undecided:
        holds += f"Nothing breaks it for certain in {', '.join(undecided)}, where it is open. "
    return (
        f"Begin with proposal 1{' (open)' if undecided else ''}: {title(first)} {holds}"
        f"`{command} --apply 1 --out rules/mine.yaml` writes it.{but}"
    )


def markdown(answer: JointAnswer, name: str, last: str, checks: Sequence[str] = ()) -> str:
    """For a pull request."""
    lines = [f"### Balance of {as_text(name)}", ""]
    lines += [f"Goal: {as_text('; '.join(goal.words for goal in answer.goals))}.", ""]
    lines += [f"- {as_text(today_line(game))}" for game in answer.games]
    lines += ["", *table_lines(HEADS, rows(answer), numbers=True)]
    for number, proposal in enumerate(answer.proposals, start=1):
        lines += ["", f"**{number}. {as_text(title(proposal))}** {as_text(' '.join(remarks(proposal)))}"]
    lines += ["", *(as_text(note) for note in (answer.proof, *answer.notes, *checks) if note), ""]
    return "\n".join([*lines, f"**{as_text(last)}**", ""])


def as_data(answer: JointAnswer) -> dict[str, object]:
    """For programs."""
    return {
        "goals": [goal.text for goal in answer.goals],
        "already_kept": answer.is_kept_already,
        "games": [
            {
                "game": game.label,
                "builds": game.builds,
                "scored": game.known,
                "broken": list(game.broken),
                "before": measure_data(game.before),
            }
            for game in answer.games
        ],
        "proof": answer.proof,
        "notes": list(answer.notes),
        "incomplete": answer.is_partial,
        "proposals": [
            {
                "edits": [edit.text for edit in each.edits],
                "steps": each.steps,
                "binds": list(each.binds),
                "weaker": [{"edit": less.text, "breaks": list(less.breaks)} for less in each.weaker],
                "games": {label: proposal_data(part) for label, part in each.by_game.items()},
            }
            for each in answer.proposals
        ],
        "seconds": answer.seconds,
    }

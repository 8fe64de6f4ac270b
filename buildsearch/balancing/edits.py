"""Edits in words or as a file, and made in rules: as data and as text."""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from buildsearch.balancing.edited_game import EditedGame
from buildsearch.model.errors import InputError, Problem, UsageError
from buildsearch.model.levers import Add, Edit, Lever, Put
from buildsearch.model.space import BuildSpace, Wanted
from buildsearch.ruleset.messages import suggest
from buildsearch.ruleset.text_edits import rewrite
from buildsearch.ruleset.yaml_reader import YamlDocument

_HINT = "Write such as `barrage.cost=3`, `ban barrage+charges_1` or `ban bleed@area`."


def read_edits(words: Sequence[str], levers: Sequence[Lever]) -> tuple[Edit, ...]:
    """The edits that words name, each lever once; raises InputError with every problem."""
    known = {edit.text: edit for lever in levers for edit in lever.edits}
    # The full path of a value names the same edit.
    known |= {
        f"{'.'.join(map(str, write.path))}={getattr(write, 'value', '')}": edit
        for edit in list(known.values())
        for write in edit.writes
        if hasattr(write, "value")
    }
    found: dict[str, Edit] = {}
    problems = []
    for word in (part for text in words for part in re.split(r"[,;]", text)):
        text = _plain(word)
        edit = known.get(text)
        if edit is None:
            problems.append(_problem(text, word, known, levers))
        elif edit.lever in found:
            problems.append(Problem(f"`{edit.lever}` is moved twice", source=f"‹try› {word.strip()}"))
        else:
            found[edit.lever] = edit
    if problems:
        raise InputError(problems)
    return tuple(found.values())


# What says which file it is, and not what its rules are.
_HEAD = ("id", "name", "extends", "source")


def edits_between(
    before: Mapping[str, Any], after: Mapping[str, Any], levers: Sequence[Lever]
) -> tuple[Edit, ...]:
    """The edits that lead from rules to edited ones; raises UsageError where more than levers was moved."""
    made = [
        edit
        for lever in levers
        for edit in lever.edits
        if all(_is_made(each, before, after) for each in edit.writes)
    ]
    reached = edited_data(before, made)
    other = [
        key
        for key in {**reached, **after}
        if key not in _HEAD and _in_any_order(reached.get(key)) != _in_any_order(after.get(key))
    ]
    if other:
        raise UsageError(
            f"the file changes more than costs, bans and caps (under {', '.join(sorted(other))}), and "
            "only those can be judged without new fights. `buildsearch diff` takes any file."
        )
    return tuple(made)


def _is_made(write: Put | Add, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    was, now = _at(before, write.path), _at(after, write.path)
    if isinstance(write, Put):
        return bool(now == write.value and was != write.value)
    entry = dict(write.entry)
    return (now or []).count(entry) > (was or []).count(entry)


def _at(data: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        data = data.get(str(step)) if isinstance(data, Mapping) else None
    return data


def _in_any_order(value: Any) -> Any:
    """Lists of exclusions and bans say the same in any order."""
    return sorted(map(repr, value)) if isinstance(value, list) else value


def _plain(word: str) -> str:
    text = " ".join(word.split()).replace(" = ", "=").replace(" + ", "+").replace(" @ ", "@")
    if "=" not in text and not text.startswith("ban ") and ("+" in text or "@" in text):
        text = f"ban {text}"
    if text.startswith("ban ") and "+" in text:
        text = "ban " + "+".join(sorted(text.removeprefix("ban ").split("+")))
    return text


def _problem(text: str, word: str, known: dict[str, Edit], levers: Sequence[Lever]) -> Problem:
    source = f"‹try› {word.strip()}"
    name = text.partition("=")[0]
    lever = next((each for each in levers if each.name == name), None)
    if lever is not None:
        values = ", ".join(edit.text for edit in lever.edits)
        return Problem(f"`{text}` is not an edit of `{name}`", source=source, hint=f"It may be: {values}.")
    if text.startswith("ban "):
        return Problem(
            f"`{text.removeprefix('ban ')}` cannot be banned: it is already, or there is no such thing",
            source=source,
            hint=suggest(text, known),
        )
    names = [*(each.name for each in levers), *known]
    hint = f"{suggest(text, names)} {_HINT} A number that changes fights goes to `diff RULES --set`."
    return Problem(f"`{text}` is not a cost, ban or cap of these rules", source=source, hint=hint)


def edited_data(data: Mapping[str, Any], edits: Sequence[Edit]) -> dict[str, Any]:
    made = copy.deepcopy(dict(data))
    for write in writes_of(edits):
        holder: Any = made
        steps = [str(step) if isinstance(holder, dict) else step for step in write.path]
        for step in steps[:-1]:
            holder = holder.setdefault(step, {}) if isinstance(holder, dict) else holder[int(step)]
        if isinstance(write, Put):
            holder[int(steps[-1]) if isinstance(holder, list) else steps[-1]] = write.value
        else:
            listed = holder.get(steps[-1]) or []
            holder[steps[-1]] = [*listed, copy.deepcopy(dict(write.entry))]
    return made


def writes_of(edits: Sequence[Edit]) -> list[Put | Add]:
    return [write for edit in edits for write in edit.writes]


def edited_text(text: str, edits: Sequence[Edit], document: YamlDocument) -> str:
    """The text of a rules file with edits made; `document` is what it and its parents say together."""
    return rewrite(text, writes_of(edits), document.root)


def patch(before: str, after: str, name: str) -> str:
    """A unified diff, as `git apply` and `patch` take it."""
    # Not splitlines: tools that take a patch know no other ends of lines than \n.
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    lines = difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def differs_from(space: BuildSpace, wanted: Wanted, state: EditedGame) -> str | None:
    """Whether the builds of edited rules are those that the table says; else in words where not."""
    counts = space.count(wanted)
    scores = state.court.table.population.scores
    here = np.bincount(scores.group[state.rows], minlength=len(scores.groups))
    for name, number in counts.items():
        mine = int(here[scores.groups.index(name)]) if name in scores.groups else 0
        if mine != number:
            return f"{name} has {number:,} builds under the edited rules, and {mine:,} of them were judged"
    return None

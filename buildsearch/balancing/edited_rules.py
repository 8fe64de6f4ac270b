"""Edits made in rules: as data, and in the text of a file with nothing else changed."""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from buildsearch.balancing.state import State
from buildsearch.model.levers import Add, Edit, Put
from buildsearch.model.space import BuildSpace, Wanted
from buildsearch.ruleset.text_edits import rewrite
from buildsearch.ruleset.yaml_reader import Document


def edited_data(data: Mapping[str, Any], edits: Sequence[Edit]) -> dict[str, Any]:
    """The plain data of rules with edits made."""
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
    """Everything that edits write, in order."""
    return [write for edit in edits for write in edit.writes]


def edited_text(text: str, edits: Sequence[Edit], document: Document) -> str:
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


def differs_from(space: BuildSpace, wanted: Wanted, state: State) -> str | None:
    """Whether the builds of edited rules are those that the table says; else in words where not."""
    counts = space.count(wanted)
    scores = state.court.table.population.scores
    here = np.bincount(scores.group[state.rows], minlength=len(scores.groups))
    for name, number in counts.items():
        mine = int(here[scores.groups.index(name)]) if name in scores.groups else 0
        if mine != number:
            return f"{name} has {number:,} builds under the edited rules, and {mine:,} of them were judged"
    return None

"""A diff from a request to an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from buildsearch.balancing.what_if import Effect
from buildsearch.diffs.comparison import Comparison
from buildsearch.diffs.difference import DiffResult as MovedBuilds
from buildsearch.diffs.difference import run_diff
from buildsearch.diffs.moves import Move
from buildsearch.document.blocks import Document
from buildsearch.gate.config import read_config, with_preset
from buildsearch.library.against import compared, is_text, judge_both, sorted_out, titles_of
from buildsearch.library.arguments import takes
from buildsearch.library.check import Assertions
from buildsearch.library.fight_setup import set_up
from buildsearch.library.game import Game
from buildsearch.library.input_files import Loaded, load_rules
from buildsearch.library.search import NO_BUILD, arena_of, content_hash, effort_for
from buildsearch.library.tables import Page, Table, table_of_rows
from buildsearch.library.watch import Scoring, scoring_for
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import TIE
from buildsearch.model.text import count
from buildsearch.options.fields import shared
from buildsearch.options.game import GameOptions
from buildsearch.options.search import DiffArguments, DiffFields, SearchOptions
from buildsearch.report.difference import difference_to_dict
from buildsearch.ruleset.extends import from_here
from buildsearch.search.objectives import read_objectives
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import ScoringSetup
from buildsearch.views.diff import Diffed, diff_document
from buildsearch.views.effects import effect_data

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

# Sampled scores count as different beyond so many standard errors.
_ERRORS = 3.0
_TOP = 100
_EDIT = ("kind", "subject", "label", "before", "after", "a", "b")
_STANDING = ("cost", "best_build", "score", "viability", "saves", "fair_cost", "in_best", "builds")
_MOVE = (
    "build",
    "rank_before",
    "rank_after",
    "score_before",
    "score_after",
    "error_before",
    "error_after",
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Difference(Page):
    """Two rulesets side by side. As a table it is the moves of the best builds, if these were asked for."""

    comparison: Comparison
    effect: Effect | None
    moved: MovedBuilds | None
    page: Diffed
    title: str
    data: dict[str, Any]
    higher_is_better: bool
    new_findings: int = 0

    def document(self) -> Document:
        return diff_document(self.page)

    @property
    def is_empty(self) -> bool:
        """Whether the two say the same."""
        return not self.comparison.edits

    @property
    def is_stronger(self) -> bool:
        """Whether the best build became better for certain."""
        if self.effect is None:
            return False
        before, after = self.effect.before, self.effect.after
        gain = after.best - before.best if self.higher_is_better else before.best - after.best
        return gain > TIE + _ERRORS * math.hypot(before.best_error, after.best_error)

    @property
    def is_worse(self) -> bool:
        """Whether the best build became better for certain, or `check` finds something new."""
        return self.is_stronger or self.new_findings > 0

    @property
    def options(self) -> Table:
        """The edited options, now and after."""
        effect = self.effect
        rows = [
            {"option": each.option, "side": side, **{name: getattr(standing, name) for name in _STANDING}}
            for each in (() if effect is None else effect.options)
            for side, standing in (("now", each.before), ("after", each.after))
            if standing is not None
        ]
        return table_of_rows(rows, ["option", "side", *_STANDING], title="Edited options", index="option")

    @property
    def edits(self) -> Table:
        """What was changed, and where it stands in either file."""
        rows = self.as_dict()["edits"]
        for row in rows:
            row |= {side: None if row[side] is None else str(row[side]) for side in ("before", "after")}
        return table_of_rows(rows, list(_EDIT), title="Edits", index="label")

    @property
    def moves(self) -> Table:
        """How the best builds of either side move; a side on which a build is not legal has no numbers."""
        difference, up = self.moved, self.higher_is_better
        return table_of_rows(
            [_move(each) for each in (difference.moves if difference else ())],
            list(_MOVE),
            title=self.title,
            higher_is_better={"score_before": up, "score_after": up},
        )

    @property
    def lifts(self) -> Table:
        """How much commoner each option is among the best builds than among all, before and after."""
        difference = self.moved
        rows = [asdict(each) for each in (difference.lifts if difference else ())]
        return table_of_rows(rows, ["feature", "before", "after"], title="Lift in the top 1%")

    def as_dict(self) -> dict[str, Any]:
        """Everything, as `buildsearch diff --json` has it."""
        return dict(self.data)

    def __len__(self) -> int:
        return len(self.moves)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.moves.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pa.Table:
        """The moves of the best builds."""
        return self.moves.to_arrow()

    def to_pandas(self) -> pd.DataFrame:
        """The moves of the best builds, the build as index."""
        return self.moves.to_pandas()

    def __repr__(self) -> str:
        return f"<Difference {self.title}: {count(len(self.comparison.edits), 'edit')}>"


def _move(move: Move) -> dict[str, Any]:
    row: dict[str, Any] = {"build": move.build}
    for side, standing in (("before", move.before), ("after", move.after)):
        if standing is not None:
            row |= {f"rank_{side}": standing.rank, f"score_{side}": standing.score}
            row[f"error_{side}"] = standing.error
    return row


@takes(DiffArguments)
def diff(before: Game, after: Game, given: DiffArguments) -> Difference:
    """Show what a rules change does, edit by edit.

    Args:
        before: the old rules.
        after: the new ones, e.g. `before.changed(overrides={"bleed.cost": 2})`. Both sides are scored under
            the parameters and in the scenarios of this one.

    Returns:
        Edited options, edits, moves of the best builds and lifts of options as tables.

    """
    return diff_of(before.request, after.request, given, scoring_for(given), full=True)


def diff_of(
    first: GameOptions, game: GameOptions, asked: DiffFields, how: Scoring, *, full: bool = False
) -> Difference:
    """Read, compare and judge the rules of `first` and those of the game; raises what a user can fix.

    Everything but rules, overrides and rulings is the game's for both. `full`: also builds that moved.
    """
    request = SearchOptions(
        **shared(GameOptions, game),
        objectives=(asked.objective,),
        top=asked.top,
        initial_fights=asked.initial_fights,
        ranking_fights=asked.ranking_fights,
        seed=asked.seed,
    )
    before, after = (load_rules(each.rules, each.overrides, each.rulings) for each in (first, request))
    if before.system.id != after.system.id:
        raise UsageError(
            f"{first.rules} is for {before.system.title}, and {request.rules} for {after.system.title}."
        )
    edits = (*request.overrides, *request.rulings) if first.rules == request.rules else ()
    second = " ".join([request.rules, *edits])
    (chosen,) = read_objectives(request.objectives, before.system.metrics)
    comparison = compared(before, after)
    # One set of scenarios for both; where files name different ones, the old file's.
    request = request.changed(scenarios=request.scenarios or before.model.default_scenarios)
    old_names = {new: old for old, new in comparison.names.items()}
    # As `optimize` ranks them, so that a build has one score.
    whole = request.changed(top=max(request.top, _TOP))
    requests = (
        whole.changed(
            rules=first.rules,
            overrides=first.overrides,
            rulings=first.rulings,
            groups=_called(request.groups, old_names),
            with_features=_called(request.with_features, old_names),
            without_features=_called(request.without_features, old_names),
        ),
        whole.changed(
            groups=_called(request.groups, comparison.names),
            with_features=_called(request.with_features, comparison.names),
            without_features=_called(request.without_features, comparison.names),
        ),
    )
    setups = set_up(before, request), set_up(after, request)
    counts = tuple(
        sum(setup.space.count(each.wanted).values()) for setup, each in zip(setups, requests, strict=True)
    )
    if not any(counts):
        raise UsageError(NO_BUILD)
    changing = [edit for edit in comparison.edits if not is_text(edit)]
    judged = judge_both(setups, requests, comparison, how) if changing and all(counts) else None
    new: list[str] | None = None
    fixed: list[str] = []
    if asked.check:
        new = []
        if judged is not None:
            settings = with_preset(read_config(None)[0])
            checker = Assertions(settings, how)
            old, now = checker.check(judged.before), checker.check(judged.after)
            fresh, _, fixed = sorted_out(old, now, comparison.names)
            new = [f"{each.level.value}: {each.message}" for each in fresh if not each.is_open]
    difference = None
    if full or (asked.edit_effects and len(changing) > 1):
        scores = ScoreCache(how.cache, how.watch.warn)  # one for all: what they have in common is read once

        def opened(loaded: Loaded, request: SearchOptions = requests[1]) -> ScoringSetup:
            setup = set_up(loaded, request, setups[1].scenarios)
            return arena_of(setup, how, scores=scores, wanted=request.wanted)

        arenas = opened(before, requests[0]), opened(after)
        difference = run_diff(
            comparison,
            arenas,
            lambda model: opened(replace(after, model=model)),
            replace(effort_for(whole, (chosen,)), bar=how.watch.bar),
            top=request.top,
            with_blame=asked.edit_effects,
        )
    effect = None if judged is None else judged.effect()
    data: dict[str, Any] = {
        "a": _about(first.rules, before),
        "b": _about(second, after),
        "scenarios": list(setups[1].fights),
        "parameters": {
            "a": dict(setups[0].space.parameters),
            "b": dict(setups[1].space.parameters),
        },
        "objective": chosen.name,
        "seed": request.seed,
        "effect": None if effect is None else effect_data(effect),
        "check": None if new is None else {"new": new, "fixed": fixed},
    }
    found = Difference(
        comparison,
        effect,
        difference,
        Diffed(
            edits=comparison.edits,
            is_text=tuple(map(is_text, comparison.edits)),
            titles=titles_of(before, after),
            objective=chosen.label,
            effect=effect,
            builds=(counts[0], counts[1]),
            difference=difference,
            new=None if new is None else tuple(new),
            fixed=tuple(fixed),
            is_full=full,
            below_rules={} if judged is None else judged.after.subject.below_rules,
        ),
        f"{_rules_name(first.rules)} -> {_rules_name(second)}",
        data,
        chosen.higher_is_better,
        len(new or ()),
    )
    data |= {"empty": not comparison.edits, "stronger": found.is_stronger, "worse": found.is_worse}
    if difference is not None:
        data |= difference_to_dict(difference)
        data["seconds"] = {stage: round(took, 3) for stage, took in difference.seconds.items()}
    return replace(found, page=replace(found.page, data=data))


def _called(given: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Filters may use either side's names."""
    return tuple(names.get(each, each) for each in given)


def _rules_name(word: str) -> str:
    """Rules as they were named on the command line; a file of this folder or repository as one of it."""
    return from_here(word) if Path(word).is_absolute() else word


def _about(word: str, loaded: Loaded) -> dict[str, Any]:
    return {"rules": word, "id": loaded.model.id, "hash": content_hash(loaded.model)}

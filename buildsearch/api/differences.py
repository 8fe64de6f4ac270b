"""What a change of rules does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from buildsearch.api.arguments import checked
from buildsearch.api.games import Game
from buildsearch.api.runs import cache_folder
from buildsearch.api.tables import Table, table_of_rows
from buildsearch.diffs.moves import Move
from buildsearch.document.blocks import Document
from buildsearch.library.diff import Found, diff_of
from buildsearch.library.watch import Cancellation, Progress, watch_by
from buildsearch.model.request import SearchRequest
from buildsearch.model.text import count
from buildsearch.views.diff import diff_document

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

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


class Difference:
    """Two rulesets side by side. As a table it is the moves of the best builds."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self.title = found.title

    def document(self) -> Document:
        """The page of `buildsearch diff`."""
        return diff_document(self._found.page)

    def _repr_html_(self) -> str:
        return self.document()._repr_html_()

    @property
    def is_empty(self) -> bool:
        """Whether the two say the same."""
        return not self._found.comparison.edits

    @property
    def is_worse(self) -> bool:
        """Whether the best build became better for certain, or a check finds something new."""
        return self._found.is_worse

    @property
    def options(self) -> Table:
        """The edited options, now and after."""
        effect = self._found.effect
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
        difference, up = self._found.difference, self._found.higher_is_better
        return table_of_rows(
            [_move(each) for each in (difference.moves if difference else ())],
            list(_MOVE),
            title=self.title,
            higher_is_better={"score_before": up, "score_after": up},
        )

    @property
    def lifts(self) -> Table:
        """How much commoner each option is among the best builds than among all, before and after."""
        difference = self._found.difference
        rows = [asdict(each) for each in (difference.lifts if difference else ())]
        return table_of_rows(rows, ["feature", "before", "after"], title="Lift in the top 1%")

    def as_dict(self) -> dict[str, Any]:
        """Everything, as `buildsearch diff --json` has it."""
        return dict(self._found.data)

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
        return f"<Difference {self.title}: {count(len(self._found.comparison.edits), 'edit')}>"


def _move(move: Move) -> dict[str, Any]:
    row: dict[str, Any] = {"build": move.build}
    for side, standing in (("before", move.before), ("after", move.after)):
        if standing is not None:
            row |= {f"rank_{side}": standing.rank, f"score_{side}": standing.score}
            row[f"error_{side}"] = standing.error
    return row


@checked()
def diff(
    before: Game,
    after: Game,
    *,
    objective: str = "mean",
    top: int = 20,
    initial_fights: int = 256,
    ranking_fights: int = 50_000_000,
    edit_effects: bool = True,
    check: bool = False,
    seed: int = 0,
    jobs: int = -1,
    cache: bool | str | Path = True,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancellation | None = None,
) -> Difference:
    """Show what a rules change does, edit by edit.

    Args:
        before: the old rules.
        after: the new ones, e.g. `before.changed(overrides={"bleed.cost": 2})`. Both sides are scored under
            the parameters and in the scenarios of this one.
        objective: `"mean"`, `"worst"` or a metric.
        top: best builds of either side.
        initial_fights: fights for each build that must be sampled.
        ranking_fights: fights to decide the ranks of sampled builds.
        edit_effects: find out which of several edits does what; takes longer.
        check: compare findings of `check`, with its config, too.
        seed: the same seed gives the same answer.
        jobs: threads; -1 for every core.
        cache: whether scores are kept for later, or the folder to keep them in.
        progress: is told a `Progress` now and then.
        cancel: once it is set, the work stops at its next step.

    Returns:
        Edited options, edits, moves of the best builds and lifts of options as tables.

    """
    request = SearchRequest(
        **dict(after.request)
        | {
            "objectives": (objective,),
            "top": top,
            "initial_fights": initial_fights,
            "ranking_fights": ranking_fights,
            "seed": seed,
        }
    )
    found = diff_of(
        before.request,
        request,
        jobs=jobs,
        cache=cache_folder(cache),
        with_edit_effects=edit_effects,
        full=True,
        with_check=check,
        watch=watch_by(progress, cancel),
    )
    return Difference(found)

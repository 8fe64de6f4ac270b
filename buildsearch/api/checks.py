"""Assertions about balance, for tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from buildsearch.api.arguments import checked
from buildsearch.api.games import Game
from buildsearch.api.runs import cache_folder
from buildsearch.api.tables import Table, table_of_rows
from buildsearch.gate.baseline import read_baseline
from buildsearch.gate.config import read_config, with_preset
from buildsearch.gate.results import CheckStatus, Outcome, Violation
from buildsearch.model.errors import UsageError
from buildsearch.model.request import SearchRequest
from buildsearch.workflow.check import check_runs, sifted
from buildsearch.workflow.fight_setup import check_jobs
from buildsearch.workflow.watch import Cancellation, Progress, watch_by

_FINDING = ("assertion", "level", "subjects", "where", "message", "value", "limit", "builds", "example")
_ASSERTION = ("assertion", "kind", "level", "where", "verdict", "findings", "can_fail", "remark")


class Check:
    """How a check ended. `passed` is for an `assert`, `sentence` for what it says if it fails."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    @property
    def verdict(self) -> str:
        """`pass`, `fail`, or `inconclusive` where sampling leaves something on either side of a limit."""
        return self._outcome.verdict.value

    @property
    def passed(self) -> bool:
        """Whether nothing failed and nothing is open."""
        return self._outcome.verdict is CheckStatus.PASS

    @property
    def sentence(self) -> str:
        """The verdict, and each finding that the baseline does not accept, a line each."""
        return "\n".join([f"Result: {self.verdict}.", *map(_say, self._outcome.fresh)])

    @property
    def findings(self) -> Table:
        """What is new against the baseline, the worst first."""
        rows = [asdict(each) | _plain(each) for each in self._outcome.fresh]
        return table_of_rows(rows, list(_FINDING), title="Findings", index="subjects")

    @property
    def assertions(self) -> Table:
        """Every assertion and how it ended."""
        rows: list[dict[str, Any]] = [
            {
                "assertion": each.assertion,
                "kind": each.kind,
                "level": each.level.value,
                "where": each.where,
                "verdict": "accepted" if self._outcome.accepts(each) else each.verdict.value,
                "findings": len(each.findings),
                "can_fail": each.can_fail,
                "remark": None if each.remark is None else each.remark.text,
            }
            for each in self._outcome.results
        ]
        return table_of_rows(rows, list(_ASSERTION), title="Assertions", index="assertion")

    def __repr__(self) -> str:
        return f"<Check: {self.verdict}, {len(self._outcome.fresh)} new findings>"


def _plain(finding: Violation) -> dict[str, Any]:
    return {"level": finding.level.value, "subjects": " + ".join(finding.subjects)}


def _say(finding: Violation) -> str:
    return f"{finding.level.value}: {finding.assertion}: {finding.message}"


@checked()
def check(
    game: Game,
    *,
    config: str | Path | None = None,
    preset: str | None = None,
    baseline: str | Path | None = None,
    fights: int | None = None,
    seed: int = 0,
    jobs: int = -1,
    cache: bool | str | Path = True,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancellation | None = None,
) -> Check:
    """Hold assertions about balance against a game, under its parameters.

    Args:
        game: what `load` gave.
        config: a file with assertions; `buildsearch.toml` or pyproject.toml here if left out.
        preset: `"lenient"` or `"strict"`, for what the config leaves open.
        baseline: accepted findings; the config's, if there is one, if left out.
        fights: fights to decide what is near a limit; the config's if left out.
        seed: the same seed gives the same answer.
        jobs: threads; -1 for every core.
        cache: whether scores are kept for later, or the folder to keep them in.
        progress: is told a `Progress` now and then.
        cancel: once it is set, `Cancelled` is raised at the next step.

    Returns:
        The verdict, with findings and assertions as tables.

    """
    check_jobs(jobs)
    settings = with_preset(read_config(None if config is None else Path(config))[0], preset)
    # The game says under which parameters; those of the config are for the command line.
    settings = settings.model_copy(
        update={"parameters": {}, "fights": settings.fights if fights is None else fights}
    )
    if baseline is not None and not Path(baseline).exists():
        raise UsageError(f"there is no ‹baseline› {baseline}.")
    path = Path(baseline or settings.baseline)
    read_baseline(path, game.setup.loaded.model.id)  # before any work is done
    request = SearchRequest(**dict(game.request) | {"seed": seed})
    values = {name: [value] for name, value in request.parameters.items()}
    watch = watch_by(progress, cancel)
    judged = check_runs(settings, request, values, cache=cache_folder(cache), jobs=jobs, watch=watch)
    return Check(sifted(judged, path)[0])

"""Assertions about balance, for tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from buildsearch.api.arguments import checked
from buildsearch.api.games import Game
from buildsearch.api.runs import cache_folder
from buildsearch.api.tables import Table, table_of_rows
from buildsearch.document.blocks import Document
from buildsearch.gate.baseline import read_baseline
from buildsearch.gate.config import read_config, with_preset
from buildsearch.gate.results import CheckStatus, Level, Violation
from buildsearch.library.against import check_against
from buildsearch.library.check import check_runs, page_of, sifted
from buildsearch.library.fight_setup import check_jobs
from buildsearch.library.stored_runs import Making
from buildsearch.library.watch import Cancellation, Progress, watch_by
from buildsearch.model.errors import UsageError
from buildsearch.model.request import SearchRequest
from buildsearch.views.check import Checked as Page
from buildsearch.views.check import check_document, check_rows

_FINDING = ("check", "severity", "subjects", "where", "text", "value", "limit", "builds", "example")
_CHECK = ("check", "kind", "level", "where", "result", "findings", "can_fail", "remark")


class Check:
    """How a check ended. `passed` is for an `assert`, `sentence` for what it says if it fails."""

    def __init__(self, page: Page) -> None:
        self._page, self._outcome = page, page.outcome

    def document(self) -> Document:
        """The page of `buildsearch check`."""
        return check_document(self._page)

    def _repr_html_(self) -> str:
        return self.document()._repr_html_()

    @property
    def result(self) -> str:
        """`pass`, `fail`, or `inconclusive` where sampling leaves something on either side of a limit."""
        return self._outcome.verdict.value

    @property
    def passed(self) -> bool:
        """Whether nothing failed and nothing is inconclusive."""
        return self._outcome.verdict is CheckStatus.PASS

    @property
    def sentence(self) -> str:
        """The result, and each finding that the baseline does not accept, a line each."""
        return "\n".join([f"Result: {self.result}.", *map(_line, self._outcome.fresh)])

    @property
    def findings(self) -> Table:
        """What is new against the baseline, the worst first."""
        return table_of_rows(
            list(map(_row, self._outcome.fresh)), list(_FINDING), title="Findings", index="subjects"
        )

    @property
    def checks(self) -> Table:
        """Every check and how it ended."""
        rows: list[dict[str, Any]] = [
            row | {"can_fail": each.can_fail}
            for row, each in zip(check_rows(self._outcome), self._outcome.results, strict=True)
        ]
        return table_of_rows(rows, list(_CHECK), title="Checks", index="check")

    def __repr__(self) -> str:
        return f"<Check: {self.result}, {len(self._outcome.fresh)} new findings>"


def _row(finding: Violation) -> dict[str, Any]:
    return asdict(finding) | {
        "check": finding.assertion,
        "severity": _severity(finding),
        "subjects": " + ".join(finding.subjects),
        "text": finding.message,
    }


def _severity(finding: Violation) -> str:
    return "error" if finding.level is Level.ERROR else "warning"


def _line(finding: Violation) -> str:
    return f"{_severity(finding)}: {finding.message} [{finding.code}]"


@checked()
def check(
    game: Game,
    *,
    config: str | Path | None = None,
    preset: str | None = None,
    baseline: str | Path | None = None,
    against: str | None = None,
    fights: int | None = None,
    seed: int = 0,
    jobs: int = -1,
    cache: bool | str | Path = True,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancellation | None = None,
) -> Check:
    """Check a game under its parameters, on the stored run that `analyze` reads or on one made for it.

    Args:
        game: what `load` gave.
        config: a file with assertions; `buildsearch.toml` or pyproject.toml here if left out.
        preset: `"lenient"` or `"strict"`, for what the config leaves open.
        baseline: accepted findings; the config's, if there is one, if left out.
        against: a revision, or a rules file or name: only findings that are new since then count.
        fights: fights to rank builds, and as many to decide what is near a limit; the config's if left out.
        seed: the same seed gives the same answer.
        jobs: threads; -1 for every core.
        cache: whether scores are kept for later, or the folder to keep them in.
        progress: is told a `Progress` now and then.
        cancel: once it is set, `Cancelled` is raised at the next step.

    Returns:
        How it ended, with findings and checks as tables.

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
    making = Making(cache_folder(cache), jobs, watch)
    if against is not None:
        known = partial(read_baseline, path)
        return Check(check_against(settings, request, values, against, making, read_known=known).page)
    checked_runs = check_runs(settings, request, values, making)
    outcome, _ = sifted(checked_runs, path)
    several = len(checked_runs.runs) > 1
    return Check(page_of(outcome, checked_runs.setup, builds=checked_runs.builds, several=several))

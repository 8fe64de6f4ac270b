"""A guided search. Optuna is imported only when one begins."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace, Wanted
from buildsearch.options.search import SearchOptions
from buildsearch.ruleset.messages import suggest

if TYPE_CHECKING:
    from buildsearch.library.fight_setup import FightSetup
    from buildsearch.library.search import BuildSearch
    from buildsearch.search.guided.search import Guided

EXHAUSTIVE, OPTUNA, AUTO = "exhaustive", "optuna", "auto"
_TPE, _NSGA2 = "tpe", "nsga2"
TRIALS = 3_000
# What a study's scores do not depend on, or depends on only in who finds them.
_NOT_ASKED = {
    "top",
    "ranking_fights",
    "alpha",
    "search",
    "trials",
    "sampler",
    "storage",
    "stop_after",
    "over_budget",
}


@dataclass(frozen=True, slots=True)
class Guide:
    """How to search, checked."""

    sampler: str
    trials: int | None
    stop_after: float | None
    storage: str | None

    @property
    def told(self) -> dict[str, Any]:
        """For run.json, without a password."""
        from buildsearch.search.guided.study import without_password

        return {
            "sampler": self.sampler,
            "trials": self.trials,
            "stop_after": self.stop_after,
            "storage": None if self.storage is None else without_password(self.storage),
        }


def make_guide(request: SearchOptions, space: BuildSpace, wanted: Wanted, objectives: int) -> Guide | None:
    """The guided search that is asked for, or that the space needs; None: every build. Raises UsageError."""
    search, sampler = request.search, request.sampler
    if search not in (EXHAUSTIVE, OPTUNA, AUTO):
        raise UsageError(f"unknown search `{search}`. {suggest(search, (EXHAUSTIVE, OPTUNA, AUTO))}")
    if sampler not in (None, _TPE, _NSGA2):
        raise UsageError(f"unknown sampler `{sampler}`. {suggest(str(sampler), (_TPE, _NSGA2))}")
    most = space.most_to_rank
    is_large = search == AUTO and most is not None and sum(space.count(wanted).values()) > most
    if search == EXHAUSTIVE or (search == AUTO and not is_large):
        for name in ("trials", "sampler", "stop_after", "storage"):
            if getattr(request, name) is not None:
                raise UsageError(f"‹{name}› is for a guided search. Add ‹search› {OPTUNA}.")
        return None
    return Guide(
        sampler=sampler or (_TPE if objectives == 1 else _NSGA2),
        trials=TRIALS if request.trials is None and request.stop_after is None else request.trials,
        stop_after=request.stop_after,
        storage=request.storage,
    )


def guided(search: BuildSearch, guide: Guide) -> Guided:
    """Try builds until the guide says enough; raises UsageError if the storage cannot be used."""
    from buildsearch.search.guided.search import Guidance, bulk_score
    from buildsearch.search.guided.search import guide as run_guided
    from buildsearch.search.guided.space import BuildCoder

    counts = search.counts()
    total = sum(counts.values())
    coder = BuildCoder(search.setup.space, search.wanted, [group for group, count in counts.items() if count])
    guidance = Guidance(
        sampler=guide.sampler,
        trials=guide.trials,
        seconds=None if guide.stop_after is None else 60 * guide.stop_after,
        seed=search.effort.seed,
        storage=guide.storage,
        study=study_name(search.setup, search.recorded()),
    )
    score = bulk_score(search.scorer, search.setup.fights, search.effort)
    with search.watch.bar("trying builds", min(total, guide.trials or total)) as advance:
        return run_guided(coder, total, search.effort.objectives, guidance, score, advance)


def study_name(setup: FightSetup, request: SearchOptions) -> str:
    """What is asked, as a name: processes share a study only if they ask for the same."""
    asked = {name: value for name, value in asdict(request).items() if name not in _NOT_ASKED}
    model = setup.loaded.model
    parts = [json.dumps(asked, sort_keys=True), model.model_dump_json(), repr(setup.fights)]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{model.id}-{digest[:12]}"

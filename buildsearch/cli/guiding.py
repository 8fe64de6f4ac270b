"""A guided search from the command line's words. Optuna is imported only when one begins."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace, Wanted
from buildsearch.ruleset.hints import suggest
from buildsearch.search.guided.addresses import without_password

if TYPE_CHECKING:
    from buildsearch.cli.searching import Search
    from buildsearch.search.guided.searching import Guided
    from buildsearch.search.optimizing import Answer

EXHAUSTIVE, OPTUNA, AUTO = "exhaustive", "optuna", "auto"
_TPE, _NSGA2 = "tpe", "nsga2"
_TRIALS = 3_000
# What a study's scores do not depend on, or depends on only in who finds them.
_NOT_ASKED = ("top", "race-fights", "alpha", "search", "trials", "sampler", "storage", "minutes")


@dataclass(frozen=True, slots=True)
class Guide:
    """How to search, checked."""

    sampler: str
    trials: int | None
    minutes: float | None
    storage: str | None

    @property
    def words(self) -> dict[str, Any]:
        """For run.json."""
        return {
            "search": OPTUNA,
            "sampler": self.sampler,
            "trials": self.trials,
            "minutes": self.minutes,
            "storage": None if self.storage is None else without_password(self.storage),
        }

    def says(self, total: int, *, json_: bool) -> str:
        """What will be done, in a sentence or as JSON."""
        if json_:
            return json.dumps({"builds": total} | self.words)
        ends = [] if self.trials is None else [f"{min(self.trials, total):,} builds are tried"]
        ends += [] if self.minutes is None else [f"{self.minutes:g} minutes are over"]
        return f"{total:,} builds: a guided search ({self.sampler}) until {' or '.join(ends)}."


def make_guide(
    search: str,
    space: BuildSpace,
    wanted: Wanted,
    objectives: int,
    trials: int | None,
    minutes: float | None,
    sampler: str | None,
    storage: str | None,
) -> Guide | None:
    """The guided search that is asked for, or that the space needs; None: every build. Raises UsageError."""
    if search not in (EXHAUSTIVE, OPTUNA, AUTO):
        raise UsageError(f"unknown search `{search}`. {suggest(search, (EXHAUSTIVE, OPTUNA, AUTO))}")
    if sampler not in (None, _TPE, _NSGA2):
        raise UsageError(f"unknown sampler `{sampler}`. {suggest(str(sampler), (_TPE, _NSGA2))}")
    most = space.most_to_rank
    is_large = search == AUTO and most is not None and sum(space.count(wanted).values()) > most
    if search == EXHAUSTIVE or (search == AUTO and not is_large):
        for name, value in (("trials", trials), ("sampler", sampler), ("storage", storage)):
            if value is not None:
                raise UsageError(f"--{name} is for a guided search. Add --search {OPTUNA}.")
        return None
    return Guide(
        sampler=sampler or (_TPE if objectives == 1 else _NSGA2),
        trials=_TRIALS if trials is None and minutes is None else trials,
        minutes=minutes,
        storage=storage,
    )


def guided(search: Search, guide: Guide) -> Guided:
    """Try builds until the guide says enough; raises UsageError if the storage cannot be used."""
    from buildsearch.search.guided.coding import BuildCoder
    from buildsearch.search.guided.searching import Guidance, bulk_score
    from buildsearch.search.guided.searching import guide as run_guided

    counts = search.counts()
    total = sum(counts.values())
    coder = BuildCoder(search.setup.space, search.wanted, [group for group, count in counts.items() if count])
    guidance = Guidance(
        sampler=guide.sampler,
        trials=guide.trials,
        seconds=None if guide.minutes is None else 60 * guide.minutes,
        seed=search.question.seed,
        storage=guide.storage,
        study=study_name(search),
    )
    score = bulk_score(search.scorer, search.setup.fights, search.question)
    with search.bar("trying builds", min(total, guide.trials or total)) as advance:
        return run_guided(coder, total, search.question, guidance, score, advance)


def study_name(search: Search) -> str:
    """What is asked, as a name: processes share a study only if they ask for the same."""
    asked = {name: value for name, value in search.words.items() if name not in _NOT_ASKED}
    model, fights = search.setup.loaded.model, search.setup.fights
    parts = [json.dumps(asked, sort_keys=True, default=str), model.model_dump_json(), repr(fights)]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{model.id}-{digest[:12]}"


def about_guide(search: Search, answer: Answer) -> dict[str, Any]:
    """What run.json says of how builds were found."""
    if search.among is not None:
        return {"search": "among", "among": str(search.among.folder), "out_of": answer.out_of}
    if search.guide is None:
        return {"search": EXHAUSTIVE}
    return {**search.guide.words, "study": study_name(search), "out_of": answer.out_of}

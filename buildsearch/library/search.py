"""A search from a request to an answer and its folder. Optuna is imported only when a guided one begins."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.input_files import Loaded
from buildsearch.library.watch import NOTHING_KEPT, SILENT, Scoring, Watch
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import Metric
from buildsearch.model.scorer import PartialScorer
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.model.system import LeavesOut, Unscored
from buildsearch.options.game import GameOptions
from buildsearch.options.search import SearchOptions
from buildsearch.report.command_lines import score_options
from buildsearch.report.latest import RESULTS
from buildsearch.report.leaderboard import (
    BoardNaming,
    Row,
    best_of_groups,
    for_people,
    leaderboard,
    rank_text_of,
    score_words,
)
from buildsearch.report.run_files import write_run
from buildsearch.report.run_record import (
    BestBuild,
    FightRecord,
    GuidanceRecord,
    MeasureRecord,
    OverBudget,
    Race,
    RulesRecord,
    RunRecord,
)
from buildsearch.ruleset.messages import suggest
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.details import Describer
from buildsearch.search.executor import executor_of
from buildsearch.search.objectives import Objective
from buildsearch.search.ranking import Ranking, optimize
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import CHUNK, Effort, ScoringSetup
from buildsearch.search.timing import Clock, Forecast, Stages, Work, clock, keep_run, past_runs, typical_runs

if TYPE_CHECKING:
    from buildsearch.library.runs import ChosenBuilds
    from buildsearch.search.guided.search import Guided

NO_BUILD = "no legal build matches these filters at this budget. Remove a filter or raise the budget."


EXHAUSTIVE, OPTUNA, AUTO = "exhaustive", "optuna", "auto"
_TPE, _NSGA2 = "tpe", "nsga2"
TRIALS = 3_000
# What a study's scores do not depend on, or depends on only in who finds them.
_NOT_ASKED = {
    *("top", "ranking_fights", "alpha", "search", "trials", "sampler", "storage", "stop_after"),
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


@dataclass(frozen=True, slots=True, eq=False)
class BuildSearch:
    """Everything that a search needs, checked."""

    setup: FightSetup
    wanted: Wanted
    effort: Effort
    scorer: CachedScorer
    request: SearchOptions
    watch: Watch = SILENT
    guide: Guide | None = None  # None: every build
    cost_above: int | None = None  # only builds that cost more
    over_budget: OverBudget | None = None  # what was scored above the budget, beside the run
    stages: Stages = field(default_factory=Stages)
    among: ChosenBuilds | None = None  # only these builds

    @property
    def scoring(self) -> Scoring:
        return Scoring(self.scorer.cache.folder, self.scorer.executor, self.watch)

    def counts(self) -> dict[str, int]:
        """How many builds each group has; raises UsageError if there is none."""
        counts = self.setup.space.count(self.wanted)
        if sum(counts.values()) == 0:
            raise UsageError(NO_BUILD)
        return counts

    def _work(self) -> Work:
        """How much there is to do; raises UsageError if there is no build."""
        counts, fights = self.counts(), list(self.setup.fights.values())
        total = sum(counts.values())
        work = Work(
            builds=total if self.among is None else self.among.size,
            fights=len(fights),
            effort=self.effort,
            is_open=not self.effort.is_solved(self.scorer),
            asked=" ".join(each.name for each in self.effort.objectives),
        )
        if self.guide is not None:
            limit = math.inf if self.guide.stop_after is None else 60 * self.guide.stop_after
            trials, builds = (min(total, self.guide.trials or most) for most in (total, TRIALS))
            return replace(work, builds=builds, trials=trials, limit=limit)
        return work if self.among else replace(work, kept=self.scorer.kept_share(counts, fights))

    def forecast(self, clock: Clock = clock) -> Forecast:
        """How long it takes, by runs of the same rules on this machine, or of the same game elsewhere."""
        loaded, executor = self.setup.loaded, self.scorer.executor
        workers = executor.workers
        past = past_runs(self.scorer.cache.folder, loaded.model.id)
        # Workers of a cluster are busy all the time, and their CPU is not seen here.
        given = (lambda: (clock()[0], clock()[0] * workers)) if executor.is_remote else clock
        return Forecast(self._work(), past, typical_runs(loaded.system.id), workers, given)

    def bytes(self, work: Work) -> int:
        """The memory that so much work needs at most."""
        (one,) = self.setup.space.sample(self.wanted, 1, np.random.default_rng(0))
        words = self.setup.space.encode(one).codes.shape[1]
        return work.bytes(words, len(self.scorer.scorer.outcomes))

    def keep_times(self, forecast: Forecast) -> None:
        """Keep what this run took, unless most of it came from the cache or was done elsewhere."""
        folder, scorer = self.scorer.cache.folder, self.scorer
        if folder is not None and not scorer.executor.is_remote and scorer.hits <= scorer.misses:
            keep_run(folder, self.setup.loaded.model.id, forecast.took())

    def chunks(self) -> list[Chunk]:
        """Every build that is asked for."""
        found = self.setup.space.chunks(self.wanted, CHUNK)
        if self.cost_above is None:
            return list(found)
        dear = [(chunk, self.setup.space.costs(chunk) > self.cost_above) for chunk in found]
        return [chunk.some(is_dear) for chunk, is_dear in dear if is_dear.any()]

    def run(self) -> Ranking:
        """Score and rank every build, or those that are given, or those that a guided search finds."""
        if self.among is not None:
            answer = self._rank(self.among.chunks, self.effort)
            answer.legal_builds = sum(self.counts().values())
            return answer
        if self.guide is None:
            chunks = self.chunks()
            self.stages.mark("enumerate")
            return self._rank(chunks, self.effort)
        found = guided(self, self.guide)
        self.stages.mark("search")
        effort = self.effort
        if found.is_partial:
            self.watch.on_interrupt()
            # After Ctrl-C the user does not wait for a race.
            effort = replace(effort, budget=0)
        answer = self._rank(found.chunks, effort)
        answer.legal_builds = sum(self.counts().values())
        answer.is_partial = answer.is_partial or found.is_partial
        return answer

    def _rank(self, chunks: Sequence[Chunk], effort: Effort) -> Ranking:
        loaded = self.setup.loaded
        evaluators = loaded.system.evaluators(loaded.model)
        answer = optimize(
            self.setup.space,
            chunks,
            self.setup.fights,
            self.scorer,
            lambda ledger: Describer(self.scorer, evaluators, ledger),
            replace(effort, bar=self.watch.bar),
            self.watch.on_interrupt,
            self.watch.on_leaders,
        )
        self.stages.take(answer.seconds, rest="order")
        return answer

    def write(self, answer: Ranking, folder: Path) -> RunRecord:
        """Write the run's folder; gives what run.json says."""
        loaded = self.setup.loaded
        system = loaded.system
        unscored = unscored_by(loaded)
        naming = BoardNaming(
            metrics=system.metrics,
            own_columns=system.leaderboard_columns,
            titles={option.id: option.name for option in system.options(loaded.model)},
            command=score_options(self.request),
            beside=None if unscored is None else unscored.metric,
        )
        rows = leaderboard(answer, self.setup.space, naming)
        people = for_people(rows, self.effort.objectives, answer.ledger.names, naming)

        def record() -> RunRecord:
            self.stages.mark("write")
            best = self._best(rows, best_of_groups(answer, self.setup.space))
            return self.record(answer).model_copy(update={"seconds": self.stages.rounded(), **best})

        return write_run(folder, answer, self.setup.space, rows, people, record)

    def _best(self, rows: Sequence[Row], of_types: Sequence[Row]) -> dict[str, Any]:
        """The best build and those of each type, as run.json has them."""
        words = score_words(self.effort.objectives[0])

        def built(row: Row, rank_text: str) -> BestBuild:
            named = {name: row[name] for name in ("type", "build", "score", "rank")}
            return BestBuild(**named, score_text=words.say(row["score"]), rank_text=rank_text)

        return {
            "best": built(rows[0], rank_text_of(rows[0])) if rows else None,
            "best_of_types": [built(row, row["rank_text"]) for row in of_types],
        }

    def recorded(self) -> SearchOptions:
        """The request as run.json keeps it: what a search of every build does not use is left out."""
        how: dict[str, Any] = dict.fromkeys(("sampler", "trials", "stop_after", "storage"))
        if self.guide is not None:
            return self.request.changed(search=OPTUNA, **self.guide.told)
        return self.request.changed(search=EXHAUSTIVE, **how)

    def sampled_because(self, answer: Ranking) -> dict[str, int]:
        """By reason how many (build, fight) went the slow way, most first; empty where a game cannot say."""
        scorer = self.scorer.scorer
        found: dict[str, int] = {}
        if not isinstance(scorer, PartialScorer):
            return found
        for fight in self.setup.fights.values():
            for chunk in answer.ledger.chunks:
                for reason, rows in scorer.left_by_bulk(chunk, fight).items():
                    found[reason] = found.get(reason, 0) + int(rows.sum())
        return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))

    def record(self, answer: Ranking) -> RunRecord:
        """All that run.json says but timings."""
        loaded, ledger = self.setup.loaded, answer.ledger
        exact = {name: int(ledger.is_exact(i).sum()) for i, name in enumerate(ledger.names)}
        race = answer.race
        return RunRecord(
            versions=_versions(),
            request=self.recorded(),
            rules=RulesRecord(id=loaded.model.id, hash=content_hash(loaded.model)),
            parameters=dict(self.setup.space.parameters),
            fights={
                name: FightRecord(weight=fight.weight, hash=fight_hash(fight), exact_builds=exact[name])
                for name, fight in self.setup.fights.items()
            },
            objectives=[_measure(each) for each in self.effort.objectives],
            primary=_measure(loaded.system.metrics[0]),
            seed=self.effort.seed,
            initial_fights=self.effort.floor,
            search=EXHAUSTIVE if self.guide is None else OPTUNA,
            guidance=None
            if self.guide is None
            else GuidanceRecord(study=study_name(self.setup, self.recorded()), **self.guide.told),
            from_run=None if self.among is None else str(self.among.folder),
            legal_builds=answer.legal_builds,
            builds=len(ledger),
            scored=answer.scored,
            by_method=_by_method(answer),
            sampled_because=self.sampled_because(answer),
            cache={"hits": self.scorer.hits, "misses": self.scorer.misses},
            race=None
            if race is None
            else Race(
                rounds=race.rounds,
                fights=race.fights,
                contenders=race.contenders,
                open_ranks=race.open_ranks,
                alpha=self.effort.alpha,
            ),
            over_budget=self.over_budget,
            incomplete=answer.is_partial,
        )


def _measure(each: Objective | Metric) -> MeasureRecord:
    return MeasureRecord(name=each.name, label=each.label, higher_is_better=each.higher_is_better)


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
    digest = _hash("\n".join(parts))
    return f"{model.id}-{digest[:12]}"


def make_scorer(
    setup: FightSetup, how: Scoring = NOTHING_KEPT, scores: ScoreCache | None = None
) -> CachedScorer:
    """The system's bulk scorer behind a cache: that which is given, or the one of the folder."""
    scorer = setup.loaded.system.bulk(setup.loaded.model, setup.space)
    scores = ScoreCache(how.cache, how.watch.warn) if scores is None else scores
    return CachedScorer(scorer, scores, executor_of(how.jobs))


def arena_of(
    setup: FightSetup,
    how: Scoring,
    *,
    scores: ScoreCache | None = None,
    wanted: Wanted | None = None,
) -> ScoringSetup:
    """Where builds of a setup are scored."""
    return ScoringSetup(setup.space, setup.fights, make_scorer(setup, how, scores), wanted or Wanted())


def effort_for(request: SearchOptions, objectives: tuple[Objective, ...]) -> Effort:
    """How builds are scored and ranked, as a request says."""
    return Effort(
        objectives, request.top, request.initial_fights, request.ranking_fights, request.seed, request.alpha
    )


def make_wanted(setup: FightSetup, request: SearchOptions) -> Wanted:
    """The filters together; a locked build's parts must all be there."""
    wanted, lock = request.wanted, request.complete
    if lock is None:
        return wanted
    space = setup.space
    build = space.parse(lock)
    reasons = space.reasons_against(build)
    if reasons:
        raise InputError([replace(reason, source=f"‹complete› {lock}") for reason in reasons])
    code = space.encode(build)
    group = code.group
    (meant,) = space.builds(code)
    if space.name(meant) != space.name(build):
        under = ", ".join(f"{name} {value}" for name, value in space.parameters.items())
        raise UsageError(
            f"‹complete› {lock}: here it could only be {space.name(meant)} (under {under}). "
            "Change the parameters, or the build."
        )
    if wanted.groups and group not in wanted.groups:
        raise UsageError(
            f"‹complete› {lock} is of {group}, and only {', '.join(wanted.groups)} is asked for."
        )
    parts = tuple(feature.name for feature in space.features(build) if feature.name != group)
    together = tuple(dict.fromkeys((*wanted.with_features, *parts)))
    return Wanted((group,), together, wanted.without_features)


def run_folder(setup: FightSetup, request: GameOptions, out: str | None, kind: str = "") -> Path:
    """Where a run goes: what was asked for is in its name, so that no run takes another's place."""
    if out is not None:
        if not out.strip():
            raise UsageError("‹out› is empty. Name a folder, or leave it out.")
        return Path(out)
    model = setup.loaded.model
    named = [model.id, *(str(value) for value in setup.space.parameters.values()), *([kind] if kind else [])]
    asked = json.dumps([asdict(request), content_hash(model)], sort_keys=True)
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", "-".join(named))
    return RESULTS / f"{stem}-{_hash(asked)[:8]}"


def content_hash(model: Any) -> str:
    """A digest of a checked file, overrides included."""
    return _hash(model.model_dump_json())


def fight_hash(fight: Any) -> str:
    """A digest of a fight as it is fought: scenario file, stats and changes on the command line."""
    return _hash(repr(fight))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _versions() -> dict[str, str]:
    import numba
    import numpy

    return {"numpy": numpy.__version__, "numba": numba.__version__}


def _by_method(answer: Ranking) -> dict[str, int]:
    """How many (build, fight) were scored in which way."""
    ledger = answer.ledger
    exact = sum(int(ledger.is_exact(i).sum()) for i in range(len(ledger.fights)))
    scored = sum(
        int((~np.isnan(part.mean(i, 0))).sum())
        for _, part in ledger.stretches()
        for i in range(len(ledger.fights))
    )
    return {"exact": exact, "sampled": scored - exact}


def unscored_by(loaded: Loaded) -> Unscored | None:
    """What scores under these rules leave out, for leaderboards."""
    return loaded.system.unscored(loaded.model) if isinstance(loaded.system, LeavesOut) else None

"""A search from the command line's words to an answer: what `optimize` and its kin have in common."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from buildsearch import __version__
from buildsearch.cli.fight_setup import FightSetup
from buildsearch.cli.guiding import Guide, about_guide, guided
from buildsearch.cli.problems import warn
from buildsearch.cli.progress import progress_bar
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.space import Chunk, Wanted
from buildsearch.report.leaderboard import leaderboard
from buildsearch.report.run_files import RESULTS, write_run
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.search.details import Describer
from buildsearch.search.estimate import SearchEstimate, estimate
from buildsearch.search.optimizing import Answer, Question, optimize
from buildsearch.search.scoring import CHUNK, Advance
from buildsearch.search.stages import Stages

if TYPE_CHECKING:
    from buildsearch.cli.among import Among

NO_BUILD = "no legal build fits these filters and this budget. Loosen one of them."


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Everything that a search needs, checked."""

    setup: FightSetup
    wanted: Wanted
    question: Question
    scorer: CachedScorer
    quiet: bool
    words: Mapping[str, Any]  # what the command line said, for run.json and for doing it again
    guide: Guide | None = None  # None: every build
    cost_above: int | None = None  # only builds that cost more
    headroom: Mapping[str, Any] | None = None  # what was scored above the budget, beside the run
    stages: Stages = field(default_factory=Stages)
    among: Among | None = None  # only these builds

    def counts(self) -> dict[str, int]:
        """How many builds each group has; raises UsageError if there is none."""
        counts = self.setup.space.count(self.wanted)
        if sum(counts.values()) == 0:
            raise UsageError(NO_BUILD)
        return counts

    def estimate(self, counts: Mapping[str, int]) -> SearchEstimate:
        """How big it will be."""
        loaded = self.setup.loaded
        first = next(iter(self.setup.space.chunks(self.wanted, 1)))
        return estimate(
            self.setup.space,
            self.wanted,
            counts,
            self.setup.fights,
            self.scorer,
            loaded.system.evaluators(loaded.model),
            words=first.codes.shape[1],
            rules=self.question.rules,
            jobs=self.question.jobs,
            everywhere=not all(each.is_solved(self.scorer.scorer) for each in self.question.objectives),
        )

    def chunks(self) -> list[Chunk]:
        """Every build that is asked for."""
        found = self.setup.space.chunks(self.wanted, CHUNK)
        if self.cost_above is None:
            return list(found)
        dear = [(chunk, self.setup.space.costs(chunk) > self.cost_above) for chunk in found]
        return [Chunk(chunk.group, chunk.codes[is_dear]) for chunk, is_dear in dear if is_dear.any()]

    def run(self) -> Answer:
        """Score and rank every build, or those that are given, or those that a guided search finds."""
        if self.among is not None:
            answer = self._rank(self.among.chunks, self.question)
            answer.out_of = sum(self.counts().values())
            return answer
        if self.guide is None:
            chunks = self.chunks()
            self.stages.mark("enumerate")
            return self._rank(chunks, self.question)
        found = guided(self, self.guide)
        self.stages.mark("search")
        question = self.question
        if found.is_partial:
            question.on_interrupt()
            # Whoever stopped the search does not want to wait for a race.
            question = replace(question, rules=replace(question.rules, budget=0))
        answer = self._rank(found.chunks, question)
        answer.out_of = sum(self.counts().values())
        answer.is_partial = answer.is_partial or found.is_partial
        return answer

    def _rank(self, chunks: Sequence[Chunk], question: Question) -> Answer:
        loaded = self.setup.loaded
        evaluators = loaded.system.evaluators(loaded.model)

        answer = optimize(
            self.setup.space,
            chunks,
            self.setup.fights,
            self.scorer,
            lambda ledger: Describer(self.scorer.scorer, evaluators, ledger),
            question,
            self.bar,
        )
        self.stages.take(answer.seconds, rest="order")
        return answer

    def bar(self, what: str, total: int) -> AbstractContextManager[Advance]:
        """A progress bar, unless nobody wants it."""
        return progress_bar(what, total, quiet=self.quiet)

    def write(self, answer: Answer, folder: Path) -> dict[str, Any]:
        """Write the run's folder; gives what run.json says."""
        loaded = self.setup.loaded
        system = loaded.system
        titles = {option.id: option.name for option in system.options(loaded.model)}
        columns = leaderboard(
            answer,
            self.setup.space,
            system.metrics,
            system.leaderboard_columns,
            titles,
            reproducing_options(self.words),
        )

        def about() -> dict[str, Any]:
            self.stages.mark("write")
            return self.about(answer) | {"seconds": self.stages.rounded()}

        return write_run(folder, answer, self.setup.space, columns, about)

    def about(self, answer: Answer) -> dict[str, Any]:
        """All that run.json says but timings."""
        loaded, ledger = self.setup.loaded, answer.ledger
        primary = loaded.system.metrics[0]
        exact = {name: int(ledger.is_exact(i).sum()) for i, name in enumerate(ledger.names)}
        race = answer.race
        return {
            "buildsearch": __version__,
            "versions": _versions(),
            "command": dict(self.words),
            "rules": {"id": loaded.model.id, "hash": content_hash(loaded.model)},
            "parameters": dict(self.setup.space.parameters),
            "fights": {
                name: {"weight": fight.weight, "hash": fight_hash(fight), "exact_builds": exact[name]}
                for name, fight in self.setup.fights.items()
            },
            "objectives": [
                {"name": each.name, "label": each.label, "higher_is_better": each.higher_is_better}
                for each in self.question.objectives
            ],
            "primary": {
                "name": primary.name,
                "label": primary.label,
                "higher_is_better": primary.higher_is_better,
            },
            "seed": self.question.seed,
            "floor": self.question.rules.floor,
            **about_guide(self, answer),
            "builds": len(ledger),
            "scored": answer.scored,
            "by_method": _by_method(answer),
            "cache": {"hits": self.scorer.hits, "misses": self.scorer.misses},
            "race": None
            if race is None
            else {
                "rounds": race.rounds,
                "fights": race.fights,
                "contenders": race.contenders,
                "open_ranks": race.open_ranks,
                "alpha": self.question.rules.alpha,
            },
            "headroom": None if self.headroom is None else dict(self.headroom),
            "partial": answer.is_partial,
        }


def make_scorer(setup: FightSetup, cache: Path | None) -> CachedScorer:
    """The system's bulk scorer behind a cache."""
    loaded = setup.loaded
    return CachedScorer(loaded.system.bulk(loaded.model, setup.space), ScoreCache(cache, warn))


def make_wanted(
    setup: FightSetup,
    groups: Sequence[str],
    with_: Sequence[str],
    without: Sequence[str],
    lock: str | None,
) -> Wanted:
    """The filters together; a locked build's parts must all be there."""
    wanted = Wanted(tuple(groups), tuple(with_), tuple(without))
    if lock is None:
        return wanted
    space = setup.space
    build = space.parse(lock)
    reasons = space.reasons_against(build)
    if reasons:
        raise InputError([replace(reason, source=f"--lock {lock}") for reason in reasons])
    code = space.encode(build)
    group = code.group
    (meant,) = space.builds(code)
    if space.name(meant) != space.name(build):
        under = ", ".join(f"{name} {value}" for name, value in space.parameters.items())
        raise UsageError(
            f"--lock {lock}: here it could only be {space.name(meant)} (under {under}). "
            "Change the parameters, or the build."
        )
    if groups and group not in groups:
        raise UsageError(f"--lock {lock} is of {group}, and only {', '.join(groups)} is asked for.")
    parts = tuple(feature.name for feature in space.features(build) if feature.name != group)
    return Wanted((group,), tuple(dict.fromkeys((*with_, *parts))), tuple(without))


def run_folder(setup: FightSetup, words: Mapping[str, Any], out: str | None, kind: str = "") -> Path:
    """Where a run goes: what was asked for is in its name, so that no run takes another's place."""
    if out is not None:
        if not out.strip():
            raise UsageError("--out is empty. Name a folder, or leave it out.")
        return Path(out)
    model = setup.loaded.model
    named = [model.id, *(str(value) for value in setup.space.parameters.values()), *([kind] if kind else [])]
    asked = json.dumps([dict(words), content_hash(model)], sort_keys=True, default=str)
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", "-".join(named))
    return RESULTS / f"{stem}-{_hash(asked)[:8]}"


def reproducing_options(words: Mapping[str, Any]) -> list[str]:
    """The options of `score` that a run's words amount to."""
    options: list[str] = []
    for name, value in words.items():
        if name in _SCORE_OPTIONS and value not in (None, [], False):
            for each in value if isinstance(value, list) else [value]:
                options += [f"--{name}", str(each)]
    return options


_SCORE_OPTIONS = (
    "rules",
    "set",
    "ruling",
    "parameter",
    "tier",
    "scenarios",
    "scenario",
    "enemies",
    "attacker",
    "enemy",
    "play",
)


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


def _by_method(answer: Answer) -> dict[str, int]:
    """How many (build, fight) were scored in which way."""
    ledger = answer.ledger
    exact = sum(int(ledger.is_exact(i).sum()) for i in range(len(ledger.fights)))
    scored = sum(int((ledger.mean(i, 0) == ledger.mean(i, 0)).sum()) for i in range(len(ledger.fights)))
    return {"exact": exact, "mc": scored - exact}

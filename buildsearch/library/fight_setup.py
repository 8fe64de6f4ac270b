"""Rules, fights and builds, checked and ready: what everything that scores begins with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from buildsearch.evaluate.statistics import within
from buildsearch.files.safe_reading import read_text
from buildsearch.library.input_files import Loaded, load_rules, load_scenarios
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import InputError, Problem, UsageError, reason_of
from buildsearch.model.evaluation import Evaluation, Evaluator, Explains, Fight, Sampling
from buildsearch.model.renamed import new_name
from buildsearch.model.space import BuildSpace
from buildsearch.options.game import GameOptions
from buildsearch.options.search import ScoreFields
from buildsearch.ruleset.messages import suggest


def open_space(loaded: Loaded, parameters: Mapping[str, str]) -> BuildSpace:
    """The space under these parameters; raises UsageError for one that the system does not declare."""
    check_parameters(loaded, parameters)
    return loaded.system.space(loaded.model, parameters)


def check_parameters(loaded: Loaded, parameters: Mapping[str, str]) -> None:
    """Raises UsageError for a parameter that the system does not declare."""
    declared = [parameter.name for parameter in loaded.system.parameters]
    for name in parameters:
        if name not in declared:
            hint = suggest(name, declared) if declared else "It has no parameters."
            raise UsageError(f"{loaded.system.title} has no parameter `{name}`. {hint}")


_MOST_LINES = 100_000
# What games put between the words of a build, and such a word: not a key, a hash or a path.
_BETWEEN = re.compile(r"[-+*:,/|\[\] .]+")
_WORD = re.compile(r"[A-Za-z]?[a-z0-9_]{0,40}")
_COLUMNS = ("rank", "score", "status", "gap", "loadout", "method")


@dataclass(frozen=True, slots=True)
class FightSetup:
    """Checked and ready: the rules, the space that reads builds, and the fights by name.

    `scenarios` is the file that they come from.
    """

    loaded: Loaded
    space: BuildSpace
    fights: Mapping[str, Fight]
    at_any_cost: bool
    scenarios: Loaded | None = None

    def read_builds(self, texts: Sequence[str]) -> list[Any]:
        """Legal builds; raises InputError with every problem of every one."""
        builds: list[Any] = []
        problems: list[Problem] = []
        for text in texts:
            try:
                build = self.space.parse(text)
            except InputError as error:
                problems += error.problems
                continue
            name = self.space.name(build)
            reasons = self.space.reasons_against(build, at_any_cost=self.at_any_cost)
            problems += [replace(problem, source=f"build '{name}'") for problem in reasons]
            builds.append(build)
        if problems:
            raise InputError(problems)
        if not builds:
            raise UsageError("no build was given. Name one, or a file with ‹builds›.")
        return builds

    def evaluator(self, engine: str, build: Any, fight: Fight) -> Evaluator:
        """The engine that was asked for, or with `auto` the first that can; raises UsageError."""
        return self._choice(engine, build, fight)[0]

    def why_sampled(self, build: Any, fight: Fight) -> str | None:
        """Why no exact engine takes a build in a fight; None where one does, or none has a reason."""
        evaluator, why = self._choice("auto", build, fight)
        return None if evaluator.method == "exact" else why

    def _choice(self, engine: str, build: Any, fight: Fight) -> tuple[Evaluator, str | None]:
        """An engine, and why others that come before it cannot."""
        evaluators = self.loaded.system.evaluators(self.loaded.model)
        known = ("auto", *(evaluator.method for evaluator in evaluators))
        if engine not in known:
            if (new := new_name(engine)) in known:
                raise UsageError(f"engine `{engine}` is called `{new}` now.")
            raise UsageError(f"unknown engine `{engine}`. {suggest(engine, known)}")
        reasons: list[str] = []
        for evaluator in evaluators:
            if engine in ("auto", evaluator.method):
                why_not = evaluator.why_not(build, fight)
                if why_not is None:
                    return evaluator, "; ".join(_telling(reasons)) or None
                reasons.append(why_not)
        said = "; ".join(_telling(reasons) or reasons)
        raise UsageError(f"{self.space.name(build)}: {said}. Try ‹engine› auto.")

    def policies(self, build: Any, engine: str) -> dict[str, tuple[str, ...]]:
        """What is done when, by fight; raises UsageError where no engine worked that out in any of them."""
        found, missing = {}, {}
        for name, fight in self.fights.items():
            evaluator = self.evaluator(engine, build, fight)
            if isinstance(evaluator, Explains):
                found[name] = evaluator.explain(build, fight)
            else:
                missing[name] = (f"scored by {evaluator.method}, which works out no policy",)
        if not found:
            raise UsageError(
                f"‹show_policy›: {self.space.name(build)} is {next(iter(missing.values()))[0]}, in every "
                "scenario asked for. Add ‹play› optimal if it is not there; with it, best play is worked out "
                "where every attack goes at one enemy at a time."
            )
        return {name: (found | missing)[name] for name in self.fights}

    def evaluate(
        self, builds: Sequence[Any], how: ScoreFields, watch: Watch = SILENT
    ) -> list[dict[str, Evaluation]]:
        """Every build in every fight; how many fights are sampled is left to the engine unless it is said."""
        error = None if how.target_error is None else _share(how.target_error)
        ends = {metric.name: (metric.low, metric.high) for metric in self.loaded.system.metrics}
        results: list[dict[str, Evaluation]] = []
        with watch.bar("scoring", len(builds) * len(self.fights)) as advance:
            for build in builds:
                results.append({})
                for name, fight in self.fights.items():
                    evaluator, why = self._choice(how.engine, build, fight)
                    fights = evaluator.default_fights if how.fights is None else how.fights
                    found = evaluator.evaluate(build, fight, Sampling(fights, how.seed, how.jobs, error))
                    # Intervals end where their metrics do.
                    possible = {
                        metric: within(each, *ends.get(metric, (None, None)))
                        for metric, each in found.estimates.items()
                    }
                    why = None if found.fights is None else why
                    results[-1][name] = replace(found, why_sampled=why, estimates=possible)
                    advance(1)
        return results


def _telling(reasons: Sequence[str]) -> list[str]:
    """Several engines may bear one name: one that is not for such builds says nothing about this one."""
    return [reason for reason in dict.fromkeys(reasons) if not reason.startswith("this engine")]


def setup_of(request: GameOptions) -> FightSetup:
    """Rules, space and fights as a request names them; raises InputError or UsageError."""
    return set_up(load_rules(request.rules, request.overrides, request.rulings), request)


def set_up(loaded: Loaded, request: GameOptions, scenarios: Loaded | None = None) -> FightSetup:
    """The same for rules that are read already, and perhaps scenarios."""
    system, given = loaded.system, request.parameters
    check_parameters(loaded, given)
    _check_fight_options(loaded, request)
    chosen = scenarios or load_scenarios(request.scenarios or loaded.model.default_scenarios)
    if chosen.system.id != system.id:
        raise UsageError(f"{chosen.path} is for {chosen.system.title}, and {loaded.path} for {system.title}.")
    fights = system.fights(loaded.model, chosen.model, given, request.fight_options)
    _check_names(fights, chosen.path)
    limits_cost = {parameter.name for parameter in system.parameters if parameter.limits_cost}
    return FightSetup(
        loaded=loaded,
        space=system.space(loaded.model, given),
        fights=_picked(fights, request.only),
        # Only where points are a matter of the parameters may builds be scored without naming any.
        at_any_cost=bool(limits_cost) and not limits_cost & set(given),
        scenarios=chosen,
    )


def _check_fight_options(loaded: Loaded, request: GameOptions) -> None:
    system = loaded.system
    declared = {option.name: option for option in system.fight_options}
    for name in request.fight_options:
        if name not in declared:
            raise UsageError(f"‹{name}›: {system.title} has no such option. {suggest(name, declared)}")
        if request.scenarios and declared[name].makes_fight:
            raise UsageError(
                f"‹{name}› makes up a fight, and ‹scenarios› names a set of them. Choose one of them."
            )


def _share(text: str) -> float:
    number, percent, rest = text.strip().partition("%")
    try:
        share = float(number) / (100 if percent else 1)
    except ValueError:
        share = -1.0
    if rest or not 1e-5 <= share < 1:
        raise UsageError(f"‹target_error› must be a share from 0.001% to 99%, e.g. 0.5%, not `{text}`.")
    return share


def _check_names(fights: Mapping[str, Fight], path: Path) -> None:
    """Tables of results have columns that are called by scenarios: no name may stand for two things."""
    ends = ("low", "high", "stdev", "method", "fights")
    taken = {*_COLUMNS, *(f"{name}_{end}" for name in fights for end in ends)}
    wrong = [name for name in fights if name in taken]
    if wrong:
        raise UsageError(
            f"{path}: results have columns that would be called like these scenarios: {', '.join(wrong)}. "
            "Rename them."
        )


def _picked(fights: Mapping[str, Fight], names: Sequence[str]) -> Mapping[str, Fight]:
    for name in names:
        if name not in fights:
            raise UsageError(f"unknown scenario `{name}`. {suggest(name, tuple(fights))}")
    return {name: fights[name] for name in dict.fromkeys(names)} if names else fights


def builds_in_file(path: Path | None) -> list[str]:
    """The builds of a file, a line each; empty lines and what follows a # do not count."""
    if path is None:
        return []
    try:
        return builds_in_lines(read_text(path).splitlines(), str(path))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read builds from {path}: {reason_of(error)}.") from error


def builds_in_lines(lines: list[str], source: str) -> list[str]:
    """The builds of some lines; raises UsageError for one that does not look like a build."""
    if len(lines) > _MOST_LINES:
        raise UsageError(f"{len(lines):,} lines of builds; at most {_MOST_LINES:,} at a time.")
    builds = [line.partition("#")[0].strip() for line in lines]
    for number, build in enumerate(builds, start=1):
        # What is wrong with a build is told in its own words, so the line must look like one: a file that
        # was named by mistake, or by somebody who would like to read it, is not quoted from.
        if not _looks_like_a_build(build):
            raise UsageError(
                f"{source}, line {number} does not look like a build, and is not shown. "
                "Write one a line, such as melee_dg+bleed."
            )
    return [build for build in builds if build]


def _looks_like_a_build(line: str) -> bool:
    words = [word for word in _BETWEEN.split(line) if word]
    one_mark = all(attack.count(":") <= 1 for attack in line.split("|"))
    return not line or (bool(words) and one_mark and all(_WORD.fullmatch(word) for word in words))

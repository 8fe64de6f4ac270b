"""Whether a mend holds where it was not made: other fights, other rulings, other stats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from buildsearch.balancing.edited_game import EditedGame, EditEvaluator
from buildsearch.balancing.goals import Goal, hold
from buildsearch.model.levers import Edit
from buildsearch.model.system import Dial


@dataclass(frozen=True, slots=True)
class RobustnessResult:
    """One other way to play: does the goal hold under a proposal, and did it before? `builds` were looked at.

    `was_kept` is None where nobody asked. `ahead`: how many times better the best build is than the
    reference level. `problem`: why it cannot be played so.
    """

    label: str
    is_kept: bool
    was_kept: bool | None = None
    is_open: bool = False
    broken: str = ""
    best: float = 0.0
    best_build: str = ""
    reference: float | None = None
    builds: int = 0
    problem: str = ""


def judge_elsewhere(
    label: str,
    court: EditEvaluator,
    goals: tuple[Goal, ...],
    edits: Sequence[Edit],
    *,
    asks_before: bool = True,
) -> RobustnessResult:
    """The verdict of a court that sits elsewhere."""
    state = court.state(edits)
    verdict = hold(goals, state)
    table = court.table
    if not len(state.rows):
        return RobustnessResult(label, is_kept=False, broken="no build that was looked at is left")
    return RobustnessResult(
        label,
        is_kept=verdict.is_kept,
        was_kept=hold(goals, court.state(())).is_kept if asks_before else None,
        is_open=verdict.is_open,
        broken=verdict.why_not or "; ".join(goal.words for goal, _ in verdict.broken),
        best=state.best,
        best_build=table.population.name(int(state.contest.winner), table.subject.space),
        reference=None if state.reference is None else state.reference.score,
        builds=len(state.rows),
    )


def say_elsewhere(found: Sequence[RobustnessResult]) -> list[str]:
    """Where a proposal does not hold, a sentence each, and the verdict last."""
    said = []
    judged = [each for each in found if not each.problem]
    for each in found:
        if each.problem:
            said.append(f"Not tried, {each.label}: {each.problem}.")
        elif not each.is_kept:
            how = "Inconclusive" if each.is_open else "Breaks"
            before = {True: " (met there now)", False: " (broken there now too)", None: ""}
            level = "" if each.reference is None else f", benchmark {each.reference:.4g}"
            said.append(
                f"{how} in {each.label}{before[each.was_kept]}: misses {each.broken}; the best is "
                f"{each.best_build} ({each.best:.4g}{level})."
            )
    if not judged:
        return said
    kept = sum(each.is_kept for each in judged)
    most = max(each.builds for each in judged)
    worse = [each.label for each in judged if each.was_kept and not each.is_kept and not each.is_open]
    verdict = (
        f"It holds in all {len(judged)} other ways to play"
        if kept == len(judged)
        else f"It holds in {kept} of {len(judged)} other ways to play"
    )
    harm = f"; it breaks what is met now in {', '.join(worse)}" if worse else ""
    said.append(f"{verdict}, judged by up to {most:,} key builds in each{harm}.")
    return said


def elsewhere_data(found: Sequence[RobustnessResult]) -> list[dict[str, object]]:
    return [
        {
            "where": each.label,
            "kept": each.is_kept,
            "kept_today": each.was_kept,
            "undecided": each.is_open,
            "broken": each.broken,
            "best": each.best,
            "best_build": each.best_build,
            "reference": each.reference,
            "builds": each.builds,
            "problem": each.problem,
        }
        for each in found
    ]


# Counted, never timed: the same seed tries the same fights.
TRIALS = 40


def strain(goals: tuple[Goal, ...], state: EditedGame) -> float:
    """How far a game is from the goal: above 1 where it is broken, else how near the best build comes to
    being far above the reference level."""
    verdict = hold(goals, state)
    ahead = 0.0 if state.reference is None else state.reference.loss - state.best_loss
    return (0.0 if verdict.is_kept else 1.0) + ahead


def hardest(
    dials: Sequence[Dial], value: Callable[[Mapping[str, int]], float], *, seed: int, trials: int = TRIALS
) -> dict[str, int]:
    """The values of dials that strain most; where everything is as usual is tried first."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    study.enqueue_trial({dial.name: min(max(dial.usual, dial.low), dial.high) for dial in dials})

    def objective(trial: optuna.Trial) -> float:
        return value({dial.name: trial.suggest_int(dial.name, dial.low, dial.high) for dial in dials})

    study.optimize(objective, n_trials=trials)
    return {name: int(number) for name, number in study.best_params.items()}

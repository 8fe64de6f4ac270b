"""The fight that strains a mend most, looked for with Optuna within the bounds that a game declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from buildsearch.balancing.goals import Goal, hold
from buildsearch.balancing.state import State
from buildsearch.model.system import Dial

# Counted, never timed: the same seed tries the same fights.
TRIALS = 40


def strain(goals: tuple[Goal, ...], state: State) -> float:
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

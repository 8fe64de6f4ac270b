"""What becomes of a proposal elsewhere: held-out fights, and the fight that strains it most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.robustness import RobustnessResult, elsewhere_data, say_elsewhere
from buildsearch.library.balance import Desk
from buildsearch.library.hold_outs import Trial, check_hold_outs, hold_out
from buildsearch.library.stress import Stressed, check_strainable, say_stressed, stress
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.levers import Edit
from buildsearch.options.balance import BalanceChecks
from buildsearch.search.executor import Jobs


@dataclass(frozen=True, slots=True)
class Checks:
    """What was found about proposal `number`, by game; a single game has no label."""

    number: int
    elsewhere: tuple[RobustnessResult, ...]
    stressed: tuple[tuple[str, Stressed], ...]

    @property
    def is_held(self) -> bool:
        """Whether the goal holds in everything that was tried."""
        return all(each.is_kept for each in self.elsewhere if not each.problem) and all(
            each.verdict.is_kept for _, each in self.stressed
        )

    def sentences(self) -> list[str]:
        """What there is to say, the verdict last."""
        said = say_elsewhere(self.elsewhere)
        for label, each in self.stressed:
            said += [f"{label}: {text}" if label else text for text in say_stressed(each)]
        return [f"Proposal {self.number}. {text}" for text in said]

    def conclusion(self) -> str:
        """What to do about it."""
        if self.is_held:
            return f"Proposal {self.number} holds in everything else that was tried."
        return (
            f"Proposal {self.number} does not hold everywhere: look at the fights named above before you "
            "take it, or give their scenario set to optimize and balance that."
        )

    def data(self) -> dict[str, object]:
        """For programs."""
        return {
            "proposal": self.number,
            "holds": self.is_held,
            "elsewhere": elsewhere_data(self.elsewhere),
            "stress": [
                {"game": label, **elsewhere_data([each.verdict])[0], "scenarios": each.scenarios}
                for label, each in self.stressed
            ],
        }


def refuse_unknown(desk: Desk, request: BalanceChecks) -> None:
    """Raises for sets of scenarios that there are not, before any work is done."""
    check_hold_outs(desk, request.also_check)
    if request.stress:
        check_strainable(desk)


def check_proposal(
    games: Mapping[str, tuple[Desk, BalancedGame]],
    edits: Sequence[Edit],
    number: int,
    request: BalanceChecks,
    *,
    cache: Path | None,
    jobs: Jobs,
    watch: Watch = SILENT,
    say: Callable[[str], None] = lambda _text: None,
) -> Checks:
    """Try a proposal elsewhere, in each of its games."""
    elsewhere: list[RobustnessResult] = []
    stressed: list[tuple[str, Stressed]] = []
    for label, (desk, game) in games.items():
        trial = Trial(desk, game, edits, cache, jobs, watch)
        for each in hold_out(trial, desk, request.also_check, say):
            elsewhere.append(replace(each, label=f"{label}: {each.label}") if label else each)
        if request.stress:
            stressed.append((label, stress(trial, desk, say=say)))
    return Checks(number, tuple(elsewhere), tuple(stressed))

"""Where engines disagree about a case.

Solved means may differ by 2e-6. The compiled sampler plays the same fights in bulk and one build at a
time, so those are equal. A sampled mean is suspicious above 3.5 standard errors; it is a find if two more
samples with other seeds, of 16 and of 64 times the fights, are above 4.5 to the same side. By normal tails
that happens by chance once in 10^14 comparisons; skewed outcomes make it likelier, hence two more samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.digest.cases import Case
from tests.digest.engines import (
    BEST,
    EXACT,
    LOOKAHEAD,
    REFERENCE,
    ROLES,
    SAMPLED,
    SAMPLED_BULK,
    SOLVED,
    Answer,
    answer,
    is_higher_better,
)

TOLERANCE = 2e-6
SUSPICIOUS, SURE = 3.5, 4.5
MORE = (16, 64)
BIAS = "bias of the reference"
# Fights of the compiled samplers and of the reference, which takes a thousand times as long.
FIGHTS = {"vitality": (4096, 32), "armitage": (2048, 8), "dungeoneers": (4096, 24), "animon": (2048, 16)}


@dataclass(frozen=True)
class Find:
    """Two engines that say different things, or one that fails."""

    case: Case
    engines: str
    metric: str
    values: tuple[float, ...]
    error: float  # a gap, or standard errors
    sentence: str

    def written(self) -> dict:
        return {"case": self.case.written(), "engines": self.engines, "says": self.sentence}


def fights_of(case: Case, role: str) -> int:
    """How many fights a role plays."""
    return FIGHTS[case.game.partition("-")[0]][role == REFERENCE]


def kind_of(case: Case) -> str:
    """What a case is counted as."""
    several = "loadout" if " | " in case.build else "build"
    changed = "changed" if case.overrides or case.rulings else "as shipped"
    return f"{several}, {case.play}, {changed}"


def finds_in(case: Case, counted: Counter | None = None) -> list[Find]:
    """Everything that is wrong with a case.

    `counted` gets how often two engines were compared, and of samples the sum of standard errors and of
    their squares: a small bias of many cases shows in these. Under `BIAS` it gets those of the reference.
    """
    counted = Counter() if counted is None else counted
    answers: dict[str, Answer] = {}
    for role in ROLES:
        try:
            found = answer(case, role, case.number + 1, fights_of(case, role))
        except Exception as error:  # whatever an engine raises is a find
            sentence = f"{role} raises {type(error).__name__}: {error}"
            return [Find(case, role, "", (), 0.0, sentence)]
        if found is not None:
            answers[role] = found
    finds = []
    for find, pair, z in (
        *_solved(case, answers),
        *_same_fights(case, answers),
        *_by_samples(case, answers),
        *_best_is_best(case, answers),
    ):
        counted[pair] += 1
        if z is not None:
            if pair.endswith(REFERENCE) and f"{pair}, sum" not in counted:
                counted[BIAS] = z  # of the primary metric, which comes first
            counted[f"{pair}, sum"] += z
            counted[f"{pair}, squares"] += z * z
        finds += [find] if find else []
    return finds


Compared = Iterator[tuple[Find | None, str, float | None]]


def _solved(case: Case, answers: dict[str, Answer]) -> Compared:
    there = [role for role in SOLVED if role in answers]
    for other in there[1:]:
        first = there[0]
        (metric, mean), theirs = next(iter(answers[first].means.items())), answers[other].means
        gap = abs(mean - theirs[metric])
        unlimited = BEST in {other, first}
        bad = gap > TOLERANCE and not (unlimited and _times_out(answers[BEST]))
        pair = f"{first} = {other}"
        yield _find(case, pair, metric, (mean, theirs[metric]), gap) if bad else None, pair, None


def _same_fights(case: Case, answers: dict[str, Answer]) -> Compared:
    if SAMPLED in answers and SAMPLED_BULK in answers:
        pair = f"{SAMPLED} = {SAMPLED_BULK}"
        for metric, mean in answers[SAMPLED_BULK].means.items():
            other = answers[SAMPLED].means[metric]
            bad = abs(mean - other) > 1e-9 * max(1.0, abs(mean))
            yield _find(case, pair, metric, (other, mean), abs(mean - other)) if bad else None, pair, None


def _by_samples(case: Case, answers: dict[str, Answer]) -> Compared:
    """Samples against what is solved, else against the larger sample."""
    solved = next((role for role in (EXACT, BEST) if role in answers), None)
    sampled = SAMPLED if SAMPLED in answers else LOOKAHEAD if LOOKAHEAD in answers else None
    pairs = [(solved, SAMPLED), (solved or sampled, REFERENCE)]
    for truth, role in pairs:
        if truth is None or truth not in answers or role not in answers:
            continue
        pair = f"{truth} ~ {role}"
        for metric in answers[role].means:
            if metric in answers[truth].means:
                z = _z(answers[truth], answers[role], metric)
                bad = abs(z) > SUSPICIOUS and _again(case, truth, role, metric, z)
                values = (answers[truth].means[metric], answers[role].means[metric])
                yield _find(case, pair, metric, values, bad or z) if bad else None, pair, z


def _z(truth: Answer, sample: Answer, metric: str) -> float:
    """In standard errors. One fight in a sample may always be otherwise than all others."""
    assert sample.fights
    deviation = max(each.deviations.get(metric, 0.0) for each in (truth, sample))
    variance = deviation**2 * (1 / sample.fights + (1 / truth.fights if truth.fights else 0.0))
    return (sample.means[metric] - truth.means[metric]) / max(variance**0.5, 1 / sample.fights, 1e-12)


def _again(case: Case, truth: str, role: str, metric: str, z: float) -> float | None:
    """Other seeds, more fights: the standard errors of the last sample if it is a find."""
    for number, more in enumerate(MORE, start=2):
        seed = (case.number + 1) * 1000 + number
        answers = [answer(case, each, seed, more * fights_of(case, each)) for each in (truth, role)]
        if answers[0] is None or answers[1] is None:
            return None
        other = _z(answers[0], answers[1], metric)
        if abs(other) < SURE or other * z < 0:
            return None
        z = other
    return z


def _times_out(found: Answer) -> bool:
    return found.means.get("timeout_share", 0.0) > 1e-9


def _best_is_best(case: Case, answers: dict[str, Answer]) -> Compared:
    """Best play is no worse than greedy play, or than looking ahead."""
    if BEST not in answers:
        return
    best = answers[BEST]
    metric, mean = next(iter(best.means.items()))
    greedy = answer(replace(case, fight={**case.fight, "play": "greedy"}), EXACT)
    sign = 1 if is_higher_better(case, metric) else -1
    if greedy is not None and not _times_out(best) and not _times_out(greedy):
        pair = f"{BEST} >= {EXACT}"
        gap = sign * (greedy.means[metric] - mean)
        yield (
            _find(case, pair, metric, (mean, greedy.means[metric]), gap) if gap > TOLERANCE else None,
            pair,
            None,
        )
    if LOOKAHEAD in answers and not _times_out(best):
        pair, z = f"{BEST} >= {LOOKAHEAD}", _z(best, answers[LOOKAHEAD], metric)
        bad = sign * z > SUSPICIOUS and _again(case, BEST, LOOKAHEAD, metric, z)
        values = (mean, answers[LOOKAHEAD].means[metric])
        yield _find(case, pair, metric, values, bad or z) if bad else None, pair, None


def _find(case: Case, engines: str, metric: str, values: tuple[float, float], error: float) -> Find:
    unit = "standard errors" if "~" in engines or LOOKAHEAD in engines else "apart"
    sentence = f"{metric} {values[0]:.9g} and {values[1]:.9g}, {abs(error):.3g} {unit}"
    return Find(case, engines, metric, values, error, sentence)

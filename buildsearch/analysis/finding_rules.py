"""From an assessment to findings: what is flagged, how gravely, and in which words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from buildsearch.analysis.assessment import Assessment
from buildsearch.analysis.causes import Combination, grouped, having
from buildsearch.analysis.choices import Choice, Naming
from buildsearch.analysis.fair_costs import CostModel
from buildsearch.analysis.findings import Certainty, Finding, FindingCode, FindingSeverity
from buildsearch.analysis.must_haves import Loss, Substitutes, explains, hidden_must_haves
from buildsearch.analysis.reach import SURE, Reach, Reference
from buildsearch.analysis.score_order import ScoreOrder
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.text import count, listed

# Builds that a finding shows as evidence, and names that a sentence lists.
SHOWN = 5
MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class FindingContext:
    """What findings are drawn from: the assessment, names, builds by row, and how scores are said.

    `least` is the least number of turns of each fight, where turns are counted. `below_rules`: the builds
    have fewer points than the rules give. `explained` are options whose weakness another finding explains.
    """

    verdict: Assessment
    naming: Naming
    build_names: Mapping[int, str]
    words: ScoreWords
    purse: CostModel | None
    least: Sequence[float] | None = None
    below_rules: bool = False
    explained: frozenset[str] = frozenset()

    @property
    def contest(self) -> ScoreOrder:
        return self.verdict.contest

    @property
    def benchmark(self) -> Reference:
        """The benchmark; nothing is flagged without one."""
        assert self.verdict.reference is not None  # noqa: S101 - the callers asked
        return self.verdict.reference

    def build(self, row: int) -> str:
        return self.build_names.get(row, "")

    def does(self, row: int) -> str:
        """What a build does: `wins in 2.52 turns`."""
        return self.words.does(float(self.contest.scores[row]))

    def instead(self, left: int, best: int) -> str:
        """What is left when the best is gone: `needs 6.26 turns, not 2.52`."""
        scores = self.contest.scores
        return self.words.instead(float(scores[left]), float(scores[best]))

    def certainty(self, rows: Sequence[int], *, is_open: bool = False) -> Certainty:
        """How sure a finding about some builds is."""
        if is_open:
            return Certainty.INCONCLUSIVE
        is_exact = all(self.contest.score_errors[row] == 0 for row in rows)
        return Certainty.EXACT if is_exact else Certainty.SAMPLED


def findings_of(context: FindingContext) -> list[Finding]:
    """Everything that an assessment flags; nothing where there are too few builds to judge."""
    verdict = context.verdict
    if verdict.flat is not None:
        return [*flat_scenarios(context), *(must_haves(context) if verdict.too_small is None else ())]
    if verdict.too_small is not None:
        return []
    return [
        *overpowered(context),
        *must_haves(context),
        *instant_wins(context),
        *dominant_type(context),
        *flat_scenarios(context),
        *undercosted(context),
        *weak_options(context),
        *near_limit(context),
    ]


def shown_rows(verdict: Assessment) -> list[int]:
    """The rows of builds that findings and tables name."""
    rows = [verdict.contest.winner]
    for cause in verdict.causes.family:
        rows += cause.rows[:SHOWN].tolist()
    losses = (*verdict.losses, *verdict.must_haves, *verdict.revealed, *verdict.pair_losses)
    rows += [loss.row for loss in losses if loss.row is not None]
    rows += [each.row for each in verdict.decided]
    rows += [reach.row for reach in verdict.reaches]
    rows += [step.health.best for step in verdict.bans if step.health is not None]
    rows += [level.best for level in verdict.levels]
    if verdict.dominant is not None and verdict.dominant.best_other is not None:
        rows.append(verdict.dominant.best_other)
    return list(dict.fromkeys(int(row) for row in rows))


def some_of(names: Sequence[str]) -> str:
    """A list that ends with how many more there are."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"


def overpowered(context: FindingContext) -> Iterator[Finding]:
    """A finding for each cause: an option with all its combinations, or a combination that shares none."""
    verdict, contest = context.verdict, context.contest
    sure = set(verdict.overpowered.sure.tolist())
    everything = len(verdict.overpowered.rows)
    for number, (shared, combinations) in enumerate(grouped(verdict.causes.family)):
        # Builds of several combinations count once, the best first.
        rows = np.unique(np.concatenate([each.rows for each in combinations]))
        rows = rows[np.argsort(contest.losses[rows], kind="stable")]
        choices = combinations[0].choices if shared is None else (shared,)
        best = int(rows[0])
        many = f"all {everything}" if len(rows) == everything else f"{len(rows)} of {everything}"
        where = f"{many} overpowered builds" if everything > 1 else "the one overpowered build"
        lost = np.zeros(len(contest.population), dtype=np.bool_)
        for each in combinations:
            lost |= having(contest.population, each.choices)
        evidence = f"The best {context.does(best)}: {context.build(best)}"
        yield Finding(
            code=FindingCode.OVERPOWERED,
            severity=FindingSeverity.ERROR
            if number < contest.yardstick.limits.errors
            else FindingSeverity.WARNING,
            subjects=tuple(choice.name for choice in choices),
            text=f"{context.naming.together(choices)} is in {where}. {evidence}",
            evidence=evidence,
            fix=_fix_of_cause(context, shared, combinations, rows),
            builds=tuple(rows[:SHOWN].tolist()),
            certainty=context.certainty([best], is_open=not sure & set(rows.tolist())),
            numbers={
                "builds": len(rows),
                "best": float(contest.scores[best]),
                "benchmark": context.benchmark.score,
                "ratio": contest.yardstick.factor(float(contest.losses[best]), context.benchmark.loss),
                "combinations": [list(each.names) for each in combinations],
                "builds_lost": int(lost.sum()),
                "is_proved": verdict.causes.is_proved,
            },
        )


def _fix_of_cause(
    context: FindingContext, shared: Choice | None, combinations: Sequence[Combination], rows: np.ndarray
) -> str:
    """A ban, or the smallest raise of one option that takes all these builds out of the budget."""
    choices = combinations[0].choices
    groups = [choice for choice in choices if not choice.part.is_chosen]
    chosen = [choice for choice in choices if choice.part.is_chosen] if shared is None else [shared]
    where = f" on {context.naming.together(groups)}" if groups else ""
    names = [context.naming.choice(choice) for choice in chosen]
    fixes = []
    if shared is None:
        ban = f"Don't allow {names[0]}{where}"
        fixes.append(ban if len(names) == 1 else f"Don't allow {' together with '.join(names)}{where}")
    raises = []
    if context.purse is not None:
        population = context.contest.population
        room = context.purse.budget - population.scores.cost[rows]
        for choice, name in zip(chosen, names, strict=True):
            if choice.price is not None:
                each = context.purse.steps(population, rows, choice.part.feature)
                rise = int(np.floor(room / each + 1e-9).max()) + 1
                raises.append((rise, f"raise {name} from {choice.price} to {choice.price + rise}"))
    if raises:
        fixes.append(min(raises)[1])
    if not fixes:
        fixes.append(f"Weaken {names[0]}")
    said = ", or ".join(fixes)
    return f"{said[0].upper()}{said[1:]}."


def must_haves(context: FindingContext) -> Iterator[Finding]:
    """What the best build cannot do without: in plain sight, behind something stronger, or behind a
    substitute. Where the fights do not separate builds it is a warning: harder ones may say otherwise."""
    verdict, family = context.verdict, context.verdict.causes.family
    severity = FindingSeverity.ERROR if verdict.flat is None else FindingSeverity.WARNING
    for loss in sorted(verdict.must_haves, key=lambda loss: -loss.apart):
        # A combination that is flagged as overpowered is not flagged again.
        if not any(explains(context.contest, cause.choices, loss) for cause in family):
            yield _must_have(context, loss, "", severity)
    for loss in sorted(verdict.revealed, key=lambda loss: -loss.apart):
        yield _must_have(context, loss, "Once the combinations above are gone, ", severity)
    for pair in hidden_must_haves(verdict.pair_losses):
        yield _substitutes(context, pair, severity)


def _must_have(context: FindingContext, loss: Loss, when: str, severity: FindingSeverity) -> Finding:
    contest, population = context.contest, context.contest.population
    assert loss.row is not None  # noqa: S101 - some build is left
    best = loss.best
    top = contest.order[:100]
    share = float(np.logical_and.reduce([choice.has(population, top) for choice in loss.choices]).mean())
    name = context.naming.together(loss.choices)
    text = f"Without {name} the best build {context.instead(loss.row, best)}."
    price = context.verdict.prices.get(loss.choices[0].name) if len(loss.choices) == 1 else None
    fix = f"Weaken {name}, or offer an alternative."
    if price is not None and price.indifferent is not None and price.price is not None:
        fair = max(price.indifferent, price.price + 1)
        fix = f"Raise {name} from {price.price} to {fair}, and run analyze again."
    return Finding(
        code=FindingCode.MUST_HAVE,
        severity=severity,
        subjects=loss.names,
        text=f"{when}{text[0].lower()}{text[1:]}" if when else text,
        fix=fix,
        builds=(best, loss.row),
        certainty=context.certainty((best, loss.row), is_open=loss.is_open),
        numbers={
            "best": float(contest.scores[best]),
            "best_without": float(contest.scores[loss.row]),
            "ratio": loss.factor,
            "pick_rate_top_100": share,
            "pick_rate": float(having(population, loss.choices).mean()),
        },
    )


def _substitutes(context: FindingContext, pair: Substitutes, severity: FindingSeverity) -> Finding:
    """One must-have that another hides: a build can do without either of them, but not without both."""
    contest, loss = context.contest, pair.loss
    assert loss.row is not None  # noqa: S101 - some build is left
    one, other = context.naming.together(pair.choices), context.naming.together(pair.others)
    return Finding(
        code=FindingCode.MUST_HAVE,
        severity=severity,
        subjects=tuple(choice.name for choice in (*pair.choices, *pair.others)),
        text=f"{one} and {other} replace each other: without both the best build "
        f"{context.instead(loss.row, loss.best)}.",
        fix=f"Weaken or raise both: a change of {one} alone leaves {other}.",
        builds=(loss.best, loss.row),
        certainty=context.certainty((loss.best, loss.row), is_open=loss.is_open),
        numbers={
            "best": float(contest.scores[loss.best]),
            "best_without": float(contest.scores[loss.row]),
            "ratio": loss.factor,
            "substitutes": [choice.name for choice in pair.others],
        },
    )


def instant_wins(context: FindingContext) -> Iterator[Finding]:
    """Fights that are over before they begin."""
    found = [each for each in context.verdict.decided if each.accuses]
    if not found:
        return
    first = found[0]
    names = context.contest.population.scores.fights
    least = {context.least[names.index(name)] for name in first.chances} if context.least else set()
    when = "as fast as possible"
    if len(least) == 1:
        when = f"on {context.words.unit.removesuffix('s')} {round(min(least)):,}"
    verb = "win" if len(found) > 1 else "wins"
    yield Finding(
        code=FindingCode.INSTANT_WIN,
        severity=FindingSeverity.ERROR,
        subjects=tuple(first.chances),
        text=f"{count(len(found), 'build')} {verb} {listed(list(first.chances))} {when}.",
        fix="Make these scenarios harder, or ban the combination behind it.",
        builds=tuple(each.row for each in found[:SHOWN]),
        certainty=context.certainty([first.row]),
        numbers={"builds": len(found), "chances": dict(first.chances), "weight": first.weight},
    )


def dominant_type(context: FindingContext) -> Iterator[Finding]:
    found = context.verdict.dominant
    if found is None or not found.accuses:
        return
    name = context.naming.titles.get(found.group, found.group)
    text = f"{name} has {found.builds} of the {found.top} best builds, and {found.share:.0%} of all."
    rows = (found.best_other,) if found.best_other is not None else ()
    if found.best_other is not None:
        text += f" The best of another type {context.does(found.best_other)}."
    yield Finding(
        code=FindingCode.DOMINANT_TYPE,
        severity=FindingSeverity.WARNING,
        subjects=(found.group,),
        text=text,
        fix=f"Weaken {name}, or strengthen the others.",
        builds=rows,
        certainty=context.certainty(rows),
        numbers={"builds": found.builds, "of_best": found.top, "pick_rate": found.share},
    )


def flat_scenarios(context: FindingContext) -> Iterator[Finding]:
    """Scenarios that say nothing about options: all of them together, or some."""
    verdict = context.verdict
    fights = tuple(context.contest.population.scores.fights)
    if verdict.flat is not None:
        subjects, text = fights, f"The scenarios do not separate builds: {verdict.flat}."
    elif verdict.flat_fights:
        subjects = verdict.flat_fights
        verb = "do" if len(subjects) > 1 else "does"
        text = (
            f"{listed(list(subjects))} {verb} not separate builds: most of them do about as well there as "
            "the best."
        )
    else:
        return
    yield Finding(
        code=FindingCode.FLAT_SCENARIO,
        severity=FindingSeverity.WARNING,
        subjects=subjects,
        text=text,
        fix="Add harder scenarios, or leave these out.",
        numbers={"scenarios": list(subjects)},
    )


def undercosted(context: FindingContext) -> Iterator[Finding]:
    """Options for which a good build could pay more, and that are no must-haves, as one list."""
    verdict, yardstick = context.verdict, context.contest.yardstick
    needed = {name for loss in (*verdict.must_haves, *verdict.revealed) for name in loss.names}
    needed |= {
        choice.name
        for pair in hidden_must_haves(verdict.pair_losses)
        for choice in (*pair.choices, *pair.others)
    }
    limit = context.benchmark.loss - yardstick.distance(yardstick.limits.undercosted)
    found = [
        reach
        for reach in _options(verdict)
        if reach.choice.name not in needed
        and not verdict.worths[reach.choice.name].is_passenger
        and verdict.prices[reach.choice.name].dearer < limit
    ]
    if not found:
        return
    # The strongest first, by the mean of their best builds.
    sign = -1 if yardstick.higher_is_better else 1
    found.sort(key=lambda reach: sign * verdict.worths[reach.choice.name].mean_of_best)
    fair = [verdict.prices[reach.choice.name] for reach in found]
    rises = {(each.indifferent or 0) - (each.price or 0) for each in fair}
    names = [context.naming.choice(reach.choice) for reach in found]
    if len(rises) == 1:
        by, told = f" by {count(rises.pop(), 'point')}", names
    else:
        by = ""
        told = [
            f"{name} {each.price} (fair {each.indifferent})" for name, each in zip(names, fair, strict=True)
        ]
    rows = [reach.row for reach in found]
    yield _listed_finding(
        context,
        FindingCode.UNDERCOSTED,
        FindingSeverity.WARNING,
        found,
        f"{count(len(found), 'option')} {'is' if len(found) == 1 else 'are'} undercosted{by}",
        told,
        "Raise them to their fair costs, the first ones first.",
        context.certainty(rows, is_open=all(reach.error > 0 for reach in found)),
    )


def weak_options(context: FindingContext) -> Iterator[Finding]:
    """Options far below the benchmark, the furthest first: overcosted where a lower cost may help, too weak
    where none does. Just beyond the margin they are a note, and so are all below the rules' own budget."""
    verdict, yardstick = context.verdict, context.contest.yardstick
    weak = [reach for reach in _options(verdict) if reach.choice.name in verdict.weak - context.explained]
    weak.sort(key=lambda reach: -reach.loss)
    far = context.benchmark.loss + yardstick.weak
    surely, perhaps = f"{yardstick.limits.weak:.0%}", f"{1 / (1 - yardstick.limits.margin) - 1:.0%}"
    bands: tuple[tuple[FindingSeverity, str, Callable[[Reach], bool]], ...] = (
        (FindingSeverity.WARNING, f"by more than {surely}", lambda reach: reach.loss > far),
        (FindingSeverity.NOTE, f"by {perhaps} to {surely}", lambda reach: reach.loss <= far),
    )
    for severity, how, is_in in bands:
        for code in (FindingCode.OVERCOSTED, FindingCode.TOO_WEAK):
            found = [reach for reach in weak if is_in(reach) and _weakness(context, reach) is code]
            if not found:
                continue
            names = [context.naming.choice(reach.choice) for reach in found]
            verb = "misses" if len(found) == 1 else "miss"
            doubt = SURE * max(float(np.hypot(reach.error, context.benchmark.error)) for reach in found)
            edge = max(reach.loss for reach in found) - context.benchmark.loss
            at_budget = " at this budget" if context.below_rules else ""
            yield _listed_finding(
                context,
                code,
                FindingSeverity.NOTE if context.below_rules else severity,
                found,
                f"{count(len(found), 'option')} {verb} the benchmark {how}{at_budget}",
                names,
                _fix_of_weak(context, code, found),
                context.certainty(
                    [reach.row for reach in found], is_open=doubt > 0 and edge < yardstick.margin + doubt
                ),
            )


def _weakness(context: FindingContext, reach: Reach) -> FindingCode:
    """Too weak where no lower cost helps: none is known to, or there is none."""
    price = context.verdict.prices[reach.choice.name]
    return FindingCode.TOO_WEAK if price.is_hopeless or not price.price else FindingCode.OVERCOSTED


def _fix_of_weak(context: FindingContext, code: FindingCode, found: Sequence[Reach]) -> str:
    if code is FindingCode.TOO_WEAK:
        return "Strengthen them: no lower cost is enough."
    cuts = []
    for reach in found:
        price = context.verdict.prices[reach.choice.name]
        if price.indifferent is not None:
            cuts.append(f"{context.naming.choice(reach.choice)} to {price.indifferent}")
    return f"Lower {some_of(cuts)}." if cuts else "Strengthen them, or lower their costs."


def told_together(found: Sequence[Finding], context: FindingContext) -> list[Finding]:
    """Options that are dead or worse than another, one list for each code. Below the rules' own budget it is
    a note that an option is worse: with more points it may not be."""
    told = []
    for code, head in _HEADS.items():
        mine = [finding for finding in found if finding.code is code]
        if not mine:
            continue
        first = mine[0]
        subjects = tuple(name for finding in mine for name in finding.subjects)
        text, names = first.text, [_named(context, each) for each in mine]
        if len(mine) > 1:
            text = f"{len(mine)} options {head}: {some_of(names)}."
        is_note = context.below_rules and code in (FindingCode.STRICTLY_WORSE, FindingCode.OUTCLASSES)
        told.append(
            replace(
                first,
                severity=FindingSeverity.NOTE if is_note else first.severity,
                subjects=subjects,
                text=text,
                listed=tuple(names) if len(mine) > 1 else (),
                numbers={"options": {each.subjects[0]: dict(each.numbers) for each in mine}},
            )
        )
    return told


_HEADS = {
    FindingCode.NEVER_TRIGGERS: "never trigger",
    FindingCode.ABSENT_TARGET: "need a target that no scenario has",
    FindingCode.OUTCLASSES: "outclass others",
    FindingCode.STRICTLY_WORSE: "are strictly worse than another",
    FindingCode.DEAD_OPTION: "change nothing",
}


def _named(context: FindingContext, finding: Finding) -> str:
    """An option, with what it is worse than, how many it outclasses, or what it needs."""
    titles = context.naming.titles
    name = titles.get(finding.subjects[0], finding.subjects[0])
    if finding.code is FindingCode.STRICTLY_WORSE:
        by = finding.numbers["by"][0]
        return f"{name} than {'leaving it out' if by is None else titles.get(by, by)}"
    if finding.code is FindingCode.OUTCLASSES:
        return f"{name} ({len(finding.numbers['victims'])})"
    return f"{name} ({finding.numbers['needs']})" if "needs" in finding.numbers else name


def near_limit(context: FindingContext) -> Iterator[Finding]:
    """What is not wrong yet, but nearly: the best build, or what it would lose without an option."""
    verdict, contest, yardstick = context.verdict, context.contest, context.contest.yardstick
    if len(verdict.overpowered.rows) or verdict.must_haves:
        return
    best = contest.winner
    apart = context.benchmark.loss - float(contest.losses[best])
    nearly = [loss for loss in verdict.losses if loss.is_near and not loss.choices[0].part.is_stat]
    nearly = [loss for loss in nearly if loss.choices[0].part.is_chosen]
    told = []
    if apart > yardstick.near:
        ahead = yardstick.ahead(float(contest.losses[best]), context.benchmark.loss)
        told.append(f"the best build is {ahead} ahead of the benchmark")
    for loss in nearly[:1]:
        assert loss.row is not None  # noqa: S101 - only losses with builds left are near
        told.append(f"without {context.naming.together(loss.choices)} it {context.instead(loss.row, best)}")
    if not told:
        return
    said = "; ".join(told)
    yield Finding(
        code=FindingCode.NEAR_LIMIT,
        severity=FindingSeverity.NOTE,
        subjects=tuple(loss.choices[0].name for loss in nearly[:1]),
        text=f"Close to a limit: {said}.",
        builds=(best,),
        certainty=context.certainty([best]),
        numbers={"best": float(contest.scores[best]), "benchmark": context.benchmark.score},
    )


def _options(verdict: Assessment) -> Iterator[Reach]:
    """Whole options that count; of cards and stats not the numbers of them."""
    for reach in verdict.reaches:
        if reach.choice.part.is_chosen and reach.choice.part.at_least == 1 and reach.counts:
            yield reach


def _listed_finding(
    context: FindingContext,
    code: FindingCode,
    severity: FindingSeverity,
    found: Sequence[Reach],
    head: str,
    names: Sequence[str],
    fix: str,
    certainty: Certainty,
) -> Finding:
    prices = context.verdict.prices
    return Finding(
        code=code,
        severity=severity,
        subjects=tuple(reach.choice.name for reach in found),
        text=f"{head}: {some_of(names)}.",
        fix=fix,
        listed=tuple(names),
        builds=tuple(reach.row for reach in found[:SHOWN]),
        certainty=certainty,
        numbers={
            "best": {reach.choice.name: reach.score for reach in found},
            "cost": {reach.choice.name: reach.choice.price for reach in found},
            "fair_cost": {reach.choice.name: prices[reach.choice.name].indifferent for reach in found},
            "benchmark": context.benchmark.score,
        },
    )

"""What a matrix of builds means, in sentences: the same on a terminal, in JSON and on a page."""

from __future__ import annotations

from buildsearch.meta.double_oracle import Meta
from buildsearch.model.text import count

NO_FORECAST = (
    "An equilibrium is no forecast of what people play: it is what stays when everybody knows everything "
    "and answers everybody. Where it has one build, sooner or later somebody brings it."
)
# Above this share one build is the game; below it, several are.
_ALONE = 0.9
_FEW = 3.0
_NAMED = 3


def percent(share: float, digits: int = 1) -> str:
    """`52.3 %`."""
    return f"{100 * share:.{digits}f} %"


def say_builds(number: int, of: int | None = None) -> str:
    """`1 build`, `5,460 builds`, `3 of 5,460 builds`."""
    return count(number, "build") if of is None else f"{number:,} of {count(of, 'build')}"


def say_share(meta: Meta, place: int) -> str:
    """A share, with its interval where the matrix was sampled."""
    share = percent(float(meta.shares[place]))
    if not meta.is_sampled:
        return share
    return f"{share} ({percent(float(meta.share_low[place]))} to {percent(float(meta.share_high[place]))})"


def say_counter(meta: Meta, place: int) -> str:
    """Who beats a build of the pool, or that nobody does."""
    counter, name = meta.counters[place], meta.counter_names[place]
    if name is not None:
        known = meta.names.index(name) + 1 if name in meta.names else None
        number = f"{known}, " if known else ""
        return f"beaten by {number}{name} ({percent(counter.wins)})"
    if counter.is_proved:
        return f"no counter: nobody wins more than {percent(counter.most)} against it"
    return f"no counter found; nobody wins more than {percent(counter.most)} against it for sure"


def say_effective(meta: Meta) -> str:
    """How many builds are really worth playing."""
    interval = ""
    if meta.is_sampled:
        interval = f" ({meta.effective_low:.1f} to {meta.effective_high:.1f})"
    number = f"Effective number of builds: {meta.effective:.1f}{interval}"
    return f"{number}." if meta.is_most_even else f"{number}, of this mixture."


def say_exploitability(meta: Meta, total: int) -> str:
    """What can still be won against the mixture, and who was looked at."""
    response, tried = meta.response, len(meta.matches)
    who = "all of them" if tried >= total else "only those that were tried"
    sure = f"{percent(1 - meta.rules.alpha, 0)} sure; {say_builds(tried, total)} were looked at, {who}"
    if tried >= total:
        sure = f"{percent(1 - meta.rules.alpha, 0)} sure, for all {say_builds(total)}"
    said = (
        f"Exploitability: at most {percent(response.bound)} above half against this mixture ({sure}); "
        f"the best response seems to win {percent(max(0.0, response.edge), 2)} above half."
    )
    if len(response.open):
        said += (
            f" {say_builds(len(response.open))} may win more than the {percent(meta.rules.epsilon)} "
            "that were asked for: more fights decide."
        )
    return said


def say_holding(meta: Meta) -> str:
    """How many builds lose nothing against the mixture, and what that means for the effective number."""
    if meta.holding == 1:
        said = "Only 1 build holds its own against the mixture, itself."
    else:
        said = f"{say_builds(meta.holding)} hold their own against the mixture: they win about half, or draw."
    if meta.is_most_even:
        return said if meta.holding == 1 else f"{said} No equilibrium is more even than this one: proved."
    if meta.outside:
        return (
            f"{said} {meta.outside:,} of them are not in the matrix: an equilibrium may spread over more "
            "builds than this one."
        )
    if meta.is_sampled and meta.holding > 1:
        return (
            f"{said} Pairs were sampled, and edges too small to be seen decide which equilibrium is the most "
            "even: the number is that of this mixture, and another seed may give another."
        )
    return f"{said} That no equilibrium is more even is not proved."


def say_cycles(meta: Meta) -> str:
    """Whether the game goes in circles."""
    found = meta.structure
    size = len(meta.names)
    if size < 3:
        return "Cycles: fewer than three builds are in the matrix, so there can be none."
    pairs = size * (size - 1) // 2
    undecided = f"; of {pairs:,} pairs {found.undecided:,} are even or not decided" if found.undecided else ""
    if found.cycle_share is None:
        return f"Cycles: no three builds with every pair decided{undecided}."
    rated, circling = percent(1 - found.cyclic, 0), percent(found.cyclic, 0)
    parts = f"ratings explain {rated} of who beats whom, circles {circling}"
    if not found.cycles:
        return f"Cycles: none in {found.triples:,} decided triples{undecided}; {parts}."
    return (
        f"Cycles: {len(found.cycles):,} of {found.triples:,} decided triples "
        f"({percent(found.cycle_share)}; chance would give 25 %){undecided}; {parts}."
    )


def cycle_lines(meta: Meta, most: int) -> list[str]:
    """The heaviest cycles by the shares of their members, by number and name."""
    heavy = sorted(meta.structure.cycles, key=lambda each: -sum(meta.shares[i] for i in each))
    return [" > ".join(f"{i + 1} {meta.names[i]}" for i in (*each, each[0])) for each in heavy[:most]]


def uncountered(meta: Meta) -> list[int]:
    """Places of builds that nobody beats for sure."""
    return [i for i, each in enumerate(meta.counters) if each.by is None and each.is_proved]


def verdict(meta: Meta) -> str:
    """One sentence that a designer can act on."""
    first, share = meta.names[0], float(meta.shares[0])
    unsettled = "As far as the fights went: " if len(meta.response.open) or meta.is_partial else ""
    if share >= _ALONE:
        others = f", though {say_builds(meta.holding - 1)} hold out against it" if meta.holding > 2 else ""
        no_counter = "has no counter" if meta.counters[0].is_proved else "has met no counter"
        return (
            f"{unsettled}One build is the whole game: {first} {no_counter}{others}. Weaken it, or make "
            "something that beats it; then run meta again."
        )
    many = [i for i in range(len(meta.names)) if meta.shares[i] >= 0.01]
    named = ", ".join(f"{meta.names[i]} ({percent(float(meta.shares[i]), 0)})" for i in many[:_NAMED])
    alone = [i for i in uncountered(meta) if meta.shares[i] > 0]
    if alone:
        return (
            f"{unsettled}Nobody beats {meta.names[alone[0]]}, and it is as good as whatever else holds "
            f"its own: {named}. If they should not be equal, change one of them; if fights end in draws, "
            "ask why."
        )
    if round(meta.effective, 1) < _FEW:
        counter = meta.counter_names[0]
        by = f" (strengthen {counter}, which beats the first)" if counter else ""
        return f"{unsettled}Few builds are worth playing: {named}. Give them more counters{by}."
    return (
        f"{unsettled}About {meta.effective:.0f} builds are worth playing, and they keep one another in "
        f"check: {named}. Watch the first; a change that takes its counter away ends the variety."
    )

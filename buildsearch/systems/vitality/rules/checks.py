"""What the shape of a rules file cannot say: unknown ids, contradictions, holes, dead entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from buildsearch.model.errors import ProblemSink
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.vitality.rules.model import Enhancement, Exclusion, VitalityRules
from buildsearch.systems.vitality.rules.scenarios import VitalityScenarios, fight_name
from buildsearch.systems.vitality.rules.vocabulary import (
    Conditions,
    LastTurn,
    Mechanics,
    Modifiers,
    SinceLastTurn,
    words_of,
)

# Two of these in one build would need a rule for combining them, and no text has one.
_ONE_A_BUILD = (
    "overhit",
    "flat_damage",
    "brutal",
    "strikes",
    "chain",
    "extra_attack",
    "ricochet",
    "double_tap",
    "explosive_critical",
    "bleed",
    "leech",
    "vulnerable",
    "culling_strike",
    "splinter",
    "channel",
    "hp_cost",
)
_MOST_NAMED = 5
# What the enemies' answer did: before turn 1 there was none.
_ANSWERED = (SinceLastTurn.HIT, SinceLastTurn.DAMAGED, SinceLastTurn.HIT_UNHARMED, SinceLastTurn.ALL_MISSED)


def check_rules(rules: VitalityRules, problems: ProblemSink) -> None:
    """Report every problem of a rules file that has the right shape."""
    _check_ids(rules, problems)
    _check_budgets(rules, problems)
    _check_relations(rules, problems)
    _check_dice(rules, problems)
    _check_enhancements(rules, problems)
    _check_conditions(rules, problems)
    _check_combinations(rules, problems)


def check_scenarios(scenarios: VitalityScenarios, problems: ProblemSink) -> None:
    """Report every problem of a scenario file that has the right shape."""
    known = tuple(scenarios.enemies)
    used: set[str] = set()
    for name, scenario in scenarios.scenarios.items():
        lists: list[tuple[list[str | int], tuple[str, ...]]] = (
            [(["scenarios", name, "waves", i], wave) for i, wave in enumerate(scenario.waves)]
            if scenario.waves
            else [(["scenarios", name, "enemies"], scenario.enemies)]
        )
        for path, enemies in lists:
            used.update(enemies)
            for i, enemy in enumerate(enemies):
                if enemy not in known:
                    problems.error(
                        [*path, i], f"unknown enemy `{enemy}`", value=enemy, hint=suggest(enemy, known)
                    )
    for name in known:
        if name not in used:
            problems.warning(["enemies", name], f"no scenario has a `{name}`", key=True)
    _check_fight_names(scenarios, problems)


def _check_fight_names(scenarios: VitalityScenarios, problems: ProblemSink) -> None:
    seen: dict[str, str] = {}
    for name in scenarios.scenarios:
        for profile in scenarios.profiles:
            fight = fight_name(name, profile)
            if fight in seen:
                message = f"`{name}` against `{profile}` is called `{fight}`, and so is `{seen[fight]}`"
                problems.error(["scenarios", name], message, hint="Rename one of them.", key=True)
            seen.setdefault(fight, name)


def _check_ids(rules: VitalityRules, problems: ProblemSink) -> None:
    seen: dict[str, str] = {}
    for section in ("attack_types", "upgrades", "limits"):
        for name in getattr(rules, section):
            if name in seen:
                message = f"the id `{name}` is taken: it is under `{seen[name]}` too"
                problems.error([section, name], message, value=name, hint="Rename one of them.", key=True)
            seen.setdefault(name, section)


def _check_budgets(rules: VitalityRules, problems: ProblemSink) -> None:
    for i, tier in enumerate(rules.tiers):
        if tier in rules.tiers[:i]:
            problems.error(["tiers", i], f"tier {tier} is listed twice", value=tier, hint="Drop one.")
    for name, archetype in rules.archetypes.items():
        path = ["archetypes", name, "budgets"]
        holes = [str(tier) for tier in rules.tiers if tier not in archetype.budgets]
        if holes:
            message = f"`{name}` has no budget for tier {', '.join(holes)}"
            problems.error(path, message, hint=f"Add `{holes[0]}: POINTS`.")
        for tier in archetype.budgets:
            if tier not in rules.tiers:
                known = ", ".join(map(str, rules.tiers))
                message = f"a budget for tier {tier}, which `tiers` does not list"
                problems.error([*path, str(tier)], message, value=tier, hint=f"Known: {known}.", key=True)


def _check_relations(rules: VitalityRules, problems: ProblemSink) -> None:
    options = tuple(rules.enhancements)
    types = tuple(rules.attack_types)
    if rules.retaliation.type not in types:
        wrong = rules.retaliation.type
        problems.error(
            ["retaliation", "type"], f"unknown attack type `{wrong}`", value=wrong, hint=suggest(wrong, types)
        )
    seen: dict[frozenset[str], int] = {}
    for i, exclusion in enumerate(rules.exclusions):
        path: list[str | int] = ["exclusions", i]
        if exclusion.one is not None:
            _check_known([exclusion.one], options, [*path, "one"], problems, indexed=False)
            _check_known(exclusion.others, options, [*path, "others"], problems)
        _check_known(exclusion.group, options, [*path, "group"], problems)
        if len(exclusion.group) == 1:
            problems.warning([*path, "group"], "a group of one excludes nothing", hint="Name another option.")
        _check_pairs(exclusion, i, seen, problems)
    for i, restriction in enumerate(rules.restrictions):
        _check_known(restriction.types, types, ["restrictions", i, "types"], problems, what="attack type")
        _check_known(restriction.ban, options, ["restrictions", i, "ban"], problems)


def _check_pairs(
    exclusion: Exclusion, i: int, seen: dict[frozenset[str], int], problems: ProblemSink
) -> None:
    """One remark for each option or earlier exclusion, however many pairs it is about."""
    itself: dict[str, None] = {}
    repeated: dict[int, tuple[str, str]] = {}
    for first, second in exclusion.pairs():
        if first == second:
            itself[first] = None
            continue
        earlier = seen.setdefault(frozenset((first, second)), i)
        if earlier != i:
            repeated.setdefault(earlier, (first, second))
    for name in itself:
        problems.error(
            ["exclusions", i], f"`{name}` excludes itself", value=name, hint="Name each option once."
        )
    for earlier, (first, second) in repeated.items():
        message = f"`{first}` and `{second}` are excluded already by exclusions[{earlier}]"
        problems.warning(["exclusions", i], message, hint="Once is enough: an exclusion holds both ways.")


def _check_known(
    names: Sequence[str],
    known: tuple[str, ...],
    path: list[str | int],
    problems: ProblemSink,
    *,
    what: str = "enhancement",
    indexed: bool = True,
) -> None:
    for i, name in enumerate(names):
        if name not in known:
            place = [*path, i] if indexed else path
            problems.error(place, f"unknown {what} `{name}`", value=name, hint=suggest(name, known))


def _check_dice(rules: VitalityRules, problems: ProblemSink) -> None:
    sides = rules.rolls.accuracy.sides
    if rules.critical.range > sides:
        message = f"a critical from {rules.critical.range} up never happens on a d{sides}"
        problems.warning(["critical", "range"], message, value=rules.critical.range)
    for path, option in _entries(rules):
        wanted = option.mechanics.critical_range
        if wanted is not None and wanted > sides:
            message = f"a critical from {wanted} up never happens on a d{sides}"
            problems.warning([*path, "mechanics", "critical_range"], message, value=wanted)
        roll = option.conditions.activation_roll
        if roll is not None and roll > rules.rolls.activation.sides:
            message = f"a d{rules.rolls.activation.sides} never shows {roll}"
            problems.warning([*path, "conditions", "activation_roll"], message, value=roll)


def _entries(rules: VitalityRules) -> Iterator[tuple[list[str | int], Enhancement]]:
    for section in ("upgrades", "limits"):
        for name, option in getattr(rules, section).items():
            yield [section, name], option


def _check_enhancements(rules: VitalityRules, problems: ProblemSink) -> None:
    banned = {(kind, name) for entry in rules.restrictions for kind in entry.types for name in entry.ban}
    richest = max((max(entry.budgets.values(), default=0) for entry in rules.archetypes.values()), default=0)
    for path, option in _entries(rules):
        name = str(path[-1])
        nothing = (
            option.modifiers == Modifiers()
            and option.mechanics == Mechanics()
            and option.conditions == Conditions()
        )
        if nothing:
            problems.warning(path, f"`{name}` does nothing", hint="Give it modifiers or mechanics.", key=True)
        if path[0] == "limits" and option.conditions == Conditions():
            problems.warning(
                path, f"`{name}` is a limit without conditions", hint="Move it to upgrades.", key=True
            )
        open_types = [
            kind
            for kind, attack_type in rules.attack_types.items()
            if (kind, name) not in banned and set(option.effects) & set(attack_type.effects)
        ]
        if not open_types:
            problems.warning(path, f"`{name}` goes on no attack type", key=True)
        elif option.cost * min(rules.attack_types[kind].cost_factor for kind in open_types) > richest:
            message = f"`{name}` costs more than any budget ({richest})"
            problems.warning([*path, "cost"], message, value=option.cost)


def _check_conditions(rules: VitalityRules, problems: ProblemSink) -> None:
    """Conditions of one option that never hold together: an attack with it is never made."""
    for path, option in _entries(rules):
        for word, message, hint in _exclusive(option.conditions, rules.character.hp):
            problems.warning(
                [*path, "conditions", word],
                f"an attack with `{path[-1]}` is never made: {message}",
                hint=hint,
                key=True,
            )


def _exclusive(asked: Conditions, hp: int) -> Iterator[tuple[str, str, str]]:
    """The word to look at, why it excludes the others, and what to do."""
    last = None if asked.turn is None else asked.turn.last
    first = max(1, (asked.turn and asked.turn.first) or 1)
    after = [f"from turn {first}"] if first > 1 else []
    # Charging asks for everything else too, so it begins no sooner.
    if asked.last_turn is not None or asked.since_last_turn in _ANSWERED:
        word = "last_turn" if asked.last_turn is not None else "since_last_turn"
        after += [f"`{word}`, which never holds on turn 1"] if first == 1 else []
        first = max(2, first)
    if asked.charge is not None:
        after.append(f"`charge` of {asked.charge}")
        first += asked.charge
    if last is not None and first > last:
        why = f"up to turn {last} only, but turn {first} is the first that it allows: {' and '.join(after)}"
        yield "turn", why, f"Raise `to` to {first} or more, or drop what asks for a later turn."
    if asked.no_attack_last_turn and asked.last_turn is LastTurn.HIT_TARGET:
        why = "`last_turn: hit_target` needs an attack on the turn before, `no_attack_last_turn` none"
        yield "last_turn", why, "Drop one of the two."
    if asked.hp_full and asked.since_last_turn is SinceLastTurn.DAMAGED:
        why = "who was `damaged` since last turn is not at full HP, which `hp_full` asks for"
        yield "since_last_turn", why, "Drop one of the two."
    if asked.hp_full and asked.hp_at_most is not None and asked.hp_at_most < hp:
        why = f"`hp_full` means {hp} HP, and `hp_at_most` allows {asked.hp_at_most}"
        yield "hp_at_most", why, "Drop one of the two."
    most = hp if asked.hp_at_most is None else min(hp, asked.hp_at_most)
    if asked.hp_cost is not None and asked.hp_cost >= most:
        why = f"it needs more than {asked.hp_cost} HP (`hp_cost`), and there are {most} at most"
        yield "hp_cost", why, f"Lower it below {most}."


def _check_combinations(rules: VitalityRules, problems: ProblemSink) -> None:
    excluded = {frozenset(pair) for exclusion in rules.exclusions for pair in exclusion.pairs()}
    for mechanic in _ONE_A_BUILD:
        bearers = [
            (path, option)
            for path, option in _entries(rules)
            if mechanic in words_of(option.mechanics, option.conditions)
        ]
        part = "mechanics" if mechanic in Mechanics.model_fields else "conditions"
        for i, (path, option) in enumerate(bearers):
            rivals = [
                f"`{other_path[-1]}`"
                for other_path, other in bearers[:i]
                if frozenset((str(path[-1]), str(other_path[-1]))) not in excluded
                and set(option.effects) & set(other.effects)
            ]
            if rivals:
                others = ", ".join(rivals[:_MOST_NAMED]) + (" ..." if len(rivals) > _MOST_NAMED else "")
                message = f"`{path[-1]}` and {others} both bring `{mechanic}` and may be taken together"
                names = ", ".join((str(path[-1]), rivals[0].strip("`")))
                key = "exclusions" if rules.extends is None else "exclusions+"
                hint = (
                    f"No rule says how two of them combine, so exclude them. Under `{key}:` write "
                    f"`- {{section: House rules, group: [{names}]}}`."
                )
                problems.error([*path, part, mechanic], message, hint=hint, key=True)

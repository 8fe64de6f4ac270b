"""The fights that a command line asks for: scenarios with their combatants, and how each side plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.armitage.builds.build import Build, Counts, in_order, raised_stats
from buildsearch.systems.armitage.rules.model import MOST_CARDS, PLAYS, ArmitageRules, Play, Stats
from buildsearch.systems.armitage.rules.scenarios import BUILD, ArmitageScenarios, Combatant
from buildsearch.systems.armitage.rules.settings import Settings

OURS, THEIRS = 0, 1


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody who enters a fight."""

    name: str
    side: int
    stats: Stats
    deck: Counts
    play: Play


@dataclass(frozen=True, slots=True)
class Bout:
    """Two parties; None stands for the build, whoever that will be."""

    name: str
    weight: float
    max_turns: int
    parties: tuple[tuple[Fighter | None, ...], tuple[Fighter | None, ...]]
    plays: tuple[Play, Play]

    @property
    def play(self) -> str:
        """Both ways in one word."""
        return ",".join(self.plays)

    def fighters(self, rules: ArmitageRules, build: Build) -> tuple[Fighter, ...]:
        """Everybody with the build in its places: our side first, the build the first of it."""
        stats = raised_stats(rules, build)
        return tuple(
            fighter or Fighter(BUILD, side, stats, build.deck, self.plays[side])
            for side, party in enumerate(self.parties)
            for fighter in party
        )


def make_bouts(
    rules: ArmitageRules, scenarios: ArmitageScenarios, settings: Settings, options: Mapping[str, str]
) -> dict[str, Bout]:
    """Every fight by name."""
    plays = _chosen_plays(rules, options)

    def party(names: tuple[str, ...], side: int) -> tuple[Fighter | None, ...]:
        return tuple(
            None
            if name == BUILD
            else _fighter(rules, settings, name, scenarios.combatants[name], side, plays[side])
            for name in names
        )

    return {
        name: Bout(
            name=name,
            weight=scenario.weight,
            max_turns=scenario.max_turns or rules.max_turns,
            parties=(party((BUILD, *scenario.allies), OURS), party(scenario.opponents, THEIRS)),
            plays=plays,
        )
        for name, scenario in scenarios.scenarios.items()
    }


def duel_against(rules: ArmitageRules, build: Build, options: Mapping[str, str]) -> Bout:
    """Whatever build against this one, both alone."""
    plays = _chosen_plays(rules, options)
    if plays[0] != plays[1]:
        raise UsageError(f"‹play› {options['play']}: two builds that meet play alike. Name one way to play.")
    rival = Fighter("rival", THEIRS, raised_stats(rules, build), build.deck, plays[THEIRS])
    return Bout("duel", 1.0, rules.max_turns, ((None,), (rival,)), plays)


def _chosen_plays(rules: ArmitageRules, options: Mapping[str, str]) -> tuple[Play, Play]:
    return _plays(options["play"]) if "play" in options else (rules.rulings.play, rules.rulings.play)


def _fighter(
    rules: ArmitageRules, settings: Settings, name: str, combatant: Combatant, side: int, play: Play
) -> Fighter:
    changes = combatant.model_dump(exclude={"deck"}, exclude_none=True)
    stats = rules.base.model_copy(update=changes)
    return Fighter(name, side, stats, _deck(rules, settings, name, combatant), play)


def _deck(rules: ArmitageRules, settings: Settings, name: str, combatant: Combatant) -> Counts:
    """A deck by name or by its cards. Spec, Builds: no limits bind it; status cards that are off stay out."""
    counts = combatant.deck
    if isinstance(counts, str):
        if counts not in rules.presets:
            hint = suggest(counts, rules.presets)
            raise UsageError(f"combatant `{name}`: {rules.id} has no preset `{counts}`. {hint}")
        counts = rules.presets[counts]
    for card in counts:
        if card not in rules.cards:
            hint = suggest(card, rules.cards)
            raise UsageError(f"combatant `{name}`: {rules.id} has no card `{card}`. {hint}")
    if sum(counts.values()) > MOST_CARDS:
        raise UsageError(f"combatant `{name}`: {sum(counts.values())} cards, and {MOST_CARDS} is the most.")
    kept = {
        card: number
        for card, number in counts.items()
        if settings.status_cards or rules.cards[card].status is None
    }
    return in_order(kept, tuple(rules.cards))


def _plays(text: str) -> tuple[Play, Play]:
    words = [word.strip() for word in text.split(",")]
    chosen = [play for word in words for play in PLAYS if play == word]
    if len(chosen) != len(words) or len(words) > 2:
        wrong = next((word for word in words if word not in PLAYS), text)
        raise UsageError(
            f"‹play› {text}: there is no such way to play. {suggest(wrong, PLAYS)} "
            "Two with a comma: ours, theirs."
        )
    return chosen[0], chosen[-1]

"""`buildsearch score`: how builds do in scenarios, with honest intervals."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from annotated_types import Interval

from buildsearch.options.fields import Flag, Positional, Texts
from buildsearch.options.game import NO_FILTERS, GameOptions
from buildsearch.options.output import Json, Output
from buildsearch.options.search import ScoreFields

STANDARD_INPUT = "-"
EXAMPLE = (
    'Examples: buildsearch score "melee_dg+power_attack" melee_ac --tier 4 --scenario boss;  '
    "buildsearch score melee_dg+bleed --enemies 50,25,25 --triggers;  "
    "cat builds.txt | buildsearch score - --json"
)


def command(
    *,
    builds: Annotated[
        Texts, Positional("Builds, or ranks in the latest run. - reads standard input.", metavar="BUILD")
    ] = (),
    builds_file: Annotated[Path | None, Flag("A file with a build on each line.", "--builds")] = None,
    game: Annotated[GameOptions, NO_FILTERS],
    how: ScoreFields,
    triggers: Annotated[bool, Flag("How often options with a condition or a trigger mattered.")] = False,
    trigger_fights: Annotated[
        int, Interval(ge=1), Flag("Reference fights that trigger rates are counted in.")
    ] = 2_000,
    show_policy: Annotated[bool, Flag("When each choice is made, where play was worked out.")] = False,
    as_json: Json = False,
) -> None:
    """Score builds in scenarios.

    A build is written as text, or as its rank in the latest run (`score 1`). The same seed gives the same
    numbers on any machine.
    With --archetype or --budget, builds must keep within their points.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.library.fight_setup import builds_in_file, setup_of
    from buildsearch.library.runs import of_latest_run
    from buildsearch.library.score import score_builds

    named = [*builds_of_arguments(builds), *builds_in_file(builds_file)]
    game, named, _ = of_latest_run(game, named)
    scored = score_builds(
        setup_of(game),
        named,
        how,
        watch_on_terminal(quiet=False),
        today=setup_of(game.changed(overrides=())) if game.overrides else None,
        trigger_fights=trigger_fights if triggers else 0,
        policies=show_policy,
    )
    print_document(scored.document(), Output(json=as_json), tables=False)


def builds_of_arguments(texts: Sequence[str]) -> list[str]:
    """Build texts as they are, with standard input in the place of `-`; raises UsageError."""
    from buildsearch.files.safe_reading import MAX_TEXT
    from buildsearch.library.fight_setup import builds_in_lines
    from buildsearch.model.errors import UsageError

    found: list[str] = []
    for text in texts:
        if text == STANDARD_INPUT:
            given = sys.stdin.read(MAX_TEXT + 1)
            if len(given) > MAX_TEXT:
                raise UsageError(
                    f"standard input has more than {MAX_TEXT:,} characters, and that is the limit."
                )
            found += builds_in_lines(given.splitlines(), "standard input")
        else:
            found.append(text)
    return found

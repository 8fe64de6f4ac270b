"""What Armitage asks to be told. Nothing heavy is imported here: command lines read it for their help."""

from __future__ import annotations

from buildsearch.model.parameter import Parameter

TITLE = "Armitage"
PARAMETERS = (
    Parameter("status_cards", "on or off: status cards in decks (default: as the rules say)"),
    Parameter("spend", "all or any: whether points must be spent (default: as the rules say)"),
)
FIGHT_OPTIONS = (
    Parameter(
        "play",
        "greedy or lookahead for both sides; two with a comma: the build's side, then the other",
        shorthand=True,
    ),
)

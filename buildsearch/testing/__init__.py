"""What a game has to keep, as suites that its tests take over. Needs pytest.

A game of the kit needs one line (docs/your-game.md):

TestGame = conformance(Path(__file__).parent)

A game of this package:

class TestMyGame(RulesetSuite):
    @pytest.fixture
    def loaded(self):
        return load_rules("my-game")

    @pytest.fixture
    def small(self):
        return {"budget": "2"}  # a space that can be listed

    @pytest.fixture
    def large(self):
        return {"budget": "4"}  # one of more builds, most of which the small one refuses
"""

import pytest

pytest.register_assert_rewrite(
    "buildsearch.testing.systems", "buildsearch.testing.rulesets", "buildsearch.testing.games"
)

from buildsearch.testing.games import GameSuite, conformance  # noqa: E402 - after its asserts are to be told
from buildsearch.testing.rulesets import RulesetSuite  # noqa: E402 - after its asserts are to be told
from buildsearch.testing.systems import SystemSuite  # noqa: E402

__all__ = ["GameSuite", "RulesetSuite", "SystemSuite", "conformance"]

"""Every line of a page fits 80 columns; only one word, such as a build or a path, may be longer."""

from __future__ import annotations

import numba
import pytest

from tests.small_games import FILES

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="whole spaces are judged")

SPACE = ("--budget", "3", "--scenarios", "boss.yaml")
HEAD = "system: vitality\nkind: rules\nid: mine\nname: Mine\nextends: vitality-v2\n"


@pytest.mark.parametrize(
    "words",
    [
        ("check", *SPACE),
        ("check", *SPACE, "--verbose"),
        ("check", *SPACE, "--against", "mine.yaml"),
        ("diff", "vitality-v2", "mine.yaml", *SPACE),
        ("diff", "vitality-v2", "mine.yaml", *SPACE, "--full"),
        ("diff", "vitality-v2", "--set", "bleed.cost=2", *SPACE),
        ("validate", "vitality-v2", "mine.yaml", "broken.yaml"),
        ("trace", "melee_dg+barrage+unreliable_3", *SPACE),
    ],
    ids=lambda words: "-".join(word.strip("-") for word in words[:1]) + f"-{len(words)}",
)
def test_a_page_fits(run, elsewhere, words):
    (elsewhere / "boss.yaml").write_text(FILES["boss.yaml"], encoding="utf-8")
    options = "upgrades: {bleed: {cost: 2}, barrage: {cost: 2, name: Hail}}\n"
    (elsewhere / "mine.yaml").write_text(HEAD + options, encoding="utf-8")
    (elsewhere / "broken.yaml").write_text(HEAD + "upgrades: {bled: 3}\n", encoding="utf-8")
    ended = run(*words)
    assert ended.code in (0, 1, 2)
    assert ended.out.strip()
    assert [line for line in ended.out.splitlines() if len(line) > 80 and " " in line.strip()] == []

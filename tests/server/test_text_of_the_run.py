"""What is shown, scored, proposed and saved are the same rules, whatever happens to their files meanwhile."""

from __future__ import annotations

import gc
import sys

import numba
import numpy as np
import pytest

from buildsearch.engines.memo import LruCache
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.runs import load_run
from buildsearch.library.search import make_scorer
from buildsearch.options.search import SearchOptions
from buildsearch.search.score_cache import ScoreCache
from tests.server.runs import BLESSED, optimized, own_rules, service_of
from tests.server.test_app import client_of, lines, unpacked

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
CHILD = "extends: ./planted.yaml\nkind: rules\nsystem: vitality\nid: child\nname: Child\n"
COUNT = "rolls.damage.count"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of rules that extend others, with a scenario file of its own."""
    folder = tmp_path_factory.mktemp("text")
    write(folder)
    optimized(
        folder / "rules/child.yaml", folder / "run", folder / "cache", scenarios=str(folder / "fights.yaml")
    )
    return folder


def write(folder):
    own_rules(folder).with_name("child.yaml").write_text(CHILD, encoding="utf-8")
    fights = "kind: scenarios\nsystem: vitality\nid: fights\nname: Fights\nenemies: {boss: {hp: 100}}\n"
    fights += "scenarios: {boss: {name: Boss, enemies: [boss]}}\n"
    (folder / "fights.yaml").write_text(fights, encoding="utf-8")


@pytest.fixture
def place(made, monkeypatch):
    write(made)
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def service(place):
    return service_of(load_run("run"), place, place / "cache")


@pytest.fixture
def page(service):
    return client_of(service)


def scores(page, numbers):
    """What all builds score, in the order of the page."""
    *_, whole, done = lines(page.post("/api/score", json={"numbers": numbers}))
    assert (whole.get("whole"), done) == (True, {"kind": "done"}), whole
    found = unpacked(whole)
    return found["score"][np.argsort(found["row"])].tolist()


def changed(page):
    return page.post("/api/changed", json={}).json()["changed"]


def test_a_saved_edit_is_not_part_of_the_next_one(page):
    before = scores(page, {COUNT: 4})
    assert page.post("/api/save", json={"numbers": {"rolls.damage.bonus.tier": 2}}).status_code == 200
    assert changed(page) == []
    assert scores(page, {COUNT: 4}) == before


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("rules/child.yaml", "broken"),
        ("rules/planted.yaml", "edited"),
        ("rules/planted.yaml", "gone"),
        ("fights.yaml", "edited"),
        ("fights.yaml", "gone"),
    ],
)
def test_files_that_others_change_are_told_and_not_scored(page, place, name, how):
    before, path = scores(page, {BLESSED: -2}), place / name
    assert changed(page) == []
    text = path.read_text(encoding="utf-8")
    path.write_text("{" if how == "broken" else text.replace("100", "60") + "# more\n", encoding="utf-8")
    if how == "gone":
        path.unlink()
    (told,) = changed(page)
    assert told.endswith(name)
    assert scores(page, {BLESSED: 3}) != before
    assert scores(page, {BLESSED: -2}) == before
    asked = {"goals": ["best >= 12"], "seconds": 5, "numbers": {BLESSED: -2}}
    assert lines(page.post("/api/balance", json=asked))[-1] == {"kind": "done"}
    saved = page.post("/api/save", json={"numbers": {BLESSED: -2}})
    assert (saved.status_code == 200) == (name == "fights.yaml")
    assert ("flat: -2" in (place / "rules/child.yaml").read_text(encoding="utf-8")) == saved.is_success


def test_each_question_says_which_rules_it_is_about(page):
    for what in ("score", "balance", "save", "changed", "reload"):
        other = page.post(f"/api/{what}", json={"rules": "0" * 64})
        assert other.status_code == 409
        assert other.json()["problems"] == [
            "This page shows other rules than the server has now. Reload the page."
        ]
        assert page.post(f"/api/{what}", content=b"{}").status_code == 400


def test_reloading_shows_the_changed_rules_with_their_own_scores(page, service, place, tmp_path):
    rules, old = place / "rules/planted.yaml", service.shown
    text = rules.read_text(encoding="utf-8")
    rules.write_text("{", encoding="utf-8")
    assert lines(page.post("/api/reload", json={}))[-1]["kind"] == "problem"
    assert service.shown is old
    # What says the same keeps the scores of the run.
    rules.write_text(text + "# more\n", encoding="utf-8")
    assert lines(page.post("/api/reload", json={}))[-1] == {"kind": "done"}
    assert service.shown.run.scores is old.run.scores
    assert page.post("/api/score", json={}).status_code == 409
    page = client_of(service)
    assert changed(page) == []
    rules.write_text(text.replace("damage: {count: 3", "damage: {count: 4"), encoding="utf-8")
    assert lines(page.post("/api/reload", json={}))[-1] == {"kind": "done"}
    run = service.shown.run
    assert run.folder.parent.name == "results"
    fresh = optimized(
        place / "rules/child.yaml", tmp_path / "run", tmp_path / "cache", scenarios="./fights.yaml"
    )
    assert run.scores.score.tolist() == fresh.scores.score.tolist() != old.run.scores.score.tolist()
    page = client_of(service)
    shown = {each["path"]: each["value"] for each in service.shown._told()["numbers"]}
    assert shown[COUNT] == 4
    assert page.post("/api/save", json={}).status_code == 200


def test_what_is_remembered_from_edit_to_edit_has_a_limit():
    """Nothing in a module grows but what lets the oldest go."""

    def sizes():
        modules = [each for name, each in sys.modules.items() if name.startswith("buildsearch.")]
        every = [(f"{each.__name__}.{name}", held) for each in modules for name, held in vars(each).items()]
        return {name: len(held) for name, held in every if isinstance(held, dict | list | set)}

    def score(count):
        request = SearchOptions(
            rules="vitality-v2", parameters={"budget": "1"}, overrides=(f"{COUNT}={count}",)
        )
        setup = setup_of(request)
        scorer = make_scorer(setup)
        for chunk in setup.space.chunks(request.wanted, 1 << 13):
            for fight in setup.fights.values():
                scorer.solve(chunk, fight)

    score(2)
    before = sizes()
    score(4)
    assert sizes() == before
    kept = [each for each in gc.get_objects() if type(each) is LruCache]
    assert kept
    assert all(len(each) <= each.most for each in kept)


def test_scores_in_memory_have_a_limit():
    cache = ScoreCache(None, most_held=4_000)
    for context in range(20):
        cache.add(bytes([context]), np.arange(200, dtype=np.uint64).reshape(100, 2), np.ones((100, 1)))
    assert sum(each.size for each in cache._known.values()) < 4_000 + 2_400  # what was asked about last stays

"""Every argument of the library with values that it should not get: refused in a sentence, or it works."""

from __future__ import annotations

import inspect
import math
from pathlib import Path

import numba
import numpy as np
import pytest

import buildsearch
from buildsearch import InputError, UsageError
from buildsearch.library.arguments import checked
from tests.conftest import REPOSITORY
from tests.small_games import FILES

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
WRONG = (
    object(), None, True, "x", "", "a\0b", "a" * 5000, "a" * 250, "\ud800", b"x", Path("no/such/file"),
    1.5, math.nan, math.inf, -1, 0, 2**62, 10**5000, [object()], ["\0"], {"x": object()}, {3: math.nan}, len,
)  # fmt: skip
MORE = (
    "from_run", "candidates", "starts", "distinct", "search", "sampler", "trials", "stop_after", "storage",
    "over_budget",
)  # fmt: skip
LONG = ("readings", "stress", "progress")  # True, or a function, is right here, and takes seconds


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """Every public function and method that takes arguments, with arguments that it takes."""
    game = buildsearch.load(str(REPOSITORY / "rules" / "vitality-v2.yaml"), budget=1, only="boss")
    few = buildsearch.load("vitality-v2", budget=0, only="boss")
    small = {"top": 3, "ranking_fights": 0}
    run = buildsearch.optimize(game, **small)
    best, second = run.to_pandas()["score"].drop_duplicates()[:2]
    goal = {"goals": [f"best >= {(best + second) / 2:.6f}"], "levers": ["type-bans"], "seconds": 20.0}
    found = buildsearch.balance(run, **goal)
    edit = found.to_pandas().loc[1, "edits"]
    out = tmp_path_factory.mktemp("rules") / "mine.yaml"
    (out.parent / "duel.yaml").write_text(FILES["mirror.yaml"], encoding="utf-8")
    duel = buildsearch.load("armitage-text", overrides={"points": 1}, scenarios=str(out.parent / "duel.yaml"))
    return {
        "load": (buildsearch.load, {"rules": "vitality-v2"}),
        "enumerate_builds": (buildsearch.enumerate_builds, {"game": game}),
        "score": (buildsearch.score, {"game": game, "builds": "melee_dg"}),
        "compare": (buildsearch.compare, {"game": game, "first": "melee_dg", "second": "melee_ac"}),
        "trace": (buildsearch.trace, {"game": game, "build": "melee_dg", "pick": "best", "of": 3}),
        "matchups": (buildsearch.matchups, {"game": duel, "out": out.parent / "met", "fights": 1000}),
        "optimize": (buildsearch.optimize, {"game": game, "groups": "direct_damage", **small}),
        "open_run": (buildsearch.open_run, {"path": run.folder}),
        "analyze": (buildsearch.analyze, {"run": run, "triggers": False}),
        "balance": (buildsearch.balance, {"run": run, **goal}),
        "check": (buildsearch.check, {"game": few, "preset": "lenient"}),
        "diff": (buildsearch.diff, {"before": few, "after": few, "edit_effects": False}),
        "Game.changed": (game.changed, {}),
        "Run.explain": (run.explain, {"build": run.best, "fights": 3}),
        "Run.report": (run.report, {"path": out.with_suffix(".html")}),
        "Scores.with_": (run.scores.with_, {"options": "power_attack"}),
        "Scores.without_": (run.scores.without_, {"options": "power_attack"}),
        "Balance.try_edits": (found.try_edits, {"edits": edit}),
        "Balance.patch": (found.patch, {}),
        "Balance.apply": (found.apply, {"proposal": 1, "out": out}),
    }


NAMES = (
    "load", "enumerate_builds", "score", "optimize", "open_run", "analyze", "balance", "check", "diff",
    "compare", "trace", "matchups", "Game.changed", "Run.explain", "Run.report", "Scores.with_",
    "Scores.without_", "Balance.try_edits", "Balance.patch", "Balance.apply",
)  # fmt: skip


def _wrong_calls(function, right):
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.VAR_KEYWORD:
            names = MORE if function is buildsearch.optimize else ("tier", "enemies")
        else:
            names = (each.name,)
            yield {**right, f"{each.name[:-1]}q": 1}
            yield {name: value for name, value in right.items() if name != each.name}
        for name in names:
            for value in WRONG:
                is_right = value is each.default or (name in LONG and (value is True or value is len))
                if not is_right:
                    yield {**right, name: value}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_wrong_is_told_in_a_sentence(calls, name, elsewhere, quick_reports):
    function, right = calls[name]
    function(**right)
    sentences = []
    for arguments in _wrong_calls(function, right):
        try:
            function(**arguments)
        except (UsageError, InputError) as error:
            sentences.append(str(error))
    assert len(sentences) > 15
    assert all(" " in sentence for sentence in sentences)


def test_the_table_has_every_function_and_method_that_takes_arguments():
    found = set()
    for name in buildsearch.__all__:
        thing = getattr(buildsearch, name)
        members = vars(thing) | vars(thing.__base__) if inspect.isclass(thing) else {}
        for called, member in members.items():
            is_method = inspect.isfunction(member) and not called.startswith("_")
            if is_method and len(inspect.signature(member).parameters) > 1:
                found.add(f"{name}.{called}")
        if inspect.isfunction(thing):
            found.add(name)
    found = {name for name in found if not name.endswith((".naming", ".get"))}  # of errors, of mappings
    assert found == {*NAMES, "JointBalance.patch", "JointBalance.apply"}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"sed": 3}, "optimize() takes no `sed`. Did you mean `seed`?"),
        ({"seed": "x"}, "`seed` must be a whole number, not 'x'."),
        ({"alpha": math.nan}, "`alpha` must be a finite number, not nan."),
        ({"top": True}, "`top` must be a whole number, not True."),
        ({"game": "vitality-v2"}, "`game` must be a Game, which `load` gives, not 'vitality-v2'."),
        ({"cache": "\0"}, "`cache` cannot be '\\x00': embedded null byte."),
        ({"cancel": "x"}, "`cancel` must be an object with `is_set()` or None, not 'x'."),
        ({"groups": 3}, "`groups` must be text or a list of texts, not 3."),
        ({"objectives": len}, "`objectives` must be text or a list of texts, not <built-in function len>."),
        ({"objectives": [len]}, "`objectives` must be text or a list of texts, not [<built-in"),
        ({"rules": "x"}, "optimize() takes no `rules`."),
        ({"race_fights": 3}, "optimize(): `race_fights` is called `ranking_fights` now."),
    ],
)
def test_sentences(calls, wrong, sentence):
    function, right = calls["optimize"]
    with pytest.raises(UsageError) as refused:
        function(**right | wrong)
    assert str(refused.value).startswith(sentence)
    with pytest.raises(UsageError, match=r"no argument `overides`. Did you mean `overrides`\?"):
        buildsearch.load("vitality-v2", overides={})


def test_numbers_of_numpy_and_any_iterable_of_texts_are_taken(calls):
    function, right = calls["score"]
    frame = function(**right | {"builds": (name for name in ("melee_dg",)), "seed": np.int64(3)}).to_pandas()
    assert frame.index.tolist() == ["melee_dg"]


def test_mistakes_of_ours_are_not_taken_for_the_callers():
    @checked
    def broken(number: int) -> int:
        return number + None

    with pytest.raises(TypeError, match="unsupported operand"):
        broken(1)

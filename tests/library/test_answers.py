"""What a notebook does with the answers about a finished run: filter, join, show."""

from __future__ import annotations

import html
from collections.abc import Mapping

import numba
import pytest

import buildsearch
from buildsearch import Game, UsageError
from buildsearch.options.fields import shared
from buildsearch.options.game import GameOptions

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")


@pytest.fixture
def opened(small_run, monkeypatch):
    """Opens the small run of a game; where its scenarios are is the current folder."""

    def open_(name):
        folder = small_run(name)
        monkeypatch.chdir(folder.parent)
        return buildsearch.open_run(folder)

    return open_


@pytest.mark.parametrize("name", ["vitality-v2", "armitage-text"])
def test_scores_are_filtered_by_option(opened, name):
    """Names are no filter: `charge_up` is within `charge_up_2`."""
    run = opened(name)
    space, names = run.setup.space, run.scores.to_pandas().index
    parts = {name: {each.name for each in space.features(space.parse(name))} for name in names}
    options = space.feature_names
    matrix = run.scores.option_matrix().to_pandas()
    assert matrix.index.tolist() == names.tolist()
    assert matrix.columns.tolist() == list(options)
    assert set(matrix.dtypes.astype(str)) == {"bool"}
    for build in names[:200]:
        assert set(matrix.columns[matrix.loc[build]]) == parts[build]
    one, other = sorted(max(parts.values(), key=len))[:2]
    both = run.scores.with_([one, other])
    assert both.to_pandas().index.tolist() == [name for name in names if {one, other} <= parts[name]]
    assert type(both) is type(run.scores)
    assert both.columns == run.scores.columns
    assert both.higher_is_better == run.scores.higher_is_better
    some = run.scores.with_(one).without_(other)
    assert some.to_pandas().index.tolist() == [
        name for name in names if one in parts[name] and other not in parts[name]
    ]
    assert some.option_matrix().to_pandas()[one].all()
    assert 0 < len(both) < len(names)
    with pytest.raises(UsageError, match="unknown option `blead`"):
        run.scores.with_("blead")


def test_tables_join_without_renames(opened):
    """A number has one name, whichever table it is in, and the same value."""
    vitality = opened("vitality-v2")
    game = buildsearch.load("vitality-v2", budget=4, scenarios="boss.yaml")
    top = list(vitality.to_pandas().index[:3])
    tables = {"leaderboard": vitality, "scores": vitality.scores, "score": buildsearch.score(game, top)}
    frames = {name: table.to_pandas().loc[top] for name, table in tables.items()}
    for column in ("cost", "score", "boss_mean_turns"):
        values = [frame[column].tolist() for frame in frames.values()]
        assert values[0] == pytest.approx(values[1])
        assert values[0] == pytest.approx(values[2])
    shared = {"score_low", "score_high", "boss_low", "boss_high", "boss_survival", "boss_method"}
    for name in ("leaderboard", "score"):
        assert shared <= set(frames[name].columns)
    joined = frames["leaderboard"].merge(frames["score"], on="build", suffixes=("", "_scored"))
    assert joined["boss_low"].tolist() == pytest.approx(joined["boss_low_scored"].tolist())


@pytest.mark.parametrize("name", ["vitality-v2", "armitage-text"])
def test_answers_are_pages_and_mappings(opened, name):
    run = opened(name)
    best, other = run.to_pandas().index[:2]
    game = Game(GameOptions(**shared(GameOptions, run.record.request)), run.setup)
    explained = run.explain(best, fights=3)
    compared = buildsearch.compare(game, best, other, fights=50)
    traced = buildsearch.trace(game, best, pick="worst", of=5)
    scored = buildsearch.score(game, [best, other], fights=50)
    assert explained["rank"] == 1
    assert dict(explained) == explained.document().data
    assert (compared["a"], compared["b"]) == (best, other)
    assert set(compared["scenarios"]) == set(game.scenarios)
    assert traced["events"]
    assert [each["build"] for each in scored.document().data["builds"]] == scored.to_pandas().index.tolist()
    for answer in (run, explained, compared, traced, scored):
        assert best in html.unescape(answer._repr_html_())
        assert answer.document().blocks
    for answer in (explained, compared, traced):
        assert isinstance(answer, Mapping)
        assert len(answer) == len(list(answer)) >= 3
        with pytest.raises(AttributeError):
            answer.title = "x"
    with pytest.raises(UsageError, match="unknown scenario `bos`"):
        buildsearch.trace(game, best, scenario="bos")
    with pytest.raises(UsageError, match="`pick` must be worst, median or best"):
        buildsearch.trace(game, best, pick="good")


def test_matchups_are_for_games_in_which_builds_meet(opened, tmp_path):
    opened("armitage-text")
    game = buildsearch.load("armitage-text", overrides={"points": 1}, scenarios="mirror.yaml")
    met = buildsearch.matchups(game, out=tmp_path / "met", epsilon=0.1, fights=300_000)
    assert met["folder"] == str(tmp_path / "met")
    assert (tmp_path / "met" / "meta.json").exists()
    assert met.document().tables[0].rows[0][-1] in html.unescape(met._repr_html_())
    with pytest.raises(UsageError, match="they fight foes"):
        buildsearch.matchups(buildsearch.load("vitality-v2", budget=1), out=tmp_path / "no")

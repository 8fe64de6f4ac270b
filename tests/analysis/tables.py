"""Small tables of scores for tests: real spaces, made-up scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from buildsearch.library.input_files import load_rules
from buildsearch.model.space import Wanted
from buildsearch.search.score_table import ScoreTable

PLANTED = Path(__file__).with_name("planted.yaml")
FIGHTS = ("first", "second")


def small_space(budget=3):
    """A space of subsets with exclusions."""
    loaded = load_rules(str(PLANTED))
    return loaded.system.space(loaded.model, {"budget": str(budget)})


def options_of():
    """The options of that game, in words and numbers."""
    loaded = load_rules(str(PLANTED))
    return loaded.system.options(loaded.model)


def accused(judged):
    """What findings are about, by code."""
    return {(finding.code, finding.subjects) for finding in judged.findings}


def deck_space(size=3):
    """A space where nothing can be dropped: decks of a few cards."""
    loaded = load_rules("armitage", [f"deck.size={size}"])
    return loaded.system.space(loaded.model, {})


def made_up(space, seed=0, groups=(), *, sampled=0.0, ties=False, higher=False):
    """Scores with effects of parts, of some pairs, and noise; a share of them sampled."""
    rng = np.random.default_rng(seed)
    chunks = list(space.chunks(Wanted(groups=tuple(groups)), 1 << 12))
    names = tuple(dict.fromkeys(chunk.group for chunk in chunks))
    group = np.concatenate([np.full(len(chunk), names.index(chunk.group)) for chunk in chunks])
    codes = np.concatenate([chunk.codes for chunk in chunks])
    cost = np.concatenate([np.asarray(space.table(chunk)["cost"]) for chunk in chunks]).astype(np.int64)
    levels = np.concatenate([space.levels(chunk) for chunk in chunks]).astype(float)
    means = []
    for _ in FIGHTS:
        effects = rng.normal(0, 0.2, levels.shape[1])
        pair = rng.choice(levels.shape[1], 2, replace=False)
        logs = levels @ effects - 0.5 * levels[:, pair].prod(axis=1) + rng.normal(0, 0.05, len(codes))
        means.append(np.exp(2.5 - logs if higher else 2.5 + logs))
    fight_means = np.round(np.stack(means), 0 if ties else 12) + (1.0 if ties else 0.0)
    errors = np.where(rng.random(fight_means.shape) < sampled, 0.05 * fight_means, 0.0)
    weights = np.array([0.25, 0.75])
    return ScoreTable(
        groups=names,
        group=group.astype(np.int64),
        codes=codes,
        cost=cost,
        score=weights @ fight_means,
        error=np.sqrt(weights**2 @ errors**2),
        fights=FIGHTS,
        weights=weights,
        fight_means=fight_means,
        fight_errors=errors,
        higher_is_better=higher,
        primary_higher_is_better=higher,
    )

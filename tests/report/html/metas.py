"""A page of who beats whom, with a circle, a hopeless build, and names that somebody wrote to do harm."""

from __future__ import annotations

import numpy as np

from buildsearch.meta.double_oracle import MetaLimits, find_meta
from buildsearch.report.meta_files import meta_data
from buildsearch.views.meta import matchups_page
from tests.meta.toys import toy
from tests.report.html.sources import HOSTILE

WINS = np.array([[0.5, 0.1, 0.8, 0.9], [0.9, 0.5, 0.2, 0.9], [0.2, 0.8, 0.5, 0.9], [0.1, 0.1, 0.1, 0.5]])


def hostile_meta():
    matches, _ = toy(WINS, exact=False)
    matches.space.name = lambda build: f"={HOSTILE}{build}"
    return find_meta(matches, [0, 1, 2, 3], MetaLimits(epsilon=0.1, budget=500_000), lambda _done: None)


def hostile_meta_page():
    meta = hostile_meta()
    about = {"rules": {"id": HOSTILE}, "parameters": {"tier": HOSTILE}, "seed": 0, "buildsearch": "test"}
    about |= meta_data(meta, 4)
    return meta, about, matchups_page(meta, f"A game {HOSTILE}", 4, about)

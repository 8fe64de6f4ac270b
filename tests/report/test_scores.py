from __future__ import annotations

import numpy as np

from buildsearch.views.scores import histogram_line


def test_a_histogram_runs_from_the_first_outcome_to_the_last():
    assert histogram_line(np.array([0, 0, 1, 4, 8, 0, 1.0])) == "2 ▁▄█ ▁ 6"
    assert histogram_line(np.array([0, 5.0])) == "1 █ 1"


def test_wide_histograms_are_gathered_into_bins():
    line = histogram_line(np.ones(101), most_bars=20)
    first, bars, last = line.split(" ")
    assert (first, last) == ("0", "100")
    assert len(bars) <= 20

"""Bounds of the distance between shares hold what they should."""

import numpy as np
import pytest
from scipy.stats import binom

from senseshift.measures.frequencies import jsd
from senseshift.senses import count_shares, distance_bounds

CASES = [
    ([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]), ([0.6, 0.4, 0.0], [0.4, 0.2, 0.4]),
    ([0.5, 0.4, 0.1], [0.1, 0.4, 0.5]),
]  # fmt: skip


def shares_of(old, new):
    labels = np.concatenate([np.repeat(np.arange(len(side)), side) for side in (old, new)])
    periods = np.repeat([0, 1], [sum(old), sum(new)])
    return count_shares(labels, periods, senses=len(old), number=2)


@pytest.mark.parametrize(("old", "new"), CASES)
def test_they_cover_at_their_rate(old, new):
    rng, found, limits = np.random.default_rng(0), [], []
    for _ in range(120):
        shares = shares_of(rng.multinomial(60, old), rng.multinomial(60, new))
        found.append(jsd(*shares.counts.T))
        limits.append(distance_bounds(shares, 0, 1))
    low, high = np.array(limits).T
    assert ((low <= found) & (found <= high)).all()
    assert ((low <= np.mean(found)) & (np.mean(found) <= high)).sum() >= binom.ppf(1e-4, 120, 0.95)
    assert (high - low).mean() < 0.5


def test_where_nothing_is_known():
    one_sided = count_shares(np.arange(9) % 2, np.zeros(9, int), number=2)
    assert distance_bounds(one_sided, 0, 1) == (0.0, 1.0)
    strays = count_shares(np.full(9, -1), np.arange(9) % 2)
    assert distance_bounds(strays, 0, 1) == (0.0, 1.0)

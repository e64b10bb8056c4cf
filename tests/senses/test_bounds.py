"""Bounds of the figures that follow from shares hold what they should."""

import numpy as np
import pytest
from scipy.stats import binom

from senseshift.measures.frequencies import jsd
from senseshift.senses import bounds, changes, count_shares

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
        moved = changes(shares, 0, 1).movement
        found.append({"f_senses": jsd(*shares.counts.T), "moved": moved})
        limits.append(bounds(shares, 0, 1))
    for name in ("f_senses", "moved"):
        mean = np.mean([row[name] for row in found])
        held = sum(limit[name][0] <= mean <= limit[name][1] for limit in limits)
        assert held >= binom.ppf(1e-4, 120, 0.95), name
        assert all(
            low <= row[name] <= high
            for row, (low, high) in zip(found, (limit[name] for limit in limits), strict=True)
        )
        assert np.mean([high - low for low, high in (x[name] for x in limits)]) < 0.5


def test_where_nothing_is_known():
    one_sided = count_shares(np.arange(9) % 2, np.zeros(9, int), number=2)
    assert bounds(one_sided, 0, 1) == {"f_senses": (0.0, 1.0), "moved": (0.0, 1.0)}
    strays = count_shares(np.full(9, -1), np.arange(9) % 2)
    assert bounds(strays, 0, 1)["moved"] == (0.0, 1.0)

"""How far usages moved, weighed by how sure it is that the senses differ."""

import numpy as np
import pytest

from senseshift.calibration import Calibration
from senseshift.senses import count_shares

CURVE = Calibration(0.45, 0.1, 0.4)


@pytest.fixture(scope="module")
def rule(scripts):
    return scripts("movement")


def split_word(distance, seed=0):
    """Two groups of usages, old mostly in the one and new in the other, so far from each other."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1], 40)
    periods = np.concatenate([np.arange(40) < 6, np.arange(40) >= 6]).astype(int)
    centre = np.zeros((2, 64))
    centre[:, 0] = 1.0
    centre[1, 1] = distance
    return centre[labels] + 0.05 * rng.normal(size=(80, 64)), labels, periods


def test_senses_that_differ_move_by_their_share_and_halves_of_one_hardly_move(rule):
    for distance, far in ((8.0, True), (0.2, False)):
        vectors, labels, periods = split_word(distance)
        shares = count_shares(labels, periods)
        difference = shares.share[:, 1] - shares.share[:, 0]
        between = rule.apart(vectors, labels, CURVE)
        found = rule.moved(difference, between)
        assert rule.movement(difference, between) == pytest.approx(np.sqrt((found**2).sum() / 2))
        assert rule.movement_p(shares, between) < 0.01
        if far:
            assert found == pytest.approx(np.abs(difference), rel=0.02)
        else:
            assert found.max() < 0.12


def test_chance_is_beaten_at_its_rate(rule):
    rng, p = np.random.default_rng(1), []
    for _ in range(150):
        labels, periods = rng.integers(0, 3, 60), rng.permutation(60) % 2
        shares = count_shares(labels, periods, senses=3)
        p.append(rule.movement_p(shares, 1.0 - np.eye(3)))
    assert 0.005 < np.mean(np.array(p) <= 0.05) < 0.11

"""How far usages moved, weighed by how sure it is that the senses differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import usages

from senseshift.calibration import Calibration
from senseshift.senses import changes, count_shares
from senseshift.senses.movement import apart, moved, movement

CURVE = Calibration(0.45, 0.1, 0.4)


def split_word(distance, seed=0):
    """Two groups of usages, old mostly in the one and new in the other, so far from each other."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1], 40)
    periods = np.concatenate([np.arange(40) < 6, np.arange(40) >= 6]).astype(int)
    centre = np.zeros((2, 64))
    centre[:, 0] = 1.0
    centre[1, 1] = distance
    return centre[labels] + 0.05 * rng.normal(size=(80, 64)), labels, periods


def test_senses_that_differ_move_by_their_share_and_halves_of_one_hardly_move():
    found = {}
    for name, distance in (("far", 8.0), ("near", 0.2)):
        vectors, labels, periods = split_word(distance)
        between = apart(vectors, labels, CURVE)
        found[name] = changes(count_shares(labels, periods), 0, 1, apart=between)
    far, near = found["far"], found["near"]
    assert far.moved == pytest.approx(np.abs(far.difference), rel=0.02)
    assert near.difference == pytest.approx(far.difference)  # the shares are the same
    assert near.moved.max() < 0.12 < far.moved.min()
    assert far.movement_p < 0.01


def test_senses_of_a_person_differ_surely():
    shares = count_shares(np.repeat([0, 1, 2], [30, 20, 10]), np.arange(60) % 2)
    found = changes(shares, 0, 1)
    assert found.moved == pytest.approx(np.abs(found.difference))
    assert found.movement_p > 0.5


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=6), st.floats(0, 1))
def test_a_word_moves_as_its_senses_do(values, sure):
    difference = np.array(values) - np.mean(values)
    between = sure * (1.0 - np.eye(difference.size))
    senses = moved(difference, between)
    assert (senses <= np.abs(difference) + 1e-9).all()
    assert movement(difference, between) == pytest.approx(np.sqrt((senses**2).sum() / 2), abs=1e-9)


def test_chance_is_beaten_at_its_rate():
    rng = np.random.default_rng(1)
    p = []
    for _ in range(200):
        labels, periods = rng.integers(0, 3, 60), rng.permutation(60) % 2
        p.append(changes(count_shares(labels, periods, senses=3), 0, 1).movement_p)
    assert 0.005 < np.mean(np.array(p) <= 0.05) < 0.11


def test_deals_and_single_usages_say_alike():
    rng = np.random.default_rng(2)
    labels, periods = np.repeat([0, 1, 2], 20), rng.permutation(60) % 2
    deals = np.array([rng.permutation(periods) for _ in range(4_000)])
    shares = count_shares(labels, periods)
    known = {"labels": labels, "periods": periods, "deals": deals}
    found, alone = changes(shares, 0, 1, **known), changes(shares, 0, 1)
    assert found.movement_p == pytest.approx(alone.movement_p, abs=0.03)


def test_a_word_without_senses_or_without_a_period():
    none = changes(count_shares(np.full(9, -1), np.arange(9) % 2), 0, 1)
    assert none.moved.size == 0
    assert np.isnan(none.movement_p)
    one_sided = changes(count_shares(np.arange(9) % 2, np.zeros(9, int), number=2), 0, 1)
    assert np.isnan(one_sided.movement_p)
    assert apart(np.ones((3, 4)), np.full(3, -1), CURVE).shape == (0, 0)


def test_thousands_of_usages_are_sampled():
    vectors, truth = usages(2_000, 1_000)
    between = apart(vectors, truth, CURVE)
    assert between[0, 1] > 0.9
    assert np.array_equal(between, apart(vectors, truth, CURVE))

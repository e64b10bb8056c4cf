"""How far usages of a period are spread."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.calibration import Calibration
from senseshift.senses import Spread, spread, spread_change

CURVE = Calibration(0.4, 0.1)


def drawn(shares, count, seed=0, noise=0.3):
    """Usages of senses that have nothing in common."""
    rng = np.random.default_rng(seed)
    senses = rng.choice(len(shares), count, p=shares)
    return np.eye(8)[senses] + noise / np.sqrt(8) * rng.normal(size=(count, 8))


def test_it_is_the_mean_chance_of_all_pairs():
    vectors = drawn([0.5, 0.5], 12)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = [CURVE.cost(1 - units[i] @ units[j]) for i in range(12) for j in range(i)]
    assert spread(vectors, CURVE).chance == pytest.approx(np.mean(pairs))


def test_usages_of_two_senses_differ_half_the_time():
    found = spread(drawn([0.5, 0.5], 400), CURVE)
    assert found.chance == pytest.approx(0.5, abs=0.02)
    assert spread(np.ones((9, 3)), CURVE).chance == pytest.approx(0.0, abs=1e-9)


@given(st.permutations(range(20)))
def test_order_does_not_matter(order):
    vectors, documents = drawn([0.6, 0.4], 20), np.arange(20) // 3
    there = spread(vectors, CURVE, documents, most=15)
    back = spread(vectors[order], CURVE, documents[order], most=15)
    assert (there.chance, there.error) == pytest.approx((back.chance, back.error))


@pytest.mark.parametrize("shares", [[0.8, 0.2], [0.5, 0.3, 0.2]])
def test_its_error_is_how_far_samples_stray(shares):
    found = [spread(drawn(shares, 60, seed), CURVE) for seed in range(200)]
    strayed = np.std([one.chance for one in found])
    assert np.mean([one.error for one in found]) == pytest.approx(strayed, rel=0.15)


def test_the_interval_holds_and_says_what_moved():
    samples = [spread(drawn([0.8, 0.2], 40, seed), CURVE) for seed in range(400)]
    same = [spread_change(*pair) for pair in zip(samples[::2], samples[1::2], strict=True)]
    held = np.mean([low <= 0 <= high for _, low, high in same])
    assert 0.91 <= held <= 0.99
    found, low, high = spread_change(
        spread(drawn([1.0], 40), CURVE), spread(drawn([0.5, 0.5], 40), CURVE)
    )
    assert 0 < low < found < high


def test_usages_of_one_document_tell_less():
    vectors = drawn([0.7, 0.3], 60)
    documents = np.argsort(np.argsort(vectors[:, 0])) // 10  # each of hardly more than one sense
    assert spread(vectors, CURVE, documents).error > 2 * spread(vectors, CURVE).error


def test_what_is_not_known():
    one, alike = spread(np.ones((1, 3)), CURVE), spread(drawn([1.0], 9), CURVE, np.zeros(9))
    assert np.isnan(one.chance)
    assert alike.chance >= 0
    assert np.isnan(alike.error)
    for side in (one, alike):
        assert np.isnan(spread_change(side, spread(drawn([1.0], 9), CURVE))[1:]).all()
    assert isinstance(one, Spread)

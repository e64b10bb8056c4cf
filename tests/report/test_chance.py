import numpy as np
import pytest

import senseshift
from senseshift.measures.chance import MOST
from senseshift.report.chance import chance_sus


def test_few_usages_go_beyond_chance_where_nothing_changed():
    rng = np.random.default_rng(0)
    beyond = []
    for _ in range(10):
        vectors = rng.normal(size=(60, 16)) + 1.0
        is_new = np.arange(60) >= 30
        chance = chance_sus(vectors, is_new, {})
        shift = senseshift.sus(vectors[~is_new], vectors[is_new])
        beyond.append(np.mean(np.abs(np.concatenate((shift.old, shift.new))) > chance))
    assert 0.0 < np.mean(beyond) < 0.05


def test_a_new_sense_goes_beyond_it():
    rng = np.random.default_rng(1)
    sense = np.array([0] * 40 + [0] * 20 + [1] * 20)
    vectors = np.eye(16)[sense] + 0.1 * rng.normal(size=(80, 16))
    is_new = np.arange(80) >= 40
    chance = chance_sus(vectors, is_new, {"rho": 1.0, "weights": "uniform"})
    shift = senseshift.sus(vectors[~is_new], vectors[is_new])
    assert (shift.new[20:] > chance).all()
    assert (shift.new[:20] > chance).mean() < 0.2


def test_it_is_the_same_every_time():
    vectors = np.random.default_rng(2).normal(size=(20, 4))
    is_new = np.arange(20) >= 10
    assert chance_sus(vectors, is_new, {}) == chance_sus(vectors, is_new, {})


def test_very_many_usages_are_sampled_and_the_penalty_follows():
    """λ on a sample asks what λ on all usages would: ρ = λ/m is the same."""
    vectors = np.random.default_rng(3).normal(size=(2 * MOST, 4))
    is_new = np.arange(2 * MOST) >= MOST
    by_rho = chance_sus(vectors, is_new, {"rho": 0.5})
    assert chance_sus(vectors, is_new, {"lam": 0.5 * MOST}) == pytest.approx(by_rho, rel=1e-6)

import numpy as np
import pytest

import senseshift
from senseshift.measures.chance import MOST, deal, p_value

IS_NEW = np.arange(40) >= 20


def unchanged(seed):
    return np.random.default_rng(seed).normal(size=(40, 8)) + 1.0


def test_the_first_deal_is_the_word_itself():
    vectors = unchanged(0)
    dealt, splits = deal(vectors, IS_NEW, 3)
    shift = senseshift.sus(vectors[:20], vectors[20:])
    assert splits.shape == (4, 40)
    assert np.array_equal(splits[0], IS_NEW)
    assert (splits.sum(axis=1) == 20).all()
    assert np.allclose(dealt.sus[0], np.concatenate([shift.old, shift.new]), atol=1e-9)


def test_p_values_are_even_where_nothing_changed():
    values = [p_value(*deal(unchanged(seed), IS_NEW, 19)) for seed in range(60)]
    assert all(0 < value <= 1 for value in values)
    assert np.mean(values) == pytest.approx(0.5, abs=0.13)
    assert np.mean(np.array(values) <= 0.05) < 0.15


def test_a_new_sense_is_no_chance():
    sense = np.array([0] * 30 + [1] * 10)
    vectors = np.eye(8)[sense] + 0.1 * np.random.default_rng(1).normal(size=(40, 8))
    assert p_value(*deal(vectors, IS_NEW, 99)) == 0.01


def test_one_usage_repeated_is_all_chance():
    assert p_value(*deal(np.ones((40, 8)), IS_NEW, 9)) == 1.0


def test_it_counts_as_a_second_computation_does():
    vectors = unchanged(3)
    dealt, splits = deal(vectors, IS_NEW, 50, rho=0.5)
    magnitudes = [senseshift.sus(vectors[~new], vectors[new], rho=0.5).magnitude for new in splits]
    as_large = sum(magnitude >= magnitudes[0] - 1e-9 for magnitude in magnitudes)
    assert p_value(dealt, splits) == pytest.approx(as_large / 51)


def test_of_very_many_usages_a_sample_keeps_the_proportion():
    vectors = np.random.default_rng(4).normal(size=(4 * MOST, 4))
    dealt, splits = deal(vectors, np.arange(4 * MOST) >= MOST, 1)
    assert splits.shape == dealt.sus.shape == (2, MOST)
    assert (splits.sum(axis=1) == 750).all()

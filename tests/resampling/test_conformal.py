import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from senseshift.errors import InputError
from senseshift.resampling.conformal import conformal_p, exceeds, q_values

scores = st.lists(st.integers(-5, 5), min_size=1, max_size=30)


@given(scores, scores)
def test_it_counts_controls_as_large(targets, controls):
    p = conformal_p(targets, controls)
    for target, value in zip(targets, p, strict=True):
        as_large = sum(control >= target for control in controls)
        assert value == pytest.approx((1 + as_large) / (1 + len(controls)))


def test_a_word_among_its_like_is_seldom_called():
    rng = np.random.default_rng(0)
    p = [conformal_p(*np.split(rng.exponential(size=40), [1]))[0] for _ in range(4000)]
    for level in (0.05, 0.25):
        low, high = binom.interval(0.999, 4000, level)
        assert low <= (np.array(p) <= level).sum() <= high


def test_controls_that_are_less_comparable_count_less():
    assert conformal_p([2.0], [1.0, 3.0], [1.0, 0.0])[0] == pytest.approx(1 / 2)
    assert conformal_p([2.0], [1.0, 3.0], [0.0, 1.0])[0] == pytest.approx(1.0)
    rows = conformal_p([2.0, 2.0], [1.0, 3.0], [[1.0, 0.0], [0.0, 1.0]])
    assert rows == pytest.approx([1 / 2, 1.0])


def test_unknown_scores():
    assert np.isnan(conformal_p([np.nan], [1.0, 2.0])[0])
    assert conformal_p([1.5], [1.0, np.nan, 2.0])[0] == pytest.approx(2 / 3)
    assert conformal_p([1.5], [])[0] == 1.0
    assert np.isnan(exceeds([1.0], [])[0])
    assert np.isnan(q_values([np.nan, 0.01])[0])


def test_weights_that_do_not_fit_are_said():
    with pytest.raises(InputError, match="one for each of the 2 controls"):
        conformal_p([1.0], [1.0, 2.0], [1.0])
    with pytest.raises(InputError, match="from 0 to 1"):
        conformal_p([1.0], [1.0, 2.0], [1.0, 2.0])


def test_more_than_so_many_comparable_words():
    assert exceeds([2.0, 0.0], [0.0, 1.0, 2.0, 3.0]) == pytest.approx([0.5, 0.0])


def test_q_values_are_those_of_benjamini_and_hochberg():
    assert q_values([0.01, 0.02, np.nan, 0.03, 0.5])[[0, 1, 3, 4]] == pytest.approx(
        [0.04, 0.04, 0.04, 0.5]
    )
    assert q_values([]).size == 0

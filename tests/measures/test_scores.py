import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.errors import InputError
from senseshift.measures import f_1, f_2, g_1, log_variance_ratio, mean_difference, threshold

varied = st.lists(st.integers(-50, 50), min_size=2, max_size=30).filter(lambda x: len(set(x)) > 1)
scores = st.lists(st.floats(-1, 1), min_size=2, max_size=30)


@given(scores, scores, st.floats(0, 1))
def test_sums_follow_the_formula(alpha, beta, theta):
    assert mean_difference(alpha, beta) == pytest.approx(
        abs(sum(alpha) / len(alpha) - sum(beta) / len(beta)), abs=1e-12
    )
    assert f_1(alpha, beta) == pytest.approx(sum(map(abs, alpha)) + sum(map(abs, beta)))
    lost = sum(x for x in alpha if x < -theta)
    gained = sum(y for y in beta if y > theta)
    assert f_2(alpha, beta, theta) == pytest.approx(-lost + gained, abs=1e-12)
    assert g_1(alpha, beta, theta) == pytest.approx(lost + gained, abs=1e-12)


@given(varied, varied)
def test_scope_is_the_log_ratio_of_population_variances(alpha, beta):
    def variance(x):
        return sum((v - sum(x) / len(x)) ** 2 for v in x) / len(x)

    expected = np.log(variance(beta) / variance(alpha))
    assert log_variance_ratio(alpha, beta) == pytest.approx(expected, abs=1e-9)


def test_scope_where_nothing_or_one_side_varies():
    assert log_variance_ratio([0.1, 0.1], [0.3, 0.3]) == 0.0
    assert log_variance_ratio([1e-17, 0, -1e-17], [1e-16, 0, 0]) == 0.0  # rounding is no spread
    assert log_variance_ratio([0.1, 0.1], [0.3, 0.4]) == np.inf
    assert log_variance_ratio([0.1, 0.2], [0.3, 0.3]) == -np.inf
    assert np.isnan(log_variance_ratio([0.1], [0.3, 0.4]))


def test_the_threshold_is_a_share_of_the_largest_score_of_all_words():
    words = [([0.1, -0.2], [0.3]), ([-0.8], [0.5])]
    assert threshold(0.5, words) == pytest.approx(0.4)
    with pytest.raises(InputError, match="share from 0 to 1"):
        threshold(1.5, words)
    with pytest.raises(InputError, match="at least one word"):
        threshold(0.5, [])

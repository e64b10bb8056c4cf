"""Shares of senses, and between which bounds they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from senseshift.errors import InputError
from senseshift.senses import count_shares
from senseshift.senses.shares import wilson


@given(st.integers(1, 300), st.data())
def test_bounds_are_wilsons(total, data):
    count = data.draw(st.integers(0, total))
    labels = np.repeat([0, 1], [count, total - count])
    shares = count_shares(labels, np.zeros(total, dtype=int), senses=2)
    expected = binomtest(count, total).proportion_ci(method="wilson")
    assert shares.low[0, 0] == pytest.approx(expected.low, abs=1e-9)
    assert shares.high[0, 0] == pytest.approx(expected.high, abs=1e-9)
    assert shares.low[0, 0] <= shares.share[0, 0] <= shares.high[0, 0]


def test_three_periods_of_unequal_size():
    labels = np.array([0, 0, 0, 1, 0, 1, 1, 1, 1, -1])
    periods = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2, 2])
    shares = count_shares(labels, periods)
    assert shares.counts.tolist() == [[3, 1, 0], [1, 1, 3]]
    assert shares.totals.tolist() == [4, 2, 3]
    assert shares.share[1].tolist() == [0.25, 0.5, 1.0]
    assert (shares.low[:, 1] < shares.low[:, 0] + 0.5).all()


def test_an_exact_test_takes_as_given_how_many_usages_there_are():
    shares = count_shares(
        np.array([0, 0, 0, 1, 0, 1, 1, 1, 1, -1]), np.repeat([0, 1, 2], [4, 2, 4])
    )
    assert shares.margins(0, 2).tolist() == [[3, 4, 3], [4, 4, 3]]
    assert shares.margins(2, 1).tolist() == [[1, 3, 2], [4, 3, 2]]


def test_a_period_without_usages_says_nothing():
    shares = count_shares(np.array([0, 1]), np.array([0, 0]), number=2)
    assert np.isnan(shares.share[:, 1]).all()
    assert shares.low[:, 1].tolist() == [0.0, 0.0]
    assert shares.high[:, 1].tolist() == [1.0, 1.0]


def test_a_word_of_strays_has_no_senses():
    shares = count_shares(np.array([-1, -1]), np.array([0, 1]))
    assert shares.counts.shape == (0, 2)
    assert shares.totals.tolist() == [0, 0]


def test_documents_that_hang_together_widen_the_bounds():
    labels = np.repeat(np.arange(10) % 2, 10)  # every document in one sense
    periods = np.zeros(100, dtype=int)
    apart = count_shares(labels, periods, np.arange(100))
    together = count_shares(labels, periods, np.repeat(np.arange(10), 10))
    assert apart.effective[0] == pytest.approx(100, rel=0.02)
    assert together.effective[0] == pytest.approx(10, rel=0.2)
    assert (together.high - together.low).min() > 2 * (apart.high - apart.low).max()


def test_one_document_says_nothing_of_others():
    shares = count_shares(np.array([0, 0, 1]), np.zeros(3, dtype=int), ["a", "a", "a"])
    assert shares.low[:, 0].tolist() == [0.0, 0.0]
    assert shares.high[:, 0].tolist() == [1.0, 1.0]


def test_bounds_cover_the_true_share_as_often_as_they_say_though_documents_hang_together():
    rng, covered = np.random.default_rng(0), []
    for _ in range(400):
        of_document = rng.beta(0.3 * 4, 0.7 * 4, size=25)
        documents = np.repeat(np.arange(25), 4)
        labels = (rng.random(100) >= of_document[documents]).astype(int)
        shares = count_shares(labels, np.zeros(100, dtype=int), documents, senses=2)
        covered.append(shares.low[0, 0] <= 0.3 <= shares.high[0, 0])
    assert 0.92 <= np.mean(covered) <= 0.985


def test_of_no_usages_every_share_is_possible():
    assert [float(bound) for bound in wilson(0.0, 0, 1.96)] == [0.0, 1.0]


def test_a_period_for_each_usage():
    with pytest.raises(InputError, match=r"\(2,\) and \(3,\)"):
        count_shares(np.array([0, 1]), np.array([0, 0, 1]))

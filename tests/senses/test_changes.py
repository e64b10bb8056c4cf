"""Differences of shares between periods."""

import numpy as np
import pytest
from scipy.stats import fisher_exact

from senseshift.errors import InputError
from senseshift.senses import changes, count_shares, entropy_change, log_ratio

LABELS = np.repeat([0, 1, 0, 1, 2], [30, 10, 12, 20, 8])
PERIODS = np.repeat([0, 0, 1, 1, 1], [30, 10, 12, 20, 8])


def deals_of(periods, count=999, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(periods) for _ in range(count)])


def found_by(labels, periods, **settings):
    shares = count_shares(labels, periods, number=2)
    deals = deals_of(periods, **settings)
    return changes(shares, 0, 1, labels=labels, periods=periods, deals=deals)


def test_the_exact_test_is_fishers():
    found = changes(count_shares(LABELS, PERIODS), 0, 1)
    assert found.difference.tolist() == pytest.approx([-0.45, 0.25, 0.2])
    assert found.exact[0] == pytest.approx(fisher_exact([[30, 12], [10, 28]]).pvalue)
    assert np.array_equal(found.p, found.exact)


def test_newcombes_bounds():
    # Newcombe (1998), method 10: 56/70 against 48/80 is .2, from .0524 to .3339.
    labels = np.repeat([0, 1, 0, 1], [48, 32, 56, 14])
    found = changes(count_shares(labels, np.repeat([0, 1], [80, 70])), 0, 1)
    assert found.difference[0] == pytest.approx(0.2)
    assert (found.low[0], found.high[0]) == pytest.approx((0.0524, 0.3339), abs=1e-4)


def test_permutation_agrees_with_the_exact_test():
    found = found_by(LABELS, PERIODS, count=4_999)
    assert found.p[1] == pytest.approx(found.exact[1], abs=0.02)
    assert found.p[0] == 1 / 5_000


def test_periods_the_other_way_round_are_the_contrary():
    shares = count_shares(LABELS, PERIODS)
    there, back = changes(shares, 0, 1), changes(shares, 1, 0)
    assert back.difference.tolist() == (-there.difference).tolist()
    assert back.low.tolist() == pytest.approx((-there.high).tolist())
    assert np.array_equal(there.exact, back.exact)


def test_two_of_three_periods_are_compared():
    periods = np.where(np.arange(80) % 4 == 0, 2, PERIODS)
    shares = count_shares(LABELS, periods)
    found = changes(shares, 0, 2, labels=LABELS, periods=periods, deals=deals_of(periods))
    assert found.difference.tolist() == (shares.share[:, 2] - shares.share[:, 0]).tolist()
    assert ((found.p > 0) & (found.p <= 1)).all()


def test_whole_documents_may_be_dealt():
    documents = np.arange(80) // 10  # four of either period
    owners = PERIODS[::10]
    rng = np.random.default_rng(0)
    deals = np.array([rng.permutation(owners)[documents] for _ in range(999)])
    shares = count_shares(LABELS, PERIODS)
    found = changes(shares, 0, 1, labels=LABELS, periods=PERIODS, deals=deals)
    assert found.p[0] > 10 * found.exact[0]
    assert found.p.min() >= 1 / 70  # of so many different deals half are as extreme by symmetry


def test_shuffled_periods_are_marked_no_more_often_than_they_may():
    rng, p = np.random.default_rng(1), []
    labels = rng.integers(0, 3, size=60)
    for seed in range(200):
        periods = rng.permutation(np.arange(60) % 2)
        p.append(found_by(labels, periods, count=99, seed=seed).p[0])
    assert np.mean(np.array(p) <= 0.05) <= 0.09  # .05 and three standard errors
    assert np.mean(np.array(p) <= 0.5) > 0.3


def test_a_period_without_usages_of_a_word_has_no_difference():
    shares = count_shares(np.array([0, 1, -1]), np.array([0, 0, 1]), number=2)
    found = changes(shares, 0, 1)
    assert np.isnan(found.difference).all()
    assert np.isnan(found.p).all()
    assert (found.low.tolist(), found.high.tolist()) == ([-1.0, -1.0], [1.0, 1.0])
    assert np.isnan(entropy_change(shares, 0, 1)).all()


def test_a_sense_of_one_period_has_a_finite_log_ratio():
    shares = count_shares(LABELS, PERIODS)
    ratio = log_ratio(shares, 0, 1)
    assert np.isfinite(ratio).all()
    assert ratio[0] < 0 < ratio[1] < ratio[2]
    assert log_ratio(shares, 1, 0) == pytest.approx(-ratio)


def test_entropy_that_rose_is_told_from_chance():
    shares = count_shares(LABELS, PERIODS)
    value, low, high = entropy_change(shares, 0, 1)
    assert 0.0 < low <= value <= high
    same = count_shares(np.tile([0, 0, 1], 20), np.arange(60) % 2)
    value, low, high = entropy_change(same, 0, 1)
    assert low < 0.0 < high


def test_entropy_bounds_cover_as_often_as_they_say():
    rng, covered = np.random.default_rng(0), []
    old, new = np.array([0.8, 0.15, 0.05]), np.array([0.4, 0.3, 0.3])
    truth = -(new * np.log(new)).sum() + (old * np.log(old)).sum()
    for _ in range(200):
        labels = np.concatenate([rng.choice(3, 60, p=shares) for shares in (old, new)])
        _, low, high = entropy_change(count_shares(labels, np.repeat([0, 1], 60)), 0, 1)
        covered.append(low <= truth <= high)
    assert 0.89 <= np.mean(covered) <= 0.995


def test_deals_must_fit():
    shares = count_shares(LABELS, PERIODS)
    with pytest.raises(InputError, match="need the sense and the period"):
        changes(shares, 0, 1, deals=deals_of(PERIODS, 9))
    with pytest.raises(InputError, match=r"each of the 80 usages, not an array of shape \(9, 3\)"):
        changes(shares, 0, 1, labels=LABELS, periods=PERIODS, deals=np.zeros((9, 3), dtype=int))

import numpy as np
import pytest
from generated import usages
from scipy.stats import binom, binomtest

from senseshift.resampling.bootstrap import (
    half,
    interval,
    share_error,
    share_interval,
    standard_errors,
)
from senseshift.resampling.deals import Dealer
from senseshift.resampling.figures import FIGURES
from senseshift.resampling.permutation import permute


def test_a_half_is_half_of_each_side():
    dealer = Dealer(np.arange(30) >= 20)
    for number in range(4):
        kept = half(dealer, number)
        assert kept[:20].sum() == 10
        assert kept[20:].sum() == 5
    assert not np.array_equal(half(dealer, 0), half(dealer, 1))
    assert np.array_equal(half(dealer, 3), half(dealer, 3))


def test_documents_are_taken_whole():
    documents = np.repeat(np.arange(10), 3)
    dealer = Dealer(documents >= 4, documents)
    kept = half(dealer, 0).reshape(10, 3)
    assert (kept.all(axis=1) | ~kept.any(axis=1)).all()
    assert kept[:4].all(axis=1).sum() == 2
    assert kept[4:].all(axis=1).sum() == 3


def test_shares_stray_as_a_share_of_a_sample_does():
    is_kind = np.arange(80) % 4 == 0
    error = share_error(is_kind, Dealer(np.arange(80) >= 40), 1, draws=1000)
    assert error == pytest.approx(np.sqrt(0.25 * 0.75 / 40), rel=0.1)


def test_shares_stray_further_where_documents_hang_together():
    documents = np.repeat(np.arange(16), 5)
    is_kind, periods = documents % 4 == 0, documents >= 8
    apart = share_error(is_kind, Dealer(periods), 1, draws=500)
    together = share_error(is_kind, Dealer(periods, documents), 1, draws=500)
    assert together > 1.8 * apart


def test_figures_stray_as_they_do_from_sample_to_sample():
    found, errors = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        sides = [rng.multinomial(24, shares).tolist() for shares in ([0.5, 0.5], [0.8, 0.2])]
        word = usages(*sides, seed=seed, spread=0.3)
        result = permute(*word, permutations=40, seed=seed)
        errors.append(standard_errors(word[0], result, draws=30))
        found.append({**{n: result.figures[n].found for n in FIGURES}, "change": result.change})
    for name in ("change", "f_SUS", "APD"):
        values = np.array([row[name] for row in found])
        covered = [
            low <= values.mean() <= high
            for row, error in zip(found, errors, strict=True)
            for low, high in [interval(row[name], error[name])]
        ]
        low, _ = binom.interval(0.9999, len(found), 0.95)
        assert sum(covered) >= low, name
        # Wide enough, but not so wide that they say nothing.
        assert 0.6 < np.mean([error[name] for error in errors]) / values.std() < 1.9, name


def test_the_same_whatever_the_threads_and_for_a_function_of_costs():
    cost, is_new = usages([10, 6], [8, 9])
    documents = np.arange(33) // 2
    result = permute(cost, is_new, documents=documents, permutations=20)
    one, two = (standard_errors(cost, result, draws=10, threads=n) for n in (1, 2))
    assert one == two
    assert one == standard_errors(lambda rows: cost[np.ix_(rows, rows)], result, draws=10)


def test_two_usages_have_no_error_to_tell():
    cost, is_new = usages([2], [30])
    errors = standard_errors(cost, permute(cost, is_new, permutations=9), draws=5)
    assert set(errors) == set(FIGURES)
    assert all(np.isnan(error) for error in errors.values())
    assert np.isnan(share_error(np.ones(32, bool), Dealer(is_new), 0))


def test_an_interval_lies_around_the_figure():
    assert interval(2.0, 0.5) == pytest.approx((2 - 0.98, 2 + 0.98), abs=1e-3)
    assert interval(2.0, 0.5, 0.5) == pytest.approx((2 - 0.337, 2 + 0.337), abs=1e-3)


def test_an_interval_of_a_share_is_wilsons_for_usages_on_their_own():
    for hits, count in ((3, 30), (15, 40)):
        share = hits / count
        error = np.sqrt(share * (1 - share) / count)
        wilson = binomtest(hits, count).proportion_ci(0.95, "wilson")
        assert share_interval(share, error, count) == pytest.approx((wilson.low, wilson.high))


def test_an_interval_of_a_share_that_never_strays():
    assert share_interval(0.0, 0.0, 20)[0] == 0.0
    assert 0.1 < share_interval(0.0, 0.0, 20)[1] < 0.2
    assert share_interval(1.0, 0.0, 20)[1] == 1.0


def test_intervals_of_shares_hold_the_share_as_often_as_they_say():
    held = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        kind = rng.random(60) < np.repeat([0.5, 0.12], 30)
        error = share_error(kind, Dealer(np.arange(60) >= 30, seed=seed), 1, draws=60)
        low, high = share_interval(kind[30:].mean(), error, 30)
        held += low <= 0.12 <= high
    assert 0.92 <= held / 400 <= 0.98

import numpy as np
import pytest
from generated import usages
from scipy.stats import binom

from senseshift.resampling.bootstrap import interval, part_of, standard_errors
from senseshift.resampling.deals import Dealer
from senseshift.resampling.figures import FIGURES
from senseshift.resampling.permutation import permute


def test_a_draw_leaves_out_a_fifth_of_each_side():
    dealer = Dealer(np.arange(30) >= 20)
    for number in range(4):
        kept = part_of(dealer, number)
        assert kept[:20].sum() == 16
        assert kept[20:].sum() == 8
    assert not np.array_equal(part_of(dealer, 0), part_of(dealer, 1))
    assert np.array_equal(part_of(dealer, 3), part_of(dealer, 3))


def test_a_fifth_on_average_where_there_is_no_fifth():
    dealer = Dealer(np.arange(11) >= 4)
    kept = np.array([part_of(dealer, number) for number in range(200)])
    assert set(kept[:, :4].sum(axis=1)) == {3, 4}
    assert set(kept[:, 4:].sum(axis=1)) == {5, 6}
    assert kept.mean() == pytest.approx(0.8, abs=0.02)


def test_documents_are_taken_whole():
    documents = np.repeat(np.arange(15), 3)
    dealer = Dealer(documents >= 5, documents)
    kept = part_of(dealer, 0).reshape(15, 3)
    assert (kept.all(axis=1) | ~kept.any(axis=1)).all()
    assert kept[:5].all(axis=1).sum() == 4
    assert kept[5:].all(axis=1).sum() == 8


def test_figures_stray_as_they_do_from_sample_to_sample():
    found, errors = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        sides = [rng.multinomial(24, shares).tolist() for shares in ([0.5, 0.5], [0.8, 0.2])]
        word = usages(*sides, seed=seed, spread=0.3)
        result = permute(*word, permutations=40, seed=seed)
        errors.append(standard_errors(word[0], result, draws=30))
        dealer = result.dealer
        found.append({**{n: result.figures[n].found for n in FIGURES}, "change": result.change})
    for name in ("change", "f_SUS", "APD"):
        values = np.array([row[name] for row in found])
        covered = [
            low <= values.mean() <= high
            for row, error in zip(found, errors, strict=True)
            for low, high in [interval(row[name], error[name], dealer)]
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


def test_an_interval_lies_around_the_figure_and_is_wider_by_fewer_usages():
    many, few, fewest = (Dealer(np.arange(n) >= 4, None) for n in (8_004, 10, 5))
    assert interval(2.0, 0.5, Dealer(np.arange(8_000) >= 4_000, None)) == pytest.approx(
        (2 - 0.98, 2 + 0.98), abs=1e-3
    )
    assert interval(2.0, 0.5, many, 0.5) == interval(2.0, 0.5, few, 0.5)  # 4 on the smaller side
    assert interval(2.0, 0.5, few) == pytest.approx((2 - 1.591, 2 + 1.591), abs=1e-3)
    assert interval(2.0, 0.5, fewest)[1] > 8.0
    documents = np.arange(30) // 3
    by_document = Dealer(np.arange(30) >= 15, documents)
    assert interval(0.0, 1.0, by_document)[1] > interval(0.0, 1.0, Dealer(np.arange(30) >= 15))[1]

import numpy as np
import pytest
from generated import usages
from scipy.stats import binom

from senseshift.errors import InputError
from senseshift.resampling.figures import FIGURES, magnitude
from senseshift.resampling.permutation import QUANTILES, Null, permute
from senseshift.transport import solve


def test_figures_and_usages_are_what_single_solves_give():
    cost, is_new = usages([6, 3], [5, 6])
    result = permute(cost, is_new, permutations=30, rho=0.5, early=False, seed=3)
    deals = np.concatenate([is_new[None], result.dealer.draw(0, 30) == 1])
    sus = np.empty(deals.shape)
    for k, new in enumerate(deals):
        solved = solve(cost[np.ix_(~new, new)], rho=0.5)
        sus[k, ~new], sus[k, new] = solved.sus_old, solved.sus_new
    f = [abs(row[new].mean() - row[~new].mean()) for row, new in zip(sus, deals, strict=True)]
    g = [np.log(row[new].var() / row[~new].var()) for row, new in zip(sus, deals, strict=True)]
    apd = [cost[np.ix_(~new, new)].mean() for new in deals]
    for name, values in (("f_SUS", f), ("g_SUS", g), ("APD", apd)):
        null = result.figures[name]
        assert np.allclose([null.found, *null.dealt], values, atol=1e-9)
        assert null.p == pytest.approx(np.mean(np.array(values) >= values[0] - 1e-12))
    for i, new in enumerate(is_new):
        same = sus[deals[:, i] == new, i]
        extreme = same >= sus[0, i] - 1e-9 if new else same <= sus[0, i] + 1e-9
        assert result.p[i] == pytest.approx(extreme.mean())
        assert result.dealt[i] == same.size - 1
        assert result.mean[i] == pytest.approx(same.mean())
        assert result.spread[i] == pytest.approx(same.std())
        assert result.excess[i] == pytest.approx(sus[0, i] - same.mean())
    sides = sus[1:][~deals[1:]], sus[1:][deals[1:]]  # the word as it is shows no chance
    for quantiles, side in zip(result.by_chance, sides, strict=True):
        assert np.allclose(quantiles, np.quantile(side, QUANTILES), atol=1e-9)


def test_a_new_sense_is_no_chance_and_its_usages_are_told():
    cost, is_new = usages([30, 0], [20, 10], spread=0.3)
    result = permute(cost, is_new, permutations=199)
    assert result.figures["change"].p <= 0.01
    assert result.figures["f_SUS"].p == result.floor == 1 / 200
    stable, gained = np.arange(30, 50), np.arange(50, 60)  # among the new ones
    assert np.median(result.p[gained]) <= 0.02
    assert np.median(result.p[stable]) > 0.9
    assert np.median(result.excess[gained]) > result.excess[stable].max()


def test_p_values_are_even_where_nothing_changed():
    words, usage_p = [], []
    for seed in range(150):
        cost, is_new = usages([8, 5], [8, 5], seed=seed)
        result = permute(cost, np.random.default_rng(seed).permutation(is_new),
                         permutations=39, seed=seed)  # fmt: skip
        words.append([null.p for null in result.figures.values()])
        usage_p.append(result.p[seed % is_new.size])
    for p in [*np.array(words).T, np.array(usage_p)]:
        low, high = binom.interval(0.9999, 150, 0.1)
        assert low <= (p <= 0.1).sum() <= high
        assert np.mean(p) == pytest.approx(0.51, abs=0.1)


def test_an_early_stop_changes_no_small_p():
    clear = usages([15, 0], [8, 7])
    whole = permute(*clear, permutations=250, early=False)
    assert permute(*clear, permutations=250).permutations == 250
    assert permute(*clear, permutations=250).figures["f_SUS"].p == whole.figures["f_SUS"].p
    unclear = usages([8, 7], [8, 7])
    stopped = permute(*unclear, permutations=250)
    assert stopped.permutations == 100
    assert stopped.figures["change"].p > 0.2
    assert permute(*unclear, permutations=250, early=False).permutations == 250


def test_the_same_whatever_the_threads():
    cost, is_new = usages([12, 4], [9, 9])
    one, two = (permute(cost, is_new, permutations=50, threads=n, seed=(1, 2)) for n in (1, 2))
    assert np.array_equal(one.p, two.p)
    assert np.array_equal(one.excess, two.excess)
    assert str(one) == str(two)
    assert not np.array_equal(one.mean, permute(cost, is_new, permutations=50, seed=(1, 3)).mean)


def test_documents_that_hang_together_are_no_change():
    """Documents have manners of their own: by usages that is change, by documents it is not."""
    rng = np.random.default_rng(0)
    by_usage, by_document = [], []
    for _ in range(40):
        documents = np.repeat(np.arange(12), 4)
        points = 1.0 + rng.normal(size=(12, 6))[documents] + 0.3 * rng.normal(size=(48, 6))
        units = points / np.linalg.norm(points, axis=1, keepdims=True)
        cost, is_new = np.maximum(1.0 - units @ units.T, 0.0), documents >= 6
        seed = int(rng.integers(2**30))
        by_usage.append(permute(cost, is_new, permutations=39, seed=seed))
        by_document.append(permute(cost, is_new, documents=documents, permutations=39, seed=seed))
    assert np.mean([result.figures["f_SUS"].p <= 0.05 for result in by_usage]) > 0.5
    assert np.mean([result.figures["f_SUS"].p <= 0.05 for result in by_document]) <= 0.15
    assert "6 + 6 documents" in str(by_document[0])


def test_too_few_documents_are_said():
    cost, is_new = usages([6], [6])
    result = permute(cost, is_new, documents=np.repeat(np.arange(4), 3), permutations=99)
    assert result.floor == pytest.approx(1 / 6)
    assert result.figures["f_SUS"].p > 0.05
    assert "too few documents: only 6 different deals" in str(result)


def test_of_very_many_usages_a_sample_is_dealt_and_said():
    cost, is_new = usages([60, 60], [20, 20])
    asked = []

    def some(rows):
        asked.append(rows)
        return cost[np.ix_(rows, rows)]

    result = permute(some, is_new, permutations=9, most=80, lam=160.0)
    assert result.sampled
    assert result.rows.size == result.p.size == 80
    assert np.array_equal(asked[0], result.rows)
    assert result.is_new.sum() == 20
    assert "a sample of 160" in str(result)
    rows, new = result.rows, result.is_new
    plain = permute(cost[np.ix_(rows, rows)], new, permutations=9, lam=80.0)
    assert plain.figures["f_SUS"].found == pytest.approx(result.figures["f_SUS"].found)
    assert np.array_equal(permute(cost, is_new, permutations=9, most=80, lam=160.0).p, result.p)


def test_one_usage_a_side_and_usages_that_are_all_alike():
    cost, is_new = usages([1], [1])
    assert permute(cost, is_new, permutations=9).figures["f_SUS"].p == 1.0
    same = permute(np.zeros((20, 20)), np.arange(20) >= 10, permutations=19)
    assert same.figures["f_SUS"].p == 1.0
    assert (same.p == 1.0).all()
    assert same.figures["change"].found == 0.0


def test_a_side_of_one_among_many_is_defined():
    cost, is_new = usages([1], [40])
    result = permute(cost, is_new, permutations=60, early=False)
    assert np.isfinite(result.p).all()
    assert np.isfinite(result.excess).all()
    assert (result.p >= 1 / (result.dealt + 1)).all()


def test_own_figures():
    cost, is_new = usages([5, 5], [5, 5])
    result = permute(cost, is_new, permutations=9, figures={"f": magnitude})
    assert list(result.figures) == ["f"]
    assert set(permute(cost, is_new, permutations=9).figures) == set(FIGURES)


def test_what_to_expect_beyond_chance_is_never_negative():
    rng = np.random.default_rng(0)
    dealt = rng.normal(5.0, 1.0, size=500)
    for found in (-40.0, 3.0, 5.0, 7.0, 40.0):
        null = Null(found, dealt)
        draws = rng.normal(null.centred, null.spread, size=200_000)
        if (draws > 0).any():  # a mean over what is possible
            assert null.beyond == pytest.approx(draws[draws > 0].mean(), rel=0.02, abs=0.01)
        assert null.beyond >= max(0.0, null.centred)
    assert Null(2.0, np.full(9, 2.0)).beyond == 0.0
    assert Null(3.0, np.full(9, 2.0)).beyond == 1.0
    assert np.isnan(Null(float("nan"), np.full(9, np.nan)).beyond)


def test_a_figure_that_is_not_known_has_no_p():
    assert np.isnan(Null(float("nan"), np.arange(3.0)).p)
    assert np.isnan(Null(float("nan"), np.arange(3.0)).p_either)
    assert Null(5.0, np.array([1.0, np.nan, 9.0])).p == pytest.approx(2 / 3)
    assert Null(-5.0, np.arange(19.0)).p_either == pytest.approx(2 / 20)


def test_a_period_without_usages_is_an_error():
    with pytest.raises(InputError, match="empty side"):
        permute(usages([3], [3])[0], np.ones(6, bool))


def test_no_permutations_are_an_error():
    with pytest.raises(InputError, match="at least 1"):
        permute(*usages([3], [3]), permutations=0)

import numpy as np
import pytest
from generated import usages

from senseshift.resampling import figures
from senseshift.resampling.figures import Deals
from senseshift.resampling.permutation import permute


def some_deals(deals=7, count=9, seed=0):
    rng = np.random.default_rng(seed)
    is_new = np.array([rng.permutation(np.arange(count) >= 4) for _ in range(deals)])
    pooled = rng.random((count, count))
    return Deals.of(rng.normal(size=(deals, count)), is_new, pooled + pooled.T)


def test_every_usage_is_measured_against_its_mean_on_the_side_it_is_on():
    deals = some_deals()
    for k, i in np.ndindex(deals.sus.shape):
        same = deals.sus[deals.is_new[:, i] == deals.is_new[k, i], i]
        assert deals.excess[k, i] == pytest.approx(deals.sus[k, i] - same.mean())


def test_what_is_matched_worse_counts_and_what_is_matched_better_does_not():
    deals = some_deals()
    for k, value in enumerate(figures.worse(deals)):
        new = deals.is_new[k]
        lost = np.maximum(-deals.excess[k, ~new], 0.0)
        gained = np.maximum(deals.excess[k, new], 0.0)
        assert value == pytest.approx(np.sqrt((np.mean(lost**2) + np.mean(gained**2)) / 2))


def test_in_parts_the_figures_are_the_same(monkeypatch):
    deals = some_deals(deals=25)
    whole = [figure(deals) for figure in figures.FIGURES.values()]
    monkeypatch.setattr(figures, "PART", 30)
    parts = list(deals.parts())
    assert len(parts) == 9
    for figure, expected in zip(figures.FIGURES.values(), whole, strict=True):
        assert np.allclose(np.concatenate([figure(part) for part in parts]), expected)


def test_change_is_what_chance_makes_where_nothing_changed_however_few_the_usages():
    rng = np.random.default_rng(0)
    for count in (6, 24):
        words = [usages([count, count], [count, count], seed=seed) for seed in range(40)]
        found = [
            permute(cost, rng.permutation(is_new), permutations=60, early=False)
            for cost, is_new in words
        ]
        centred = np.array([result.figures["change"].centred for result in found])
        assert abs(centred.mean()) < 3 * centred.std() / np.sqrt(len(words))


def test_change_grows_with_what_was_planted():
    def score(planted, seed):
        word = usages([30, 0], [30 - planted, planted], seed=seed, spread=0.3)
        return permute(*word, permutations=60).change

    scores = [np.mean([score(planted, seed) for seed in range(5)]) for planted in (0, 4, 10, 20)]
    assert np.all(np.diff(scores) > 0)

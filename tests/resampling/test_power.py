import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, fisher_exact

from senseshift.resampling.power import AGREEMENT, LEAST, at_best, detectable, few

sizes = st.integers(1, 200)


@given(sizes, sizes)
def test_it_is_a_share_and_the_same_for_both_directions(old, new):
    assert 0 < detectable(old, new) <= 1
    assert detectable(old, new) == detectable(new, old)


@given(sizes, sizes)
def test_more_usages_show_no_less(old, new):
    assert detectable(2 * old, 2 * new) <= detectable(old, new) + 1e-9


@pytest.mark.parametrize("size", [12, 30, 100])
def test_fishers_test_finds_it_as_often_as_said(size):
    share = at_best(size, size)
    found = sum(
        binom.pmf(k, size, share)
        for k in range(size + 1)
        if fisher_exact([[0, size], [k, size - k]], "less").pvalue <= 0.025
    )
    assert found == pytest.approx(0.8, abs=1e-6)


@given(sizes, sizes)
def test_induced_senses_show_less_than_known_ones(old, new):
    best = detectable(old, new, induced=False)
    assert best == at_best(old, new)
    assert detectable(old, new) >= min(1.0, best / AGREEMENT)
    assert detectable(old, new) >= LEAST > detectable(500, 500, induced=False)


def test_when_nothing_can_be_said():
    assert detectable(1, 1) == 1.0
    assert few(1, 150)
    assert few(5, 5)
    assert few(0, 40)
    assert not few(20, 20)
    assert not few(100, 100)

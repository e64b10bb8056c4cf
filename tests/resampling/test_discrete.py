"""What p an exact test can have, and the q that goes by it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, fisher_exact, hypergeom

from senseshift.errors import InputError
from senseshift.resampling import attainable, discrete_q_values, q_values


@st.composite
def tables(draw, most=60):
    """Counts of one sense and of all others, on both sides."""
    old, new = (draw(st.integers(1, most)) for _ in "ab")
    if draw(st.booleans()):  # as many on either side: then what is extreme is so twice
        new = old
    return draw(st.integers(0, old)), draw(st.integers(0, new)), old, new


def fisher(a, b, old, new):
    return fisher_exact([[a, b], [old - a, new - b]]).pvalue


def margins_of(several):
    return [(a + b, old, new) for a, b, old, new in several]


@given(tables(most=400))
def test_they_are_the_p_of_fishers_test_for_every_table_with_these_margins(table):
    a, b, old, new = table
    p, chance = attainable(a + b, old, new)
    on_old = np.arange(max(0, a + b - new), min(a + b, old) + 1)
    some = np.unique(np.linspace(0, on_old.size - 1, 12).astype(int))
    tests = [fisher(k, a + b - k, old, new) for k in on_old[some].tolist()]
    assert p[some] == pytest.approx(tests, rel=1e-9)
    assert chance == pytest.approx(hypergeom.pmf(on_old, old + new, old, a + b), rel=1e-8)


@given(tables())
def test_a_p_that_can_be_had_is_had_as_often_as_it_says(table):
    a, b, old, new = table
    p, chance = attainable(a + b, old, new)
    for value in p:
        assert chance[p <= value * (1 + 1e-9)].sum() == pytest.approx(value)


@pytest.mark.parametrize("margins", [(0, 5, 5), (10, 5, 5), (1, 0, 4)])
def test_margins_with_one_table_say_nothing(margins):
    assert [part.tolist() for part in attainable(*margins)] == [[1.0], [1.0]]


def plainly(p, several, exact):
    """The definition, word by word."""

    def chance(t, table, is_exact):
        if not is_exact:
            return t
        a, b, old, new = table
        every = range(max(0, a + b - new), min(a + b, old) + 1)
        return sum(
            hypergeom.pmf(k, old + new, old, a + b)
            for k in every
            if fisher(k, a + b - k, old, new) <= t * (1 + 1e-9)
        )

    ratio = {
        t: sum(chance(t, *of) for of in zip(several, exact, strict=True)) / sum(x <= t for x in p)
        for t in set(p)
    }
    return [min(1.0, *(value for t, value in ratio.items() if t >= x)) for x in p]


@given(st.lists(tables(most=15), min_size=1, max_size=8), st.data())
def test_q_is_what_its_definition_says(several, data):
    exact = data.draw(st.lists(st.booleans(), min_size=len(several), max_size=len(several)))
    p = [fisher(*of) if kind else 0.03 for of, kind in zip(several, exact, strict=True)]
    q = discrete_q_values(p, margins_of(several), exact)
    assert q == pytest.approx(plainly(p, several, exact))


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40))
def test_where_p_can_be_anything_it_is_that_of_benjamini_and_hochberg(p):
    q = discrete_q_values(p, np.ones((len(p), 3)), np.zeros(len(p)))
    assert q == pytest.approx(false_discovery_control(p))


@given(st.lists(tables(), min_size=1, max_size=30))
def test_it_is_never_above_that_of_benjamini_and_hochberg(several):
    p = [fisher(*of) for of in several]
    assert (discrete_q_values(p, margins_of(several)) <= q_values(p) + 1e-9).all()


def test_samples_that_can_show_nothing_take_nothing_from_the_others():
    """One usage a side has a p of 1 whatever it is: so the one test that can tell is alone."""
    told, hopeless = (0, 9, 20, 20), [(1, 0, 1, 1)] * 50
    p = [fisher(*of) for of in (told, *hopeless)]
    assert discrete_q_values(p, margins_of([told, *hopeless]))[0] == pytest.approx(p[0])
    assert q_values(p)[0] == pytest.approx(51 * p[0])


def test_what_is_not_known_stays_so_and_counts_in_nothing():
    p, margins = [0.01, np.nan, 0.5], [(6, 20, 20), (0, 0, 20), (3, 20, 20)]
    q = discrete_q_values(p, margins)
    assert np.isnan(q).tolist() == [False, True, False]
    assert q[[0, 2]] == pytest.approx(discrete_q_values([0.01, 0.5], [margins[0], margins[2]]))
    assert discrete_q_values([], np.empty((0, 3))).size == 0
    assert np.isnan(discrete_q_values([np.nan], [(0, 0, 0)])).all()


def test_margins_that_do_not_fit_are_said():
    with pytest.raises(InputError, match="three numbers for each p"):
        discrete_q_values([0.1, 0.2], [(1, 2, 3)])

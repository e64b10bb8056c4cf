import numpy as np
import pytest

import senseshift


@pytest.fixture
def gained():
    """A word whose second sense is new."""
    rng = np.random.default_rng(0)
    old = np.eye(8)[np.zeros(20, int)] + 0.05 * rng.normal(size=(20, 8))
    new = np.eye(8)[np.repeat([0, 1], 10)] + 0.05 * rng.normal(size=(20, 8))
    return senseshift.sus(old, new)


def test_usages_of_a_new_sense_rise(gained):
    assert gained.new[10:].min() > 0.2
    assert gained.new[:10].max() < gained.new[10:].min()
    assert gained.magnitude == pytest.approx(abs(gained.old.mean() - gained.new.mean()))
    assert gained.scope > 0


def test_top_and_bottom_are_the_ends_of_the_ranking(gained):
    top, bottom = gained.top(3), gained.bottom(3)
    both = np.concatenate((gained.old, gained.new))
    assert [u.sus for u in top] == sorted(both)[::-1][:3]
    assert [u.sus for u in bottom] == sorted(both)[::-1][-3:]
    assert all(u.period == "new" and u.index >= 10 for u in top)
    assert all(getattr(gained, u.period)[u.index] == u.sus for u in top + bottom)
    assert len(gained.top(1000)) == 40
    assert gained.bottom(0) == []


def test_it_prints_itself(gained):
    text = str(gained)
    assert "20 old and 20 new usages" in text
    assert "broadened" in text
    assert "certified" in text
    html = gained._repr_html_()
    assert html.startswith("<table>")
    assert "broadened" in html


def test_rho_or_the_papers_lambda():
    rng = np.random.default_rng(1)
    u, v = rng.normal(size=(2, 30, 5))
    assert senseshift.sus(u, v, 2.0).old == pytest.approx(
        senseshift.sus(u, v, lam=60.0).old, abs=1e-12
    )
    assert senseshift.sus(u, v).old == pytest.approx(senseshift.sus(u, v, rho=1.0).old)


def test_identical_sets_did_not_shift():
    x = np.random.default_rng(2).normal(size=(25, 7))
    shift = senseshift.sus(x, x[::-1])
    assert np.abs(shift.old).max() < 1e-12
    assert np.abs(shift.new).max() < 1e-12
    assert shift.magnitude == pytest.approx(0, abs=1e-12)
    assert shift.scope == 0.0
    assert "as it was" in str(shift)


def test_vectors_all_equal_did_not_shift():
    x = np.ones((6, 3))
    shift = senseshift.sus(x, 5 * x[:4])
    assert np.abs(np.concatenate((shift.old, shift.new))).max() < 1e-12
    assert shift.scope == 0.0


def test_one_usage_on_a_side():
    shift = senseshift.sus([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]])
    assert shift.old.shape == (1,)
    assert shift.new[1] > 0 > shift.new[0]
    assert np.isnan(shift.scope)
    assert "needs two usages" in str(shift)
    alone = senseshift.sus([[1.0, 0.0]], [[0.0, 1.0]])
    assert alone.magnitude == pytest.approx(1.0)  # half a unit of mass moves at cost 1


def test_only_one_side_varies():
    shift = senseshift.sus([[1.0, 0.0]] * 3, [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    assert shift.scope == np.inf
    assert "only the new usages vary" in str(shift)

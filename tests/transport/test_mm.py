import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift import transport
from senseshift.errors import UncertifiedWarning
from senseshift.transport.mm import iterate
from senseshift.transport.problem import pose


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6), st.integers(1, 25), st.integers(1, 25), st.floats(0, 3), st.floats(0, 3)
)
@pytest.mark.parametrize("penalty", ["l2", "kl"])
def test_the_plan_is_that_of_pot(penalty, seed, m, n, first, second):
    rng = np.random.default_rng(seed)
    cost, a, b = rng.random((m, n)), rng.random(m) + 0.1, rng.random(n) + 0.1
    lam = 10**first, 10**second
    plan, _ = iterate(pose(cost, a, b, lam=lam), penalty)
    theirs = ot.unbalanced.mm_unbalanced(a, b, cost, lam, div=penalty)
    assert plan == pytest.approx(theirs, abs=1e-12)


def test_on_real_costs_it_is_that_of_pot_and_its_error_is_shown(dwug_costs):
    cost = dwug_costs["record_nn"]
    a, b = (np.full(k, 1 / k) for k in cost.shape)
    with pytest.warns(UncertifiedWarning, match="1000 iterations"):
        result = transport.solve(cost, lam=100, method="mm")
    theirs = ot.unbalanced.mm_unbalanced(a, b, cost, 100, div="l2")
    assert result.dense() == pytest.approx(theirs, abs=1e-12)
    assert not result.converged
    exact = transport.solve(cost, lam=100)
    off = max(abs(result.sus_old - exact.sus_old).max(), abs(result.sus_new - exact.sus_new).max())
    assert 1e-4 < off <= result.sus_error
    assert result.objective >= exact.objective
    assert result.objective - exact.objective <= result.gap


@pytest.mark.filterwarnings("ignore::senseshift.errors.UncertifiedWarning")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12), st.floats(-1, 2))
@pytest.mark.parametrize("penalty", ["l2", "kl"])
def test_the_error_bound_holds(penalty, seed, m, n, exponent):
    """Against the same iteration run a hundred times as long."""
    rng = np.random.default_rng(seed)
    cost, lam = rng.random((m, n)), 10**exponent
    a, b = (np.full(k, 1 / k) for k in (m, n))
    result = transport.solve(cost, lam=lam, method="mm", penalty=penalty)
    far = ot.unbalanced.mm_unbalanced(a, b, cost, lam, div=penalty, numItermax=20_000)
    bound = result.sus_error + 1e-9
    assert np.abs(result.sus_old - (far.sum(1) / a - 1)).max() <= bound
    assert np.abs(result.sus_new - (1 - far.sum(0) / b)).max() <= bound
    assert result.gap >= -1e-12


def test_kl_takes_rho_for_lambda():
    cost = np.random.default_rng(1).random((5, 7))
    with pytest.warns(UncertifiedWarning):
        by_rho = transport.solve(cost, rho=2.0, method="mm", penalty="kl")
    with pytest.warns(UncertifiedWarning):
        by_lam = transport.solve(cost, lam=2.0, method="mm", penalty="kl")
    assert (by_rho.dense() == by_lam.dense()).all()


def test_it_can_converge():
    result = transport.solve([[0.2]], rho=1.0, method="mm")
    assert result.converged
    assert result.pivots < 1000
    assert result.sus_old == pytest.approx(transport.solve([[0.2]]).sus_old, abs=1e-6)


def test_float32_costs_are_iterated_in_double():
    cost = np.random.default_rng(2).random((6, 4)).astype(np.float32)
    plan, _ = iterate(pose(cost), "l2")
    assert plan.dtype == np.float64

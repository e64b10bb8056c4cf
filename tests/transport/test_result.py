import dataclasses

import numpy as np
import pytest
from scipy.sparse import issparse

from senseshift import transport


@pytest.fixture(scope="module")
def result():
    return transport.solve(np.random.default_rng(0).random((7, 5)), rho=0.5)


def test_the_plan_comes_sparse_and_dense(result):
    assert issparse(result.plan)
    assert result.plan.shape == result.shape == (7, 5)
    assert (result.plan.toarray() == result.dense()).all()
    assert result.plan.nnz <= 7 + 5 - 1
    assert result.dense().sum(1) == pytest.approx(result.old_mass)


def test_cost_and_objective_are_those_of_the_plan(result):
    cost = np.random.default_rng(0).random((7, 5))
    assert result.cost == pytest.approx((cost * result.dense()).sum())
    penalty = (
        0.5 / 2 * ((result.a * result.sus_old**2).sum() + (result.b * result.sus_new**2).sum())
    )
    assert result.objective == pytest.approx(result.cost + penalty)


def test_it_is_frozen(result):
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.cost = 0.0


def test_it_prints_what_a_reader_wants_to_know(result):
    text = str(result)
    assert text == repr(result)
    assert "7 old to 5 new usages, exact, certified" in text
    assert f"{result.cost:.6g}" in text
    assert "SUS error  ≤" in text

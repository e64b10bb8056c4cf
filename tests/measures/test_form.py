import numpy as np
import pytest
from scipy.spatial.distance import cdist, cosine

from senseshift.measures import Comparison, f_apd, f_prt, measure
from senseshift.vectors import unit


def test_distances_follow_the_formula():
    rng = np.random.default_rng(0)
    old, new = rng.normal(size=(20, 6)) + 1, rng.normal(size=(30, 6)) + 0.5
    assert f_apd(unit(old, "old"), unit(new, "new")) == pytest.approx(
        cdist(old, new, "cosine").mean()
    )
    assert f_prt(old, new) == pytest.approx(cosine(old.mean(0), new.mean(0)))


def test_a_cost_matrix_suffices_for_the_average_distance():
    cost = np.random.default_rng(1).random((4, 6))
    assert measure(Comparison.from_cost(cost), ["f_APD"])["f_APD"] == pytest.approx(cost.mean())


def test_means_that_cancel_are_at_distance_one():
    assert f_prt(np.array([[1.0, 0], [-1, 0]]), np.array([[1.0, 0]])) == 1.0

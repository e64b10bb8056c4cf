"""The certificate must never promise more than is true."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba import njit
from rationals import sus_in_rationals

from senseshift import transport
from senseshift.transport._certificate import certify
from senseshift.transport._forest import NOBODY, enter, plant, settle_all
from senseshift.transport._simplex import climb
from senseshift.transport.problem import pose


@njit
def one_arc(cost, weight, slack):
    """Let only the cheapest arc enter; what is certified then?"""
    rows, columns = cost.shape
    forest = plant(weight, slack, rows)
    i, j = cost.argmin() // columns, cost.argmin() % columns
    if forest.potential[i] + forest.potential[rows + j] > cost[i, j]:
        enter(forest, i, rows + j, cost[i, j], 0.0)
    settle_all(forest)
    gap, perturbation, error = certify(cost, forest)
    return forest.potential, forest.flow[forest.parent != NOBODY].sum(), gap, perturbation, error


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 15), st.integers(2, 15), st.floats(-2, 2))
def test_the_gap_of_a_plan_that_is_not_optimal_bounds_its_distance(seed, m, n, exponent):
    """Stop after one arc: the gap must cover what the rest would still have gained."""
    cost = np.random.default_rng(seed).random((m, n))
    problem = pose(cost, rho=10**exponent)
    weight, slack = problem.weight, problem.slack

    def objective(mass, carried):
        return carried + ((mass - weight) ** 2 / (2 * slack)).sum()

    potential, flow, gap, perturbation, bound = one_arc(cost, weight, slack)
    mass = weight - slack * potential
    here = objective(mass, flow * cost.min())
    best = climb(cost, weight, slack, np.ones(1))
    optimum = objective(best.mass[0], best.figures[0, 0])
    assert here - optimum <= gap + perturbation + 1e-12
    assert gap >= 0
    error = np.abs(potential - best.potential[0]) * slack / weight
    assert (error <= np.sqrt(2 * gap * slack) / weight + 1e-9).all()
    assert error.max() <= bound + 1e-12


def test_the_gap_of_an_optimal_plan_is_far_below_double_precision():
    cost = np.random.default_rng(1).random((80, 90))
    problem = pose(cost, rho=1.0)
    solved = climb(cost, problem.weight, problem.slack, np.ones(1))
    assert 0 <= solved.figures[0, 2] < 1e-28


def test_repeated_usages_stay_certified_at_size():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(40, 16))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    old, new = points[rng.integers(0, 40, 1500)], points[rng.integers(0, 40, 1500)]
    problem = pose(1 - old @ new.T, rho=1.0)
    solved = climb(problem.cost, problem.weight, problem.slack, np.ones(1))
    assert solved.figures[0, 3] == pytest.approx(0, abs=1e-8)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1))
@example(2183)  # exceeded before potentials and sums were doubted
@example(6855)
@example(8725)
def test_no_error_is_above_its_bound(seed):
    """Penalties of both sides of any ratio, against the optimum in rational numbers."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 11, 2)
    cost = rng.random(rng.integers(1, m * n + 1))  # few or many different ones
    cost = cost[rng.integers(0, cost.size, (m, n))] * 10.0 ** rng.choice([0, -6, 6])
    spread = rng.choice([0, 0, 1, 6])
    a, b = (10.0 ** rng.uniform(-spread, 0, k) / k for k in (m, n))
    lam = tuple(max(m, n) * cost.mean() * 10.0 ** rng.uniform(-3, 5, 2))
    result = transport.solve(cost, a, b, lam=lam)
    exact = sus_in_rationals(
        cost,
        [*a, *b],
        [Fraction(lam[0])] * m + [Fraction(lam[1])] * n,
        zip(result.arcs.rows.tolist(), result.arcs.columns.tolist(), strict=True),
    )
    ours = [Fraction(float(x)) for x in (*result.sus_old, *result.sus_new)]
    error = max(abs(x - y) for x, y in zip(ours, exact, strict=True))
    assert error <= result.sus_error <= 1e-6

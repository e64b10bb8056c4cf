import os
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import ot
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from senseshift import transport
from senseshift.errors import InputError, UncertifiedWarning
from support import sus_by_quadratic_program

GRID = [10, 20, 50, 100, 200, 500, 1000]


def uniform(count):
    return np.full(count, 1 / count)


@st.composite
def problems(draw):
    """Problems of any kind: ties, duplicates, extreme penalties, weights of any total."""
    m, n = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["generic", "ties", "equal", "duplicates", "negative", "zero"]))
    if kind == "generic":
        cost = rng.random((m, n))
    elif kind == "ties":
        cost = rng.integers(0, 4, (m, n)).astype(float)
    elif kind == "equal":
        cost = np.full((m, n), rng.random())
    elif kind == "duplicates":
        points = rng.normal(size=(max(min(m, n) // 2, 1), 4))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        old, new = points[rng.integers(0, len(points), m)], points[rng.integers(0, len(points), n)]
        cost = 1 - old @ new.T
    elif kind == "negative":
        cost = rng.normal(size=(m, n))
    else:
        cost = np.zeros((m, n))
    cost = cost * 10.0 ** draw(st.sampled_from([0, 0, 0, -6, 6]))
    if draw(st.booleans()):
        cost = cost.astype(np.float32)
    a = b = None
    if draw(st.booleans()):
        a, b = rng.random(m) + 0.01, rng.random(n) + 0.01
        if draw(st.booleans()):
            a, b = a / a.sum(), b / b.sum()
    scale = float(np.abs(cost).mean()) or 1.0
    exponent = st.floats(-3, 5)
    if draw(st.booleans()):
        penalty = {"rho": scale * 10 ** draw(exponent)}
    else:
        penalty = {"lam": tuple(max(m, n) * scale * 10 ** draw(exponent) for _ in range(2))}
    return cost, a, b, penalty


@settings(max_examples=300, deadline=None)
@given(problems())
def test_every_solution_meets_the_optimality_conditions(problem):
    cost, a, b, penalty = problem
    result = transport.solve(cost, a, b, **penalty)
    m, n = cost.shape
    a = uniform(m) if a is None else a
    b = uniform(n) if b is None else b
    if "rho" in penalty:
        old_penalty, new_penalty = penalty["rho"] / a, penalty["rho"] / b
    else:
        old_penalty, new_penalty = (
            np.full(k, lam) for k, lam in zip((m, n), penalty["lam"], strict=True)
        )
    plan = result.dense()
    room = cost - result.f[:, None] - result.g
    tolerance = 1e-11 * max(np.abs(cost).max(), np.abs(result.f).max(), np.abs(result.g).max())
    tolerance += 1e-14 * min((old_penalty * a).max(), (new_penalty * b).max())
    assert (plan >= 0).all()
    assert room.min() >= -tolerance  # dual feasible
    assert np.abs(room[plan > 0]).max(initial=0) <= tolerance  # tight where mass flows
    assert result.old_mass == pytest.approx(plan.sum(1), abs=1e-14, rel=1e-12)
    assert result.new_mass == pytest.approx(plan.sum(0), abs=1e-14, rel=1e-12)
    most = max(a.max(), b.max(), result.old_mass.max(), result.new_mass.max())
    assert result.old_mass == pytest.approx(a - result.f / old_penalty, abs=1e-12 * most)
    assert result.new_mass == pytest.approx(b - result.g / new_penalty, abs=1e-12 * most)
    assert result.sus_old == pytest.approx(-result.f / (old_penalty * a), abs=1e-12, rel=1e-12)
    assert result.sus_new == pytest.approx(result.g / (new_penalty * b), abs=1e-12, rel=1e-12)
    assert result.sus_old.min() >= -1
    assert result.sus_new.max() <= 1
    assert result.converged
    assert result.sus_error <= 1e-6


@settings(max_examples=100, deadline=None)
@given(problems())
def test_with_equal_mass_the_shifts_add_up_to_nothing(problem):
    cost, _, _, penalty = problem
    result = transport.solve(cost, rho=penalty.get("rho", 1.0))
    largest = max(1, np.abs(result.sus_old).max(), np.abs(result.sus_new).max())
    assert result.sus_old.mean() + result.sus_new.mean() == pytest.approx(0, abs=1e-12 * largest)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
@example(7)
@example(98)
def test_few_against_many_need_few_pivots(seed):
    """Ties, stiff penalties and weights over eight orders: flows that rounding could swallow."""
    rng = np.random.default_rng(seed)
    few, many = rng.integers(1, 5), int(600 ** rng.uniform(0.5, 1))
    cost = rng.random(rng.integers(1, 6))
    cost = cost[rng.integers(0, cost.size, (few, many))]
    a, b = (10.0 ** rng.uniform(-8, 0, k) for k in (few, many))
    rho = 10.0 ** rng.uniform(-2, 5)
    result = transport.solve(cost, a, b, rho=rho)
    turned = transport.solve(cost.T, b, a, rho=rho)
    assert max(result.pivots, turned.pivots) <= 5 * (few + many) + 50
    error = result.sus_error + turned.sus_error
    assert result.sus_old == pytest.approx(-turned.sus_new, abs=error)
    assert result.sus_new == pytest.approx(-turned.sus_old, abs=error)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 14),
    st.integers(2, 14),
    st.floats(-1, 3),
    st.floats(-1, 3),
)
def test_generated_costs_agree_with_a_quadratic_program(seed, m, n, first, second):
    rng = np.random.default_rng(seed)
    cost, a, b = rng.random((m, n)), rng.random(m) + 0.1, rng.random(n) + 0.1
    penalties = 10**first, 10**second
    result = transport.solve(cost, a, b, lam=penalties)
    old, new = sus_by_quadratic_program(cost, a, b, *penalties)
    assert result.sus_old == pytest.approx(old, abs=1e-8)
    assert result.sus_new == pytest.approx(new, abs=1e-8)


@pytest.mark.parametrize("word", ["record_nn", "ball_nn", "graft_nn", "risk_nn"])
@pytest.mark.parametrize("lam", [10, 100, 1000])
def test_real_costs_agree_with_a_quadratic_program(dwug_costs, word, lam):
    cost = dwug_costs[word]
    m, n = cost.shape
    result = transport.solve(cost, lam=lam)
    old, new = sus_by_quadratic_program(cost, uniform(m), uniform(n), lam, lam)
    assert result.sus_old == pytest.approx(old, abs=1e-8)
    assert result.sus_new == pytest.approx(new, abs=1e-8)


def test_all_real_words_are_certified(dwug_costs):
    for cost in dwug_costs.values():
        for result in transport.path(cost, lams=GRID):
            assert result.converged
            assert result.sus_error <= 1e-12


def test_published_iteration_run_long_comes_to_our_solution():
    rng = np.random.default_rng(3)
    cost = rng.random((8, 9))
    plan = ot.unbalanced.mm_unbalanced(
        uniform(8), uniform(9), cost, 10, div="l2", numItermax=300_000
    )
    result = transport.solve(cost, lam=10)
    assert result.old_mass == pytest.approx(plan.sum(1), abs=1e-6)
    assert result.new_mass == pytest.approx(plan.sum(0), abs=1e-6)
    assert result.cost == pytest.approx((plan * cost).sum(), abs=1e-5)


def test_rho_is_lambda_times_weight():
    cost = np.random.default_rng(0).random((20, 20))
    by_rho, by_lam = transport.solve(cost, rho=2.0), transport.solve(cost, lam=40.0)
    assert by_rho.sus_old == pytest.approx(by_lam.sus_old, abs=1e-13)
    assert transport.solve(cost).sus_old == pytest.approx(transport.solve(cost, lam=20).sus_old)


def test_usages_said_twice_change_nothing_under_rho():
    cost = np.random.default_rng(4).random((12, 15))
    twice = np.repeat(np.repeat(cost, 2, axis=0), 3, axis=1)
    once = transport.solve(cost, rho=0.3)
    assert transport.solve(twice, rho=0.3).sus_old[::2] == pytest.approx(once.sus_old, abs=1e-10)
    assert transport.solve(twice, rho=0.3).sus_new[::3] == pytest.approx(once.sus_new, abs=1e-10)
    softer = transport.solve(twice, lam=12.0).sus_old[::2]
    assert np.abs(softer - transport.solve(cost, lam=12.0).sus_old).max() > 0.05


def test_rho_is_free_of_size():
    """The same two distributions give the same magnitude at any number of usages."""

    def magnitude(n, seed, **penalty):
        rng = np.random.default_rng(seed)
        senses = np.eye(3)[:2]
        old, new = (senses[(rng.random(n) < share).astype(int)] for share in (0.2, 0.7))
        old, new = (x + 0.1 * rng.normal(size=x.shape) for x in (old, new))
        old, new = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (old, new))
        result = transport.solve(1 - old @ new.T, **penalty)
        return abs(result.sus_old.mean() - result.sus_new.mean())

    sizes = [50, 100, 200, 400, 800]
    by_rho = [np.mean([magnitude(n, s, rho=1.0) for s in range(12)]) for n in sizes]
    by_lam = [np.mean([magnitude(n, s, lam=100.0) for s in range(4)]) for n in sizes]
    assert max(by_rho) / min(by_rho) < 1.1
    assert max(by_lam) / min(by_lam) > 2  # which is why it is the default


@settings(max_examples=50, deadline=None)
@given(problems(), st.integers(0, 10**6))
def test_the_order_of_usages_does_not_matter(problem, seed):
    cost, a, b, penalty = problem
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(cost.shape[0]), rng.permutation(cost.shape[1])
    result = transport.solve(cost, a, b, **penalty)
    mixed = transport.solve(
        cost[rows][:, columns],
        None if a is None else a[rows], None if b is None else b[columns], **penalty,
    )  # fmt: skip
    assert mixed.sus_old == pytest.approx(result.sus_old[rows], abs=1e-8, rel=1e-8)
    assert mixed.sus_new == pytest.approx(result.sus_new[columns], abs=1e-8, rel=1e-8)


def test_float32_costs_are_solved_as_they_are():
    cost = np.random.default_rng(5).random((60, 70)).astype(np.float32)
    result, doubled = transport.solve(cost), transport.solve(cost.astype(np.float64))
    assert result.sus_old == pytest.approx(doubled.sus_old, abs=1e-12)


def test_cost_arrays_of_any_layout_give_the_same():
    cost = np.random.default_rng(6).random((30, 20))
    expected = transport.solve(cost).sus_old
    assert transport.solve(np.asfortranarray(cost)).sus_old == pytest.approx(expected, abs=1e-13)
    assert transport.solve(cost.tolist()).sus_old == pytest.approx(expected, abs=1e-13)
    assert transport.solve(np.repeat(cost, 2, axis=1)[:, ::2]).sus_old == pytest.approx(
        expected, abs=1e-13
    )


def test_a_path_is_what_single_solves_give_in_the_order_asked_for(dwug_costs):
    cost = dwug_costs["record_nn"]
    lams = [100, 10, 1000, 10]
    for lam, result in zip(lams, transport.path(cost, lams=lams), strict=True):
        alone = transport.solve(cost, lam=lam)
        assert result.sus_old == pytest.approx(alone.sus_old, abs=1e-12)
        assert result.objective == pytest.approx(alone.objective, rel=1e-12)
    rhos = [0.1, 5.0]
    for rho, result in zip(rhos, transport.path(cost, rhos=rhos), strict=True):
        assert result.sus_new == pytest.approx(transport.solve(cost, rho=rho).sus_new, abs=1e-12)


@pytest.mark.parametrize("threads", [1, 2, None])
def test_splits_are_what_single_solves_give(threads):
    rng = np.random.default_rng(7)
    points = rng.normal(size=(30, 5))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    pooled = 1 - points @ points.T
    weights = rng.random(30) + 0.5
    is_new = rng.random((25, 30)) < 0.4
    for penalty in ({"rho": 0.7}, {"lam": 20.0}, {"lam": (5.0, 50.0)}):
        for given_weights in (None, weights):
            splits = transport.solve_many(pooled, is_new, given_weights, threads=threads, **penalty)
            shares = np.ones(30) if given_weights is None else weights
            for k, side in enumerate(is_new):
                a, b = shares[~side] / shares[~side].sum(), shares[side] / shares[side].sum()
                alone = transport.solve(pooled[~side][:, side], a, b, **penalty)
                assert splits.sus[k, ~side] == pytest.approx(alone.sus_old, abs=1e-12)
                assert splits.sus[k, side] == pytest.approx(alone.sus_new, abs=1e-12)
                assert splits.cost[k] == pytest.approx(alone.cost, rel=1e-12)
                assert splits.magnitude[k] == pytest.approx(
                    abs(alone.sus_old.mean() - alone.sus_new.mean())
                )
    assert splits.converged.all()
    assert "25 splits of 30 usages, all certified" in str(splits)


@settings(max_examples=100, deadline=None)
@given(problems())
def test_balanced_transport_agrees_with_emd(problem):
    cost = np.abs(problem[0]).astype(np.float64)  # emd fails on some negative costs
    m, n = cost.shape
    rng = np.random.default_rng(m * n)
    random_a, random_b = (x / x.sum() for x in (rng.random(m) + 0.01, rng.random(n) + 0.01))
    for a, b in ((uniform(m), uniform(n)), (random_a, random_b)):
        result = transport.solve(cost, a, b, method="balanced")
        exact = ot.emd2(a, b, cost, numItermax=10**6)
        assert result.cost == pytest.approx(exact, abs=1e-8 * max(np.abs(cost).max(), 1e-300))
        assert result.old_mass == pytest.approx(a, rel=1e-9)
        assert result.new_mass == pytest.approx(b, rel=1e-9)
        assert not result.sus_old.any()
        assert result.converged


def test_balanced_transport_of_all_real_words(dwug_costs):
    for cost in dwug_costs.values():
        a, b = uniform(cost.shape[0]), uniform(cost.shape[1])
        result = transport.solve(cost, method="balanced")
        assert result.cost == pytest.approx(ot.emd2(a, b, cost), abs=1e-8)
        assert result.gap <= 1e-12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cost": np.zeros((0, 3))}, "empty side"),
        ({"cost": np.zeros(3)}, "must be a matrix"),
        ({"cost": [["a", "b"]]}, "must hold numbers"),
        ({"cost": [[0.0, np.nan]]}, "row 0, column 1 is nan"),
        ({"cost": [[0.0], [np.inf]]}, "row 1, column 0 is inf"),
        ({"cost": [[1.0]], "a": [-1.0]}, r"a\[0\] is -1.0"),
        ({"cost": [[1.0]], "b": [0.0]}, r"b\[0\] is 0.0"),
        ({"cost": [[1.0]], "a": [1.0, 1.0]}, "give 1 weights"),
        ({"cost": [[1.0]], "lam": 0.0}, "must be positive"),
        ({"cost": [[1.0]], "lam": -3.0}, "must be positive"),
        ({"cost": [[1.0]], "rho": np.inf}, "must be positive"),
        ({"cost": [[1.0]], "rho": "much"}, "must be a number"),
        ({"cost": [[1.0]], "rho": 1.0, "lam": 1.0}, "Both rho=1.0 and lam=1.0"),
        ({"cost": [[1.0]], "lam": (1.0, 2.0, 3.0)}, "a pair"),
        ({"cost": [[1.0]], "method": "simplex"}, "not one of exact, mm, balanced"),
        ({"cost": [[1.0]], "penalty": "kl"}, "method='mm' only"),
        ({"cost": [[1.0]], "method": "mm", "penalty": "l1"}, "not one of l2, kl"),
        ({"cost": [[1.0]], "method": "balanced", "rho": 1.0}, "has no penalty"),
        ({"cost": [[1.0]], "method": "balanced", "a": [2.0]}, "equal total weights"),
    ],
)
def test_bad_input_is_told_in_a_sentence(arguments, message):
    with pytest.raises(InputError, match=message) as caught:
        transport.solve(**arguments)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: transport.path([[1.0]]), "rhos or as lams"),
        (lambda: transport.path([[1.0]], rhos=[1], lams=[1]), "rhos or as lams"),
        (lambda: transport.path([[1.0]], rhos=[]), "empty"),
        (lambda: transport.path([[1.0]], lams=[1.0, -1.0]), "must be positive"),
        (lambda: transport.solve_many(np.ones((2, 3)), [[True, False]]), "square"),
        (
            lambda: transport.solve_many(np.ones((2, 2)), [[True, True]]),
            "Split 0 has an empty side",
        ),
        (lambda: transport.solve_many(np.ones((2, 2)), [[0, 1]]), "booleans"),
        (
            lambda: transport.solve_many(np.ones((2, 2)), [[True, False]], threads=0),
            "threads is 0",
        ),
        (lambda: transport.solve_many(np.ones((2, 2)), [[True, False, True]]), "booleans"),
    ],
)
def test_bad_grids_and_splits_are_told_in_a_sentence(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_no_splits_give_no_results():
    assert len(transport.solve_many(np.ones((2, 2)), np.zeros((0, 2), bool))) == 0


def test_what_cannot_be_certified_is_said_by_how_much():
    # Weights and penalties over so many orders that doubles cannot hold the answer to 1e-6.
    rng = np.random.default_rng(0)
    a, b = 10.0 ** rng.uniform(-9, 0, 60), 10.0 ** rng.uniform(-9, 0, 60)
    with pytest.warns(UncertifiedWarning, match=r"off by up to \d\.\de[-+]\d\d") as caught:
        result = transport.solve(rng.random((60, 60)), a, b, lam=(1e9, 1e-3))
    assert not result.converged
    assert result.sus_error > 1e-6
    assert caught[0].filename == __file__


def test_a_search_that_the_guard_stops_says_so():
    """No input is known that needs it, so the guard is drawn near, in plain Python."""
    code = """
import numpy as np, warnings
from senseshift import transport
from senseshift.transport import _simplex
_simplex.VISITS = 0.01
cost = np.random.default_rng(0).random((30, 30))
with warnings.catch_warnings(record=True) as caught:
    result = transport.solve(cost, rho=5.0)
_simplex.VISITS = 100.0
whole = transport.solve(cost, rho=5.0)
assert whole.converged and not result.converged and 0 < result.pivots < whole.pivots
assert np.abs(result.sus_old - whole.sus_old).max() <= result.sus_error
print(caught[0].message)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "stopped after" in done.stdout
    assert "pivots without an end, is not certified" in done.stdout


def test_the_first_solve_ever_says_that_it_compiles_and_the_next_process_does_not(tmp_path):
    code = (
        "from senseshift import transport; transport.solve([[0.1, 0.2]]); transport.solve([[0.3]])"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def run():
        return subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )

    first, second = run(), run()
    assert first.stderr.count("Compiling the transport solver") == 1
    assert second.stderr == ""
    assert first.stdout == second.stdout == ""


@pytest.mark.parametrize("threads", [1, 3])
def test_no_more_threads_solve_than_are_asked_for(monkeypatch, threads):
    from senseshift.transport import _simplex

    solvers, solve_splits = set(), _simplex.climb_splits

    def watched(*arguments):
        if len(arguments[2]):
            solvers.add(threading.get_ident())
            time.sleep(0.01)  # so that every thread gets its turn
        solve_splits(*arguments)

    pooled, is_new = np.random.default_rng(8).random((6, 6)), np.tile(np.arange(6) < 3, (24, 1))
    monkeypatch.setattr(_simplex, "climb_splits", watched)
    transport.solve_many(pooled, is_new, threads=threads)
    assert len(solvers) == threads
    assert (threading.get_ident() in solvers) == (threads == 1)


def test_threads_may_solve_at_once():
    costs = [np.random.default_rng(s).random((40, 30)) for s in range(24)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(transport.solve, costs))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for cost, result in zip(costs, together, strict=True):
            assert (transport.solve(cost).sus_old == result.sus_old).all()

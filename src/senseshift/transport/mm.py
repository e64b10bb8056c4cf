"""The published solver: majorisation–minimisation (Chapel et al. 2021), as POT computes it.

It is here to reproduce published figures and to compare with; after its usual 1,000 iterations it
is not converged, which ``sus_error`` shows.  Both penalties that POT has are known: the
half-squared L2 of the paper and the Kullback–Leibler divergence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from senseshift.transport.problem import Problem
from senseshift.transport.result import CERTIFIED, Arcs, Transport

Floats = NDArray[np.float64]

ITERATIONS = 1000
STOP = 1e-15
ZERO = 1e-16  # keeps an empty row from dividing by zero
LEAST = 1e-300  # the least mass whose logarithm is taken


def iterate(problem: Problem, penalty: str) -> tuple[Floats, int]:
    """The plan after at most 1,000 iterations, and how many there were."""
    cost = problem.cost.astype(np.float64, copy=False)
    a, b = problem.a[:, None], problem.b[None, :]
    old, new = problem.old_penalty[:, None], problem.new_penalty[None, :]
    if penalty == "l2":
        kernel = np.maximum(old * a + new * b - cost, 0.0)
    else:
        share = old / (old + new)
        kernel = a**share * b ** (1.0 - share) * np.exp(-cost / (old + new))
    plan: Floats = a * b
    iteration = 0
    while iteration < ITERATIONS:
        iteration += 1
        before = plan
        rows, columns = plan.sum(axis=1, keepdims=True), plan.sum(axis=0, keepdims=True)
        if penalty == "l2":
            reached = old * rows + new * columns
        else:
            reached = rows**share * columns ** (1.0 - share)
        plan = kernel * plan / (reached + ZERO)
        if np.linalg.norm(plan - before) < STOP:
            break
    return plan, iteration


def solve_mm(problem: Problem, penalty: str) -> Transport:
    """Run the iteration and certify what it reached."""
    plan, iterations = iterate(problem, penalty)
    a, b, old, new = problem.a, problem.b, problem.old_penalty, problem.new_penalty
    old_mass, new_mass = plan.sum(axis=1), plan.sum(axis=0)
    side = _l2_side if penalty == "l2" else _kl_side
    f, old_value = side(old_mass, a, old, None)
    g, new_value = side(new_mass, b, new, None)
    f = np.minimum(f, (problem.cost - g).min(axis=1))
    # f is the least of C − g up to rounding, which must not make the gap negative
    gap = float((plan * np.maximum(problem.cost - f[:, None] - g, 0.0)).sum())
    gap += side(old_mass, a, old, f)[1] + side(new_mass, b, new, g)[1]
    error = _l2_error if penalty == "l2" else _kl_error
    sus_error = max(error(gap, old_mass, a, old), error(gap, new_mass, b, new))
    cost = float((problem.cost * plan).sum())
    rows, columns = np.nonzero(plan)
    return Transport(
        a=a, b=b, old_mass=old_mass, new_mass=new_mass, f=f, g=g,
        sus_old=old_mass / a - 1.0, sus_new=1.0 - new_mass / b,
        cost=cost, objective=cost + old_value + new_value, gap=gap, sus_error=sus_error,
        converged=iterations < ITERATIONS and sus_error <= CERTIFIED,
        pivots=iterations, method="mm", arcs=Arcs(rows, columns, plan[rows, columns]),
    )  # fmt: skip


def _l2_side(
    mass: Floats, weight: Floats, penalty: Floats, potential: Floats | None
) -> tuple[Floats, float]:
    """The potential that belongs to a mass and the penalty's value.

    Given another potential, the second is what is lost by it: value + mass·potential − dual value,
    never negative.
    """
    own = penalty * (weight - mass)
    if potential is None:
        return own, float((penalty / 2.0 * (mass - weight) ** 2).sum())
    return own, float(((own - potential) ** 2 / (2.0 * penalty)).sum())


def _kl_side(
    mass: Floats, weight: Floats, penalty: Floats, potential: Floats | None
) -> tuple[Floats, float]:
    """As :func:`_l2_side`, for the penalty λ·KL(mass | weight)."""
    held = np.maximum(mass, LEAST)
    own = penalty * np.log(weight / held)
    value = penalty * (weight - mass) - mass * own
    if potential is None:
        return own, float(value.sum())
    dual = penalty * weight * -np.expm1(-potential / penalty)
    return own, float(np.maximum(value + mass * potential - dual, 0.0).sum())


def _l2_error(gap: float, mass: Floats, weight: Floats, penalty: Floats) -> float:
    return float((np.sqrt(2.0 * gap / penalty) / weight).max())


def _kl_error(gap: float, mass: Floats, weight: Floats, penalty: Floats) -> float:
    # gap/λ ≥ KL(mass | optimal mass) ≥ δ²/(2·mass + 2δ) for a mass that is off by δ
    loss = gap / penalty
    return float(((loss + np.sqrt(loss * (loss + 2.0 * mass))) / weight).max())

"""``solve``, ``path`` and ``solve_many``: from a cost matrix to certified transports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.transport.mm import solve_mm
from senseshift.transport.problem import Penalty, Problem, as_cost, as_penalties, as_weights, pose
from senseshift.transport.result import CERTIFIED, Arcs, Splits, Transport, warn_uncertified

if TYPE_CHECKING:
    from senseshift.transport._simplex import Solved

Floats = NDArray[np.float64]
Method = Literal["exact", "mm", "balanced"]

BALANCED_STIFFNESS = 100.0  # relative penalty of the balanced solve's rounds, in mean costs


def solve(
    cost: ArrayLike,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    *,
    rho: float | None = None,
    lam: Penalty | None = None,
    method: Method = "exact",
    penalty: Literal["l2", "kl"] = "l2",
) -> Transport:
    """Solve one transport problem.

    Minimises ``<C,T> + Σ λ_i/2 (x_i − a_i)² + Σ λ_j/2 (y_j − b_j)²`` over plans T ≥ 0 with
    marginals x = T1 and y = Tᵀ1.

    Parameters
    ----------
    cost
        Costs between m old and n new usages, float32 or float64.
    a, b
        Positive weights; 1/m and 1/n by default.  Their totals need not agree.
    rho
        Relative penalty ρ: λ_i = ρ/a_i and λ_j = ρ/b_j.  In units of the cost; 1 by default.
    lam
        Instead of ``rho``: the paper's raw penalty λ, or a pair (λ₁, λ₂).
    method
        ``exact``: network simplex, certified.  ``mm``: majorisation-minimisation with 1,000
        iterations, as published.  ``balanced``: standard optimal transport, no penalty.
    penalty
        ``l2``, or ``kl`` with ``method="mm"``: λ·KL(x | a) + λ·KL(y | b), where ρ stands for λ.

    Examples
    --------
    >>> from senseshift import transport
    >>> result = transport.solve([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], rho=1.0)
    >>> result.sus_old.round(3)
    array([ 0.167,  0.167, -0.833])
    >>> result.sus_new.round(3)
    array([0.167, 0.167])
    """
    if method not in ("exact", "mm", "balanced"):
        raise InputError(f"The method {method!r} is not one of exact, mm, balanced.")
    if penalty not in ("l2", "kl"):
        raise InputError(f"The penalty {penalty!r} is not one of l2, kl.")
    if penalty == "kl" and method != "mm":
        raise InputError("The penalty kl is solved by method='mm' only.")
    if method == "balanced":
        if rho is not None or lam is not None:
            raise InputError("Balanced transport has no penalty: leave rho and lam out.")
        return _balanced(cost, a, b)
    problem = pose(cost, a, b, rho=rho, lam=lam)
    if method == "exact":
        return _exact(problem, np.ones(1))[0]
    if penalty == "kl":
        # KL is relative to the weights by itself: ρ takes the place of λ.
        first, second = as_penalties(rho, lam)[1:] if lam is not None else (rho or 1.0,) * 2
        problem = pose(cost, a, b, lam=(first, second))
    result = solve_mm(problem, penalty)
    if not result.converged:
        warn_uncertified(result.sus_error, f"Transport by {result.pivots} iterations of mm", 2)
    return result


def path(
    cost: ArrayLike,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    *,
    rhos: Sequence[float] | None = None,
    lams: Sequence[float] | None = None,
) -> list[Transport]:
    """Solve for a whole grid of penalties, each from the plan of the next smaller one.

    Give either ``rhos`` or ``lams``; the transports come in the order of the grid.
    """
    if (rhos is None) == (lams is None):
        raise InputError("Give the grid as rhos or as lams, and not both.")
    grid = [as_penalties(rho, None)[0] for rho in rhos] if rhos is not None else []
    grid += [as_penalties(None, lam)[1] for lam in lams] if lams is not None else []
    if not grid:
        raise InputError("The grid of penalties is empty: give at least one.")
    values = np.array(grid)
    ascending = np.argsort(values)
    least = float(values[ascending[0]])
    problem = pose(cost, a, b, **({"rho": least} if rhos is not None else {"lam": least}))
    solved = _exact(problem, least / values[ascending])
    places = np.empty(values.size, int)
    places[ascending] = np.arange(values.size)
    return [solved[place] for place in places]


def solve_many(
    pooled: ArrayLike,
    splits: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    rho: float | None = None,
    lam: Penalty | None = None,
    threads: int | None = None,
) -> Splits:
    """Solve many old/new splits of one pooled distance matrix, in parallel threads.

    Parameters
    ----------
    pooled
        Square matrix of the distances between all usages.
    splits
        One row for each split, one boolean for each usage: whether it counts as new.
    weights
        Positive weights of the usages, uniform by default.  Each side's are made to sum to 1.
    rho, lam
        As in :func:`solve`.
    threads
        How many solve at once: as many as there are processors by default.  With 1 the calling
        thread does it all, so that a caller with threads of its own adds none to them.
    """
    matrix = as_cost(pooled)
    count = matrix.shape[0]
    if matrix.shape[1] != count:
        raise InputError(f"The pooled distances must be square, not of shape {matrix.shape}.")
    sides = np.asarray(splits)
    if sides.dtype != np.bool_ or sides.ndim != 2 or sides.shape[1] != count:
        raise InputError(
            f"The splits must be booleans of shape (splits, {count}), "
            f"not {sides.dtype} of shape {sides.shape}."
        )
    new_counts = sides.sum(axis=1)
    lopsided = np.flatnonzero((new_counts == 0) | (new_counts == count))
    if lopsided.size:
        raise InputError(f"Split {lopsided[0]} has an empty side: both need at least one usage.")
    if threads is not None and threads < 1:
        raise InputError(f"threads is {threads}: at least one thread must do the work.")
    relative, first, second = as_penalties(rho, lam)
    shares = as_weights(weights, "weights", count)
    sus, figures = np.empty(sides.shape), np.empty((sides.shape[0], 5))
    workers = min(threads or os.cpu_count() or 1, max(sides.shape[0], 1))

    from senseshift.transport._simplex import climb_splits

    def run(part: slice) -> None:
        climb_splits(
            matrix, shares, sides[part], relative or 0.0, first, second, sus[part], figures[part]
        )

    if workers == 1:
        run(slice(None))
    else:
        run(slice(0, 0))  # loads or compiles the kernel once, outside the threads
        edges = np.linspace(0, sides.shape[0], 4 * workers + 1).astype(int)
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(run, map(slice, edges[:-1], edges[1:])))
    cost, _, gap, sus_error, steps = figures.T.copy()
    converged = (steps >= 0) & (sus_error <= CERTIFIED)
    if not converged.all():
        worst = float(sus_error.max())
        warn_uncertified(worst, f"{(~converged).sum()} of {converged.size} splits", 2)
    return Splits(sus, sides, cost, gap, sus_error, converged, np.abs(steps).astype(np.int64))


def _exact(problem: Problem, softness: Floats) -> list[Transport]:
    from senseshift.transport import _simplex as simplex

    solved = simplex.climb(problem.cost, problem.weight, problem.slack, softness)
    results = []
    for k in range(softness.size):
        cost, lost, gap, sus_error, steps = solved.figures[k].tolist()
        result = Transport(
            **_sides(problem, solved, k),
            cost=cost, objective=cost + lost, gap=gap, sus_error=sus_error,
            converged=steps >= 0 and sus_error <= CERTIFIED,
            pivots=abs(int(steps)), method="exact",
        )  # fmt: skip
        if not result.converged:
            warn_uncertified(sus_error, _subject("Transport", steps), 3)
        results.append(result)
    return results


def _balanced(cost: ArrayLike, a: ArrayLike | None, b: ArrayLike | None) -> Transport:
    from senseshift.transport import _simplex as simplex

    matrix = as_cost(cost)
    mean = float(np.abs(matrix).mean(dtype=np.float64))
    problem = pose(matrix, a, b, rho=BALANCED_STIFFNESS * mean or 1.0)
    old_total, new_total = problem.a.sum(), problem.b.sum()
    if abs(old_total - new_total) > 1e-12 * old_total:
        raise InputError(
            f"Balanced transport needs equal total weights, but they are {old_total} "
            f"and {new_total}: rescale one side or use method='exact'."
        )
    solved = simplex.balance(matrix, problem.weight, problem.slack)
    sides = _sides(problem, solved, 0)
    moved, _, gap, _, steps = solved.figures[0].tolist()
    missed = solved.mass[0] - problem.weight
    gap += abs(float(missed @ solved.potential[0]))
    sus_error = float(np.abs(missed / problem.weight).max())
    sides["sus_old"], sides["sus_new"] = np.zeros_like(problem.a), np.zeros_like(problem.b)
    result = Transport(
        **sides,
        cost=moved, objective=moved, gap=gap, sus_error=sus_error,
        converged=steps >= 0 and sus_error <= CERTIFIED and gap <= 1e-8 * (mean * old_total or 1.0),
        pivots=abs(int(steps)), method="balanced",
    )  # fmt: skip
    if not result.converged:
        warn_uncertified(sus_error, _subject("Balanced transport", steps), 3)
    return result


def _subject(name: str, steps: float) -> str:
    """What is not certified, and whether the guard stopped it (see ``_simplex``)."""
    return name if steps >= 0 else f"{name}, stopped after {-steps:,.0f} pivots without an end,"


def _sides(problem: Problem, solved: Solved, k: int) -> dict[str, Any]:
    """What the result of solve ``k`` says of each usage and each arc."""
    m, arcs = problem.a.size, solved.arcs[k]
    return {
        "a": problem.a,
        "b": problem.b,
        "old_mass": solved.mass[k, :m],
        "new_mass": solved.mass[k, m:],
        "f": solved.potential[k, :m],
        "g": solved.potential[k, m:],
        "sus_old": solved.sus[k, :m],
        "sus_new": solved.sus[k, m:],
        "arcs": Arcs(
            solved.arc_row[k, :arcs], solved.arc_column[k, :arcs], solved.arc_mass[k, :arcs]
        ),
    }

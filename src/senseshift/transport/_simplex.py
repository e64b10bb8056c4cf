"""The exact solver: a network simplex with quadratic slack at the nodes.

The forest is always optimal among the plans it can carry, so the plan is optimal as soon as no arc
is violated, that is ``f_i + g_j ≤ C_ij`` everywhere.  While one is, it enters.  Every entry lowers
the objective strictly, so the search ends.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from senseshift.transport._certificate import certify
from senseshift.transport._compiled import (
    BARE,
    ENTRY,
    INNER,
    ONCE,
    Floats,
    Ints,
    digest_of_sources,
    kept,
)
from senseshift.transport._forest import NOBODY, enter, plant, rounding, settle_all, turn

BLOCK = 256
FALL = 0.15  # the pricing threshold, in worst violations
STIFF = 12.0  # ratio of the penalties to the costs from which on softer problems are solved first
SOFTEN = 4.0  # how much softer each of them is
SAMPLED_ROWS = 32  # enough to know the scale of the costs, on which only speed depends
ROUNDING = 1e-15  # of SUS itself, given exact potentials
MULTIPLIER_ROUNDS = 100
# A guard against rounding at extremes, far above what any input has needed: how many nodes a solve
# may visit, in squares of their number, and how many arcs are priced in the time of one visit.
VISITS = 100.0
PRICED_IN_A_VISIT = 16.0


@njit(**BARE)
def _most_violated(costs, column_potentials, limit):
    """The column with the smallest ``cost − potential`` below ``limit``, or NOBODY.

    Counting is vectorised by the compiler and finding a smallest entry is not, so whole blocks
    are passed over by a count.
    """
    best = NOBODY
    for start in range(0, costs.size, BLOCK):
        block = costs[start : start + BLOCK]
        block_potentials = column_potentials[start : start + BLOCK]
        hits = 0
        for k in range(block.size):
            hits += block[k] - block_potentials[k] < limit
        if hits:
            for k in range(block.size):
                if block[k] - block_potentials[k] < limit:
                    limit = block[k] - block_potentials[k]
                    best = start + k
    return best


@njit(**BARE)
def _worst_violation(costs, potential, tolerance):
    """The largest ``f_i + g_j − C_ij`` above the tolerance, or 0."""
    rows = costs.shape[0]
    worst = 0.0
    for i in range(rows):
        j = _most_violated(costs[i], potential[rows:], potential[i] - max(worst, tolerance))
        if j != NOBODY:
            worst = potential[i] + potential[rows + j] - costs[i, j]
    return worst


@njit(**BARE)
def _sweep(costs, forest, threshold):
    """Go once through the rows; each one's worst arc enters if violated beyond the threshold."""
    rows, potential = forest.rows, forest.potential
    pivots = 0
    for i in range(rows):
        j = _most_violated(costs[i], potential[rows:], potential[i] - threshold)
        if j != NOBODY:
            node, mass = rows + j, 0.0
            if forest.root[i] == forest.root[node]:
                mass = turn(forest, i, node)
            enter(forest, i, node, float(costs[i, j]), mass)
            pivots += 1
    return pivots


@njit(**BARE)
def _exhausted(forest):
    """Whether the guard stops the search."""
    nodes = float(forest.weight.size)
    return forest.work[0] > VISITS * (nodes + 100.0) ** 2


@njit(**ONCE)
def _optimise(costs, forest, allowed):
    """Enter violated arcs, the worst ones first, until none is beyond ``allowed`` and rounding.

    Returns the number of pivots.
    """
    pivots, pivots_when_settled = 0, 0
    while not _exhausted(forest):
        tolerance = allowed + rounding(forest)
        worst = _worst_violation(costs, forest.potential, tolerance)
        if worst > 0.0:
            threshold = max(FALL * worst, tolerance)
            entered = 1
            while entered and not _exhausted(forest):
                entered = _sweep(costs, forest, threshold)
                forest.work[0] += costs.size / PRICED_IN_A_VISIT
                pivots += entered
        elif pivots == pivots_when_settled:
            break
        else:
            # Pivots update potentials and flows, and rounding adds up.  Made anew from the arcs
            # they are exact, and if nothing is violated then, nothing is.
            settle_all(forest)
            pivots_when_settled = pivots
    return pivots


@njit(**BARE)
def _scales(costs):
    """The mean absolute cost and the mean of the rows' smallest costs, over a few rows."""
    rows, columns = costs.shape
    stride = (rows + SAMPLED_ROWS - 1) // SAMPLED_ROWS
    total, smallest, sampled = 0.0, 0.0, 0
    for i in range(0, rows, stride):
        row, least = 0.0, np.inf
        for j in range(columns):
            cost = float(costs[i, j])
            row += abs(cost)
            least = min(least, cost)
        total += row / columns
        smallest += least
        sampled += 1
    return total / sampled, smallest / sampled


@njit(**ONCE)
def _rungs(weight, slack, rows, mean_cost, near_cost):
    """How many softer problems to solve first, where the penalties are stiff against the costs.

    From no plan at all a stiff problem wanders through plans it will not keep; the plan of a
    softer one, solved loosely, is a good start.
    """
    lone = weight / slack
    stiffness = lone[:rows].mean() + lone[rows:].mean()
    bottom = STIFF * max(near_cost, 1e-3 * mean_cost)
    rungs = 0
    while bottom > 0.0 and stiffness > bottom * SOFTEN**rungs:
        rungs += 1
    return rungs


@njit(**ONCE)
def _solve_rung(costs, forest, slack, rung, mean_cost):
    """Solve from the plan there is: to full precision, or loosely on a rung below 0."""
    forest.slack[:] = slack * SOFTEN ** max(-rung, 0)
    settle_all(forest)
    loose = 0.1 * mean_cost * SOFTEN ** (0.5 * rung) if rung < 0 else 0.0
    return _optimise(costs, forest, loose)


class Solved(NamedTuple):
    """What solves leave behind; one row for each."""

    potential: Floats
    sus: Floats
    mass: Floats
    arcs: Ints  # how many entries of the three below are in use
    arc_row: Ints
    arc_column: Ints
    arc_mass: Floats
    figures: Floats  # the columns COST … STEPS; steps are negative where the guard stopped them


COST, LOST, GAP, SUS_ERROR, STEPS = range(5)


@njit(**ONCE)
def _sheet(solves, nodes):
    """Room for the results of so many solves."""
    return Solved(
        np.empty((solves, nodes)),
        np.empty((solves, nodes)),
        np.zeros((solves, nodes)),
        np.zeros(solves, np.int32),
        np.empty((solves, nodes), np.int32),
        np.empty((solves, nodes), np.int32),
        np.empty((solves, nodes)),
        np.zeros((solves, 5)),
    )


@njit(**ONCE)
def _write(solved, k, costs, forest, steps):
    """Certify the forest and write it down as solve ``k``."""
    rows, figures = forest.rows, solved.figures[k]
    gap, perturbation, error = certify(costs, forest)
    mass = solved.mass[k]
    count, cost, lost, moved, largest = 0, 0.0, 0.0, 0.0, 1.0
    for v in range(mass.size):
        u = forest.parent[v]
        if u != NOBODY:
            solved.arc_row[k, count] = min(u, v)
            solved.arc_column[k, count] = max(u, v) - rows
            solved.arc_mass[k, count] = forest.flow[v]
            count += 1
            moved += forest.flow[v]
            cost += forest.flow[v] * forest.arc_cost[v]
            mass[u] += forest.flow[v]
            mass[v] += forest.flow[v]
        p, slack = forest.potential[v], forest.slack[v]
        shift = p * slack / forest.weight[v]
        # What rounding could carry past the bounds that hold for exact SUS is cut off.
        solved.sus[k, v] = max(-shift, -1.0) if v < rows else min(shift, 1.0)
        solved.potential[k, v] = p
        lost += p * p * slack / 2.0
        largest = max(largest, abs(shift))
    solved.arcs[k] = count
    figures[COST], figures[LOST] = cost, lost
    figures[GAP] = gap + perturbation * moved
    figures[SUS_ERROR] = error + ROUNDING * largest
    figures[STEPS] = -steps if _exhausted(forest) else steps


@njit(**ONCE)
def _climb(costs, weight, slack, softness):
    """Solve for ``slack · softness[k]`` for each k in turn, each from the plan of the one before.

    ``softness`` falls, so the grid is solved from the softest penalty to the stiffest.
    """
    rows, grid = costs.shape[0], softness.size
    mean_cost, near_cost = _scales(costs)
    solved = _sheet(grid, weight.size)
    forest = plant(weight, slack, rows)
    steps = 0
    for k in range(-_rungs(weight, slack * softness[0], rows, mean_cost, near_cost), grid):
        steps += _solve_rung(costs, forest, slack * softness[max(k, 0)], k, mean_cost)
        if k >= 0:
            _write(solved, k, costs, forest, steps)
            steps, forest.work[0] = 0, 0.0
    return solved


@njit(**INNER)
def _reach(costs, potential, direction):
    """How far potentials can go in a direction until the first arc is tight; 0 if none will be."""
    rows, columns = costs.shape
    reach, noise = np.inf, 1e-12 * np.abs(direction).max()
    for i in range(rows):
        for j in range(columns):
            speed = direction[i] + direction[rows + j]
            room = costs[i, j] - potential[i] - potential[rows + j]
            if speed > noise and room < reach * speed:
                reach = max(room, 0.0) / speed
    return reach if reach < np.inf else 0.0


@njit(**ONCE)
def _balance(costs, weight, slack):
    """Balanced transport by the method of multipliers: the weights are raised by what was missed.

    Each round is a warm solve; like every proximal method on a linear program it ends after
    finitely many, here mostly two or three.  The mass written down is that of the plan; SUS and
    the gap are those of the last round.
    """
    rows = costs.shape[0]
    mean_cost, near_cost = _scales(costs)
    solved = _sheet(1, weight.size)
    forest = plant(weight.copy(), slack, rows)
    earlier = np.zeros(weight.size)
    missed, steps = np.inf, 0
    for k in range(-_rungs(weight, slack, rows, mean_cost, near_cost), MULTIPLIER_ROUNDS):
        pivots = _solve_rung(costs, forest, slack, k, mean_cost)
        steps += pivots
        if k >= 0:
            before = missed
            mass = forest.weight - slack * forest.potential
            missed = (np.abs(mass - weight) / weight).max()
            if _exhausted(forest) or missed <= 1e-13 or before <= missed <= 1e-10:
                break
            multipliers = forest.potential.copy()
            if pivots == 0:  # the next rounds would go on like this one: go on at once
                multipliers += _reach(costs, multipliers, multipliers - earlier) * (
                    multipliers - earlier
                )
            earlier = forest.potential.copy()
            forest.weight[:] = weight + slack * multipliers
    _write(solved, 0, costs, forest, steps)
    return solved


@njit(**ONCE)
def _climb_splits(pooled, weight, is_new, rho, old_penalty, new_penalty, sus, figures):
    """Solve one old/new split of a pooled distance matrix for each row of ``is_new``.

    ``rho`` is the relative penalty, or 0 where the raw penalties are meant.
    """
    for k in range(is_new.shape[0]):
        old = np.flatnonzero(~is_new[k])
        new = np.flatnonzero(is_new[k])
        rows = old.size
        costs = np.empty((rows, new.size), pooled.dtype)
        for i in range(rows):
            for j in range(new.size):
                costs[i, j] = pooled[np.uintp(old[i]), np.uintp(new[j])]
        shares = np.concatenate((weight[old] / weight[old].sum(), weight[new] / weight[new].sum()))
        slack = shares / rho
        if rho == 0.0:
            slack[:rows] = 1.0 / old_penalty
            slack[rows:] = 1.0 / new_penalty
        solved = _climb(costs, shares, slack, np.ones(1))
        for i in range(rows):
            sus[k, old[i]] = solved.sus[0, i]
        for j in range(new.size):
            sus[k, new[j]] = solved.sus[0, rows + j]
        figures[k] = solved.figures[0]


def _doors(sources):
    """The kernels that Python calls, cached on disk.

    Numba renews a cached kernel when its own file changes, not when a file it draws on does.  What
    a function closes over is part of the cache's key; so these close over all the sources.
    """

    @njit(**ENTRY)
    def climb(costs, weight, slack, softness):
        _ = sources
        return _climb(costs, weight, slack, softness)

    @njit(**ENTRY)
    def balance(costs, weight, slack):
        _ = sources
        return _balance(costs, weight, slack)

    @njit(**ENTRY)
    def climb_splits(pooled, weight, is_new, rho, old_penalty, new_penalty, sus, figures):
        _ = sources
        _climb_splits(pooled, weight, is_new, rho, old_penalty, new_penalty, sus, figures)

    return kept(climb), kept(balance), kept(climb_splits)


climb, balance, climb_splits = _doors(digest_of_sources())

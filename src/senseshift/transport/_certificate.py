"""The proof that comes with a solution: how far it can be from the optimum.

Where ``f_i + g_j ≤ C_ij`` holds everywhere, primal minus dual objective is

    Σ T_ij (C_ij − f_i − g_j) + Σ λ/2 (mass − weight + potential/λ)²  over all arcs and nodes,

a sum of non-negative terms.  The objective is λ-strongly convex in each node's mass, so this gap
bounds the error of every SUS.  In double precision it would not fall below 1e-16, because
potentials cannot be tight on all arcs of a tree at once; so each is kept here as a sum of two
doubles.

Where usages repeat, costs that should be equal differ in their last digit, and arcs stay violated
by that much.  Such a violation is taken as a perturbation of the costs, whose effect is bounded
too; a violation beyond rounding is mended by lowering the row's potential, which opens the gap.
"""

import numpy as np
from numba import njit

from senseshift.transport._compiled import INNER
from senseshift.transport._forest import NOBODY, rounding

BLOCK = 256
DOUBT = 4.5e-16  # two units in the last place


@njit(**INNER)
def _difference(x, y):
    """``x − y`` as its rounded value and what the rounding lost (Knuth's two-sum)."""
    high = x - y
    shadow = high - x
    return high, (x - (high - shadow)) - (y + shadow)


@njit(**INNER)
def _rests(forest):
    """Make the potentials anew from their tree's root, and return what doubles lose of each."""
    potential, rest = forest.potential, np.zeros(forest.weight.size)
    for root in range(rest.size):
        if forest.parent[root] == NOBODY:
            start = forest.place[root]
            for k in range(start + 1, start + forest.size[root]):
                v = forest.arena[k]
                u = forest.parent[v]
                high, low = _difference(forest.arc_cost[v], potential[u])
                potential[v] = high + (low - rest[u])
                rest[v] = (high - potential[v]) + (low - rest[u])
    return rest


@njit(**INNER)
def _room(cost, potential, rest, i, node):
    """``C_ij − f_i − g_j`` to twice the digits of a double."""
    high, low = _difference(cost, potential[i])
    return (high - potential[node]) + (low - rest[i] - rest[node])


@njit(**INNER)
def _violations(costs, potential, rest):
    """By how much each row's worst arc is violated."""
    rows, columns = costs.shape
    column_potentials = potential[rows:]
    near = 1e-12 * np.abs(potential).max()
    worst = np.zeros(rows)
    for i in range(rows):
        limit = potential[i] + near
        for start in range(0, columns, BLOCK):
            block = costs[i, start : start + BLOCK]
            block_potentials = column_potentials[start : start + BLOCK]
            hits = 0
            for k in range(block.size):
                hits += block[k] - block_potentials[k] < limit
            if hits:
                for k in range(block.size):
                    if block[k] - block_potentials[k] < limit:
                        room = _room(float(block[k]), potential, rest, i, rows + start + k)
                        worst[i] = max(worst[i], -room)
    return worst


@njit(**INNER)
def certify(costs, forest):
    """The gap of a forest, the perturbation of the costs for which it holds, the error of SUS.

    Lowers the row potentials where that is needed.
    """
    rows = forest.rows
    weight, slack, potential, flow = forest.weight, forest.slack, forest.potential, forest.flow
    rest = _rests(forest)
    lowered = _violations(costs, potential, rest)
    harmless = rounding(forest)
    perturbation = 0.0
    for i in range(rows):
        if lowered[i] <= harmless:
            perturbation = max(perturbation, lowered[i])
            lowered[i] = 0.0
    on_arcs, at_nodes, missed = 0.0, 0.0, 0.0  # the gap's two sums, and all that nodes miss
    sharpness, leverage = 0.0, 0.0
    mass, mass_rest = np.zeros(weight.size), np.zeros(weight.size)
    for v in range(mass.size):
        u = forest.parent[v]
        if u != NOBODY:
            i = min(u, v)
            room = _room(forest.arc_cost[v], potential, rest, i, max(u, v))
            on_arcs += flow[v] * max(room + lowered[i], 0.0)
            for end in (i, max(u, v)):
                mass[end], low = _difference(mass[end], -flow[v])
                mass_rest[end] += low
    for i in range(rows):
        potential[i] -= lowered[i]
    for v in range(mass.size):
        given = slack[v] * potential[v]
        miss = abs((mass[v] - weight[v] + given) + mass_rest[v])
        # Slacks and this very sum are rounded.  Where one side's penalty is far stiffer than the
        # other's, a miss too small to be seen there is large here.
        miss += DOUBT * (weight[v] + abs(given))
        at_nodes += miss * miss / (2.0 * slack[v])
        missed += miss
        sharpness = max(sharpness, slack[v] / weight[v] ** 2)
        leverage = max(leverage, slack[v] / weight[v])
    gap = on_arcs + at_nodes
    # What is missed can be counted as gap or as a change of the weights, of which each node takes
    # up no more than all (a tree shares it out by slack); the one or the other bounds closer.
    error = min(
        np.sqrt(2.0 * gap * sharpness),
        np.sqrt(2.0 * on_arcs * sharpness) + missed / weight.min(),
    )
    # A potential is a mean of sums of costs along paths of at most 2·min(m, n) arcs (see settle),
    # so that is how much more than the costs it can move.
    error += 4.0 * min(costs.shape) * perturbation * leverage
    return gap, perturbation, error

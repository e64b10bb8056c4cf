"""The proof that comes with a solution: how far its objective can be from the optimum.

Row potentials are lowered until ``f_i + g_j ≤ C_ij`` holds everywhere.  Then primal minus dual is

    Σ T_ij (C_ij − f_i − g_j) + Σ λ/2 (mass − weight + potential/λ)²  over all arcs and nodes,

a sum of non-negative terms.  In double precision the first sum would not fall below 1e-16, because
potentials cannot be tight on all arcs of a tree at once; so each is kept here as a sum of two
doubles.  The objective is λ-strongly convex in each node's mass, so a gap bounds every SUS.
"""

import numpy as np
from numba import njit

from senseshift.transport._compiled import KERNEL
from senseshift.transport._forest import NOBODY

BLOCK = 256


@njit(**KERNEL)
def _difference(x, y):
    """``x − y`` as its rounded value and what the rounding lost (Knuth's two-sum)."""
    high = x - y
    shadow = high - x
    return high, (x - (high - shadow)) - (y + shadow)


@njit(**KERNEL)
def _rests(forest):
    """What double precision loses of each potential, given the potential of its tree's root."""
    rest = np.zeros(forest.weight.size)
    for root in range(rest.size):
        if forest.parent[root] == NOBODY:
            start = forest.place[root]
            for k in range(start + 1, start + forest.size[root]):
                v = forest.arena[k]
                u = forest.parent[v]
                high, low = _difference(forest.arc_cost[v], forest.potential[u])
                rest[v] = (high - forest.potential[v]) + (low - rest[u])
    return rest


@njit(**KERNEL)
def _room(cost, potential, rest, i, node):
    """``C_ij − f_i − g_j`` to twice the digits of a double."""
    high, low = _difference(cost, potential[i])
    return (high - potential[node]) + (low - rest[i] - rest[node])


@njit(**KERNEL)
def _excess(costs, potential, rest):
    """By how much each row's potential must fall to be feasible."""
    rows, columns = costs.shape
    column_potentials = potential[rows:]
    near = 1e-12 * (np.abs(potential[:rows]).max() + np.abs(column_potentials).max())
    excess = np.zeros(rows)
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
                        excess[i] = max(excess[i], -room)
    return excess


@njit(**KERNEL)
def certify(costs, forest):
    """The gap of a settled forest.  Lowers its row potentials to be feasible."""
    rows = forest.rows
    potential, flow = forest.potential, forest.flow
    rest = _rests(forest)
    excess = _excess(costs, potential, rest)
    gap = 0.0
    mass = np.zeros(forest.weight.size)
    for v in range(mass.size):
        u = forest.parent[v]
        if u != NOBODY:
            i = min(u, v)
            room = _room(forest.arc_cost[v], potential, rest, i, max(u, v))
            gap += flow[v] * max(room + excess[i], 0.0)
            mass[u] += flow[v]
            mass[v] += flow[v]
    for i in range(rows):
        potential[i] -= excess[i]
    for v in range(mass.size):
        miss = mass[v] - forest.weight[v] + forest.slack[v] * potential[v]
        gap += miss * miss / (2.0 * forest.slack[v])
    return gap

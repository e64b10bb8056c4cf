"""The forest that carries the mass: data structure and the moves that keep it optimal on itself.

Every flow of the plan lies on an arc between an old usage (a row) and a new usage (a column), and
the arcs that carry flow form a forest.  Nodes are numbered 0…m−1 for rows and m…m+n−1 for columns.
A tree is *settled* when potentials are tight on its arcs (``f_i + g_j = C_ij``) and every node
obeys ``mass = weight − slack · potential``, where ``slack = 1/λ`` of the node.

Each tree is kept as its preorder in one stretch of an arena, so that a subtree is a slice, moving
it is a copy, and every sweep over a tree is a loop over consecutive memory.  ``give[v]`` is the
total slack below ``v``: how much mass the subtree takes up per unit of potential.  With it a
change of flow on one arc is known on all arcs of the tree at once, without walking it.

The kernels run under Numba.  Indices are cast to ``uintp`` in the hot loops because Numba
otherwise tests each of them for being negative.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from senseshift.transport._compiled import BARE, INNER, Floats, Ints

NOBODY = -1


class Forest(NamedTuple):
    """The state of a solve; all arrays have one entry a node unless said otherwise."""

    rows: int
    weight: Floats
    slack: Floats
    potential: Floats
    parent: Ints  # NOBODY at a root
    arc_cost: Floats  # of the arc to the parent, as the flow
    flow: Floats
    size: Ints  # of the subtree
    give: Floats  # slack of the subtree
    root: Ints
    place: Ints  # where the node stands in the arena
    arena: Ints  # the preorders of all trees, with dead stretches between them
    arena_end: Ints  # one entry
    spare: Ints
    waiting: Ints
    target: Floats
    below: Floats  # zero between calls
    work: Floats  # one entry: how many nodes pivots and settling have visited


@njit(**INNER)
def plant(weight, slack, rows):
    """A forest of lone nodes: no mass is transported."""
    nodes = weight.size
    arena = np.empty(8 * nodes, np.int32)
    for v in range(nodes):
        arena[v] = v
    return Forest(
        rows,
        weight,
        slack.copy(),
        weight / slack,
        np.full(nodes, NOBODY, np.int32),
        np.zeros(nodes),
        np.zeros(nodes),
        np.ones(nodes, np.int32),
        slack.copy(),
        arena[:nodes].copy(),
        arena[:nodes].copy(),
        arena,
        np.full(1, nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes),
        np.zeros(nodes),
        np.zeros(1),
    )


@njit(**BARE)
def _reserve(forest, length):
    """A free stretch of the arena; the living trees are moved together when it is full."""
    arena, spare = forest.arena, forest.spare
    if forest.arena_end[0] + length > arena.size:
        end = 0
        for v in range(forest.weight.size):
            if forest.parent[v] == NOBODY:
                start = forest.place[v]
                for k in range(start, start + forest.size[v]):
                    spare[end] = arena[k]
                    end += 1
        for k in range(end):
            arena[k] = spare[k]
            forest.place[spare[k]] = k
        forest.arena_end[0] = end
    start = np.int64(forest.arena_end[0])
    forest.arena_end[0] = start + length
    return start


@njit(**BARE)
def _reroot(forest, top, start):
    """Write the tree of ``top`` into the arena at ``start`` as a tree that hangs from ``top``.

    Walking up from ``top``, each ancestor becomes a child of the node before it and brings along
    what stood before and after the slice already copied.
    """
    arena, place, size, give = forest.arena, forest.place, forest.size, forest.give
    parent, arc_cost, flow = forest.parent, forest.arc_cost, forest.flow
    old_root = forest.root[top]
    all_size, all_give = size[old_root], give[old_root]
    v, below = top, NOBODY
    low = high = place[top]
    cost_below, flow_below = 0.0, 0.0
    size_below, give_below = 0, 0.0
    end = start
    while v != NOBODY:
        first, last = place[v], place[v] + size[v]
        for k in range(first, low):
            arena[end] = arena[k]
            end += 1
        for k in range(high, last):
            arena[end] = arena[k]
            end += 1
        low, high = first, last
        v_size, v_give, v_parent, v_cost, v_flow = size[v], give[v], parent[v], arc_cost[v], flow[v]
        size[v], give[v] = all_size - size_below, all_give - give_below
        parent[v], arc_cost[v], flow[v] = below, cost_below, flow_below
        size_below, give_below, cost_below, flow_below = v_size, v_give, v_cost, v_flow
        below, v = v, v_parent
    for k in range(np.uintp(start), np.uintp(end)):
        v = np.uintp(arena[k])
        place[v] = k
        forest.root[v] = top
    return end


@njit(**BARE)
def _cut(forest, top, end):
    """Take the arc above ``top`` out: its subtree moves to ``end``, the end of the stretch."""
    arena, place, spare = forest.arena, forest.place, forest.spare
    size, give = forest.size[top], forest.give[top]
    v = forest.parent[top]
    while v != NOBODY:
        forest.size[v] -= size
        forest.give[v] -= give
        v = forest.parent[v]
    forest.parent[top] = NOBODY
    start = place[top]
    for k in range(size):
        spare[k] = arena[start + k]
    for k in range(np.uintp(start), np.uintp(end - size)):
        v = np.uintp(arena[k + np.uintp(size)])
        arena[k] = v
        place[v] = k
    for k in range(size):
        v = spare[k]
        arena[end - size + k] = v
        place[v] = end - size + k
        forest.root[v] = top


@njit(**BARE)
def enter(forest, i, j, cost, mass):
    """Bring the violated arc between the trees of row ``i`` and column node ``j`` into the forest.

    It carries ``mass`` already.  Hung from the two ends of the arc, both trees answer to each
    further unit of mass on it in proportion to ``give``.  Mass is added until the arc is tight.
    An arc that runs empty on the way is cut; what hung from it is settled as it is.
    """
    arena, potential, flow, give = forest.arena, forest.potential, forest.flow, forest.give
    rows = np.uintp(forest.rows)
    start = _reserve(forest, forest.size[forest.root[i]] + forest.size[forest.root[j]])
    middle = _reroot(forest, i, start)
    end = _reroot(forest, j, middle)
    violation = potential[i] + potential[j] - cost
    while True:
        forest.work[0] += end - start
        per_i, per_j = 1.0 / give[i], 1.0 / give[j]
        step = violation / (per_i + per_j)
        empty = np.int64(NOBODY)
        # Column children of i's tree and row children of j's lose flow.  Signed losses and one test
        # that rarely holds are faster than a branch that the processor cannot foresee.
        for k in range(np.uintp(start + 1), np.uintp(middle)):
            v = np.uintp(arena[k])
            loss = give[v] * (-per_i if v < rows else per_i)
            if flow[v] <= step * loss and loss > 0.0:
                step = min(step, max(flow[v], 0.0) / loss)
                empty = np.int64(v)
        for k in range(np.uintp(middle + 1), np.uintp(end)):
            v = np.uintp(arena[k])
            loss = give[v] * (per_j if v < rows else -per_j)
            if flow[v] <= step * loss and loss > 0.0:
                step = min(step, max(flow[v], 0.0) / loss)
                empty = np.int64(v)
        shift_i, shift_j = step * per_i, step * per_j
        for k in range(np.uintp(start), np.uintp(middle)):
            v = np.uintp(arena[k])
            shift = shift_i if v < rows else -shift_i
            potential[v] -= shift
            flow[v] += shift * give[v]
        for k in range(np.uintp(middle), np.uintp(end)):
            v = np.uintp(arena[k])
            shift = shift_j if v < rows else -shift_j
            potential[v] += shift
            flow[v] -= shift * give[v]
        mass += step
        violation -= shift_i + shift_j
        if empty == NOBODY:
            break
        in_i = forest.root[empty] == i
        _cut(forest, empty, end)
        end -= forest.size[empty]
        if in_i:
            middle -= forest.size[empty]
    forest.parent[j], forest.arc_cost[j], forest.flow[j] = i, cost, mass
    forest.size[i] += forest.size[j]
    forest.give[i] += forest.give[j]
    for k in range(np.uintp(middle), np.uintp(end)):
        forest.root[np.uintp(arena[k])] = i


@njit(**BARE)
def turn(forest, i, j):
    """Push mass round the cycle that arc (i, j) closes in its tree until an arc runs empty.

    The empty arc is cut, which leaves ``i`` and ``j`` in two trees, and the mass now on the arc
    is returned.  No node's mass changes, so no potential does.
    """
    rows, parent, flow = forest.rows, forest.parent, forest.flow
    place, size = forest.place, forest.size
    mass, empty = np.inf, NOBODY
    meet = i
    while not place[meet] <= place[j] < place[meet] + size[meet]:
        if meet < rows and flow[meet] < mass:
            mass, empty = flow[meet], meet
        meet = parent[meet]
    v = j
    while v != meet:
        if v >= rows and flow[v] < mass:
            mass, empty = flow[v], v
        v = parent[v]
    v = i
    while v != meet:
        flow[v] += -mass if v < rows else mass
        v = parent[v]
    v = j
    while v != meet:
        flow[v] += mass if v < rows else -mass
        v = parent[v]
    root = forest.root[i]
    _cut(forest, np.int64(empty), place[root] + size[root])
    return mass


@njit(**BARE)
def _pass_on(forest, root):
    """Move what rounding leaves over at the root to where it weighs least.

    Summed up from the leaves, the flow to a small part of the tree that holds the root is what the
    large rest leaves over, rounding and all, and for the small part that may be everything.  So
    the leftover goes down the tree for as long as most of the slack is below: every flow is then
    that of its smaller side.
    """
    leftover = forest.target[root]
    v, half = root, forest.give[root] / 2.0
    child, end = forest.place[v] + 1, forest.place[v] + forest.size[v]
    while child < end:
        v = forest.arena[child]
        if forest.give[v] > half:
            forest.target[v] += leftover
            leftover = -leftover
            child, end = child + 1, child + forest.size[v]
        else:
            child += forest.size[v]


@njit(**BARE)
def settle(forest, root):
    """Settle one tree from scratch, whatever its potentials and slacks are now.

    Potentials follow from the arcs up to one shift, which the balance of the tree fixes; the flows
    that belong to them follow from the leaves upwards.  If some would be negative, the flows move
    towards them only until the first arc is empty; that arc is cut and both parts are settled.
    """
    arena, parent, potential, flow = forest.arena, forest.parent, forest.potential, forest.flow
    weight, slack, give, target, below = (
        forest.weight, forest.slack, forest.give, forest.target, forest.below
    )  # fmt: skip
    rows = forest.rows
    waiting = forest.waiting
    waiting[0], count = root, 1
    while count:
        count -= 1
        root = waiting[count]
        start, end = forest.place[root], forest.place[root] + forest.size[root]
        forest.work[0] += end - start
        excess, total = 0.0, 0.0
        for k in range(start, end):
            v = arena[k]
            if v != root:
                potential[v] = forest.arc_cost[v] - potential[parent[v]]
            balance = weight[v] - slack[v] * potential[v]
            excess += balance if v < rows else -balance
            total += slack[v]
            give[v] = slack[v]
        shift = excess / total
        for k in range(end - 1, start - 1, -1):
            v = arena[k]
            potential[v] += shift if v < rows else -shift
            target[v] = weight[v] - slack[v] * potential[v] - below[v]
            below[v] = 0.0
            if v != root:
                below[parent[v]] += target[v]
                give[parent[v]] += give[v]
        _pass_on(forest, root)
        step, empty = 1.0, NOBODY
        for k in range(start + 1, end):
            v = arena[k]
            if target[v] <= 0.0:
                reach = flow[v] / (flow[v] - target[v]) if target[v] < 0.0 else 1.0
                if reach < step or empty == NOBODY:
                    step, empty = min(reach, 1.0), v
        for k in range(start + 1, end):
            v = arena[k]
            flow[v] = target[v] if empty == NOBODY else flow[v] + step * (target[v] - flow[v])
        if empty != NOBODY:
            _cut(forest, np.int64(empty), end)
            waiting[count], waiting[count + 1] = root, empty
            count += 2


@njit(**BARE)
def settle_all(forest):
    """Settle every tree; one that settling splits off may be settled twice, which does no harm."""
    for v in range(forest.weight.size):
        if forest.parent[v] == NOBODY:
            settle(forest, v)


@njit(**INNER)
def rounding(forest):
    """A violation that rounding alone may cause.

    Potentials are rounded along the paths of a tree, and the shift of the tree with the weights,
    which a shift multiplies by a mean of the penalties of both sides.
    """
    rows, lone = forest.rows, np.abs(forest.weight / forest.slack)
    stiffness = 2.0 / (1.0 / lone[:rows].max() + 1.0 / lone[rows:].max())
    return 1e-13 * np.abs(forest.potential).max() + 4e-15 * stiffness

"""The solver's problem in rational numbers, where nothing is rounded."""

from fractions import Fraction
from itertools import pairwise


def sus_in_rationals(cost, weights, penalties, arcs):
    """SUS of the very optimum, old usages first, all given numbers taken as exact.

    The same active set method as the solver's, without its data structures; it starts from the
    plan on ``arcs``, so that it has little left to do.
    """
    rows, columns = cost.shape
    cost = [[Fraction(float(c)) for c in row] for row in cost]
    weights = [Fraction(float(w)) for w in weights]
    flows = [{} for _ in weights]  # of each node, by neighbour
    potentials = [w * p for w, p in zip(weights, penalties, strict=True)]

    def put(u, v, flow):
        flows[u][v] = flows[v][u] = flow

    def tree(root):
        parents, order = {root: None}, [root]
        for u in order:
            for v in flows[u]:
                if v not in parents:
                    parents[v] = u
                    order.append(v)
        return parents, order

    def settle(*roots):
        waiting = list(roots)
        while waiting:
            root = waiting.pop()
            parents, order = tree(root)
            tight = {root: Fraction(0)}
            for v in order[1:]:
                u = parents[v]
                tight[v] = cost[min(u, v)][max(u, v) - rows] - tight[u]
            side = {v: 1 if v < rows else -1 for v in order}
            excess = sum(side[v] * (weights[v] - tight[v] / penalties[v]) for v in order)
            shift = excess / sum(1 / penalties[v] for v in order)
            for v in order:
                potentials[v] = tight[v] + side[v] * shift
            mass = {v: weights[v] - potentials[v] / penalties[v] for v in order}
            for v in reversed(order[1:]):
                mass[parents[v]] -= mass[v]
            carried = {v: flows[v][parents[v]] for v in order[1:]}
            steps = [
                (flow / (flow - mass[v]) if flow else flow, v)
                for v, flow in carried.items()
                if mass[v] <= 0
            ]
            step, empty = min(steps, default=(Fraction(1), None))
            for v, flow in carried.items():
                put(parents[v], v, flow + step * (mass[v] - flow))
            if empty is not None:
                del flows[empty][parents[empty]], flows[parents[empty]][empty]
                waiting += [empty, parents[empty]]

    for i, j in arcs:
        put(i, rows + j, Fraction(1))
    settle(*range(len(weights)))
    while True:
        violation, i, j = max(
            (potentials[i] + potentials[rows + j] - cost[i][j], i, rows + j)
            for i in range(rows)
            for j in range(columns)
        )
        if violation <= 0:
            scores = [f / (p * w) for f, p, w in zip(potentials, penalties, weights, strict=True)]
            return [-s for s in scores[:rows]] + scores[rows:]
        parents, _ = tree(i)
        if j not in parents:
            put(i, j, Fraction(0))
            settle(i)
            continue
        way = [j]  # back to i: with the new arc a cycle, along which mass is pushed
        while way[-1] != i:
            way.append(parents[way[-1]])
        cycle = list(pairwise(way))
        mass, u, v = min((flows[u][v], u, v) for u, v in cycle[::2])
        for k, (x, y) in enumerate(cycle):
            put(x, y, flows[x][y] + (mass if k % 2 else -mass))
        del flows[u][v], flows[v][u]
        put(i, j, mass)
        settle(u, v)

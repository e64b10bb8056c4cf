"""What tests of several modules share: where real data may lie, and an independent solver."""

from pathlib import Path

import numpy as np
import quadprog

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


def sus_by_quadratic_program(cost, a, b, old_penalty, new_penalty):
    """SUS from the dual, solved as a dense quadratic program by Goldfarb and Idnani's method."""
    m, n = cost.shape
    scale = np.abs(cost).mean()
    penalty = np.concatenate((np.broadcast_to(old_penalty, m), np.broadcast_to(new_penalty, n)))
    weight = np.concatenate((a, b))
    arcs = np.zeros((m + n, m, n))
    for i in range(m):
        arcs[i, i, :] = -1
    for j in range(n):
        arcs[m + j, :, j] = -1
    potential = (
        scale
        * quadprog.solve_qp(
            np.diag(scale / penalty), weight, arcs.reshape(m + n, -1), -cost.ravel() / scale
        )[0]
    )
    scores = potential / (penalty * weight)
    return -scores[:m], scores[m:]

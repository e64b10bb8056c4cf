"""Real vectors where the data lie beside the repository, and oracles that several tests use."""

from pathlib import Path

import numpy as np
import pytest
import quadprog

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def dwug_vectors():
    """Old and new vectors of every word of DWUG EN, from a small encoder."""
    if not (DATA / "dwug_en_vectors.npy").exists():
        pytest.skip("the DWUG EN vectors do not lie beside the repository")
    vectors = np.load(DATA / "dwug_en_vectors.npy").astype(np.float64)
    rows = [
        line.split("\t")
        for line in (DATA / "dwug_en_vectors.tsv").read_text("utf-8").splitlines()[1:]
    ]
    words, periods = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    return {
        word: (
            vectors[(words == word) & (periods == "1")],
            vectors[(words == word) & (periods == "2")],
        )
        for word in dict.fromkeys(words)
    }


@pytest.fixture(scope="session")
def dwug_costs(dwug_vectors):
    """Cosine distances of every word, computed here."""

    def cosine(u, v):
        u = u / np.linalg.norm(u, axis=1, keepdims=True)
        v = v / np.linalg.norm(v, axis=1, keepdims=True)
        return np.maximum(1 - u @ v.T, 0)

    return {word: cosine(*pair) for word, pair in dwug_vectors.items()}


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

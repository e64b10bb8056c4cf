"""Generated words: usages around the centres of senses, as costs and as sides."""

import numpy as np


def usages(old, new, *, spread=0.6, dimensions=16, seed=0):
    """Costs and sides of so many old and new usages of each sense."""
    rng = np.random.default_rng(seed)
    senses = np.repeat(np.tile(np.arange(len(old)), 2), [*old, *new])
    points = 2.0 * np.eye(dimensions)[senses] + spread * rng.normal(size=(senses.size, dimensions))
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    return np.maximum(1.0 - units @ units.T, 0.0), np.arange(senses.size) >= sum(old)

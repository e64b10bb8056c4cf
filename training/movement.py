"""A rule that was tried: how far usages moved between senses, weighed by how sure these differ.

A manner of writing that changes moves usages between two groups of one sense, and what is near
each other is easily split.  Here a difference of shares counts in full only where it goes to what
is surely another sense: by Rao's quadratic entropy, with the chance that two usages differ in sense
for the distance.  A word is then tested as a whole.  ``choose.py`` shows how it does beside the
rule that is used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.calibration import Calibration
from senseshift.senses import STRAY, Shares
from senseshift.vectors import as_vectors, cosine_cost, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EACH = 200  # usages of a sense that are looked at
DEALS = 1_000


def apart(vectors: ArrayLike, labels: Ints, calibration: Calibration) -> Floats:
    """How surely each pair of a word's senses differs: senses × senses, from 0 to 1.

    The chance that two usages differ in sense, one of each, less that of two usages within them.
    """
    units = unit(as_vectors(vectors, "given"), "given")
    rng = np.random.default_rng(0)
    rows = [np.flatnonzero(labels == k) for k in range(int(labels.max(initial=STRAY)) + 1)]
    rows = [at if at.size <= EACH else rng.choice(at, EACH, replace=False) for at in rows]
    sizes = np.array([at.size for at in rows], dtype=np.float64)
    owner = np.repeat(np.arange(sizes.size), sizes.astype(np.int64))
    drawn = units[np.concatenate([np.empty(0, np.int64), *rows])]
    member = (owner[:, None] == np.arange(sizes.size)).astype(np.float64)
    chance = calibration.cost(cosine_cost(drawn, drawn))
    np.fill_diagonal(chance, 0.0)  # a usage with itself
    sums = member.T @ chance @ member
    within = np.diag(sums) / np.maximum(sizes * (sizes - 1.0), 1.0)
    between = sums / np.maximum(np.outer(sizes, sizes), 1.0)
    found: Floats = np.maximum(between - (within[:, None] + within) / 2.0, 0.0)
    np.fill_diagonal(found, 0.0)
    return found


def moved(difference: Floats, apart: Floats) -> Floats:
    """Of each sense how far it moved: as its share, where all that it came from surely differs.

    >>> moved(np.array([0.4, -0.4]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    array([0.4, 0.4])
    >>> moved(np.array([0.4, -0.4]), np.array([[0.0, 0.25], [0.25, 0.0]]))
    array([0.2, 0.2])
    """
    result: Floats = np.sqrt(np.maximum(-difference * (apart @ difference), 0.0))
    return result


def movement(difference: Floats, apart: Floats) -> Floats:
    """The same of a whole word; of several, with a row of differences for each.

    >>> float(movement(np.array([0.4, -0.4]), np.array([[0.0, 1.0], [1.0, 0.0]])))
    0.4
    """
    across = -np.einsum("...j,jk,...k->...", difference, apart, difference) / 2.0
    result: Floats = np.sqrt(np.maximum(across, 0.0))
    return result


def movement_p(shares: Shares, apart: Floats) -> float:
    """How often usages dealt to the two sides at random move as far; 1 with a single sense."""
    counts, totals = shares.counts.sum(axis=1), shares.totals
    if counts.size < 2 or not totals.all():
        return 1.0
    rng = np.random.default_rng(0)
    new = rng.multivariate_hypergeometric(counts, int(totals[1]), DEALS, method="marginals")
    dealt = movement(new / totals[1] - (counts - new) / totals[0], apart)
    found = movement(shares.share[:, 1] - shares.share[:, 0], apart)
    return float((1 + (dealt >= found * (1.0 - 1e-9)).sum()) / (1 + DEALS))

"""How sure the sense of a usage is: whether it comes out again when other usages are left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.senses.induction import STRAY, Labels, canonical, induce
from senseshift.vectors import as_vectors, unit

Floats = NDArray[np.float64]

RESAMPLES, PART = 20, 0.8  # how often usages are drawn, and which part of them
JITTER = 0.15  # the cut is up to so much smaller or larger
MOST = 500  # usages drawn at once


def confidence(
    vectors: ArrayLike, labels: Labels, cut: float, *, resamples: int = RESAMPLES, seed: int = 0
) -> Floats:
    """How much of its sense each usage found around it again, from 0 to 1.

    Every resample induces senses anew from a part of the usages, with a cut a little to the side.
    Of the usages that were drawn and are in a usage's sense or in its new one, it counts how many
    are in both; a stray is confirmed by being one again.  A usage that was never drawn, and one of
    a word too small to draw from, has NaN.

    Parameters
    ----------
    vectors, labels, cut
        Of the usages of one word, as they were given to and came from :func:`induce`.
    resamples, seed
        How many, and what they are drawn by.
    """
    units = unit(as_vectors(vectors, "given"), "given")
    if labels.shape != (units.shape[0],):
        raise InputError(
            f"There are {units.shape[0]} usages and labels of shape {labels.shape}: "
            "give one label for each usage."
        )
    order = canonical(units)
    drawn, again = np.zeros(order.size), np.zeros(order.size)
    # With thousands of usages a resample is a smaller part, and more are needed to see each.
    size = min(round(PART * order.size), MOST)
    if size < 2:
        return np.full(order.size, np.nan)
    rng = np.random.default_rng(seed)
    for _ in range(resamples):
        part = order[np.sort(rng.choice(order.size, size, replace=False))]
        shifted = cut * (1.0 + JITTER * rng.uniform(-1.0, 1.0))
        again[part] += _overlap(induce(units[part], shifted), labels[part])
        drawn[part] += 1
    with np.errstate(invalid="ignore"):
        shares: Floats = again / drawn
    return shares


def _overlap(found: Labels, known: Labels) -> Floats:
    """Of every usage, the overlap (Jaccard) of its new and its known sense."""
    table = np.zeros((found.max() + 2, known.max() + 2))  # strays are the last row and column
    np.add.at(table, (found, known), 1.0)
    both = table[found, known]
    either = table.sum(axis=1)[found] + table.sum(axis=0)[known] - both
    result: Floats = np.where((found == STRAY) | (known == STRAY), found == known, both / either)
    return result

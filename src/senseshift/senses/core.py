"""The usages that show a sense best: its medoid and those most typical of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.senses.induction import STRAY, Labels
from senseshift.vectors import as_vectors, unit

Rows = NDArray[np.int64]


def typical(
    vectors: ArrayLike, labels: Labels, count: int = 5, *, periods: Labels | None = None
) -> dict[int, Rows]:
    """Rows of the most typical usages of each sense, the first of them its medoid.

    Typical is what is nearest to all usages of the sense, on average.  With ``periods`` so many of
    each period are given, in the order of the periods, and no medoid of all.
    """
    units = unit(as_vectors(vectors, "given"), "given")
    found: dict[int, Rows] = {}
    for sense in np.unique(labels[labels != STRAY]).tolist():
        rows = np.flatnonzero(labels == sense)
        nearness = units[rows] @ units[rows].sum(axis=0)
        rows = rows[np.argsort(-nearness.round(9), kind="stable")]
        if periods is None:
            found[sense] = rows[:count]
        else:
            parts = [rows[periods[rows] == period][:count] for period in np.unique(periods)]
            found[sense] = np.concatenate(parts)
    return found

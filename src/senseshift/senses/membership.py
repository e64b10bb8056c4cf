"""How near every usage is to every sense, for those that lie between two."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.senses.induction import STRAY, Labels, canonical, centres, lean_all
from senseshift.vectors import as_vectors, unit

Floats = NDArray[np.float64]

WARMTH = 0.25  # of the cut: what a usage may be farther from a sense to be of it e times less


def membership(vectors: ArrayLike, labels: Labels, cut: float) -> Floats:
    """In what part each usage belongs to each sense: usages × senses, with rows of total 1.

    A sense draws a usage by its size and, by its mean distance, exponentially less.  With the
    senses' log ratios, ``membership(…) @ log_ratio(…)`` says how the use of each usage moved, for
    strays too; on held-out words this agrees better with the truth than whole senses do.

    Parameters
    ----------
    vectors, labels, cut
        Of the usages of one word, as they were given to and came from :func:`induce`; labels may
        be given ones too.
    """
    units = unit(as_vectors(vectors, "given"), "given")
    order = canonical(units)
    leaned = np.empty_like(units)
    leaned[order] = lean_all(units[order])[0]
    sizes = np.bincount(labels[labels != STRAY])
    with np.errstate(divide="ignore"):  # a sense that nobody has draws nothing
        pull = np.log(sizes) - (1.0 - leaned @ centres(leaned, labels).T) / (WARMTH * cut)
    if not sizes.size:
        return pull
    drawn = np.exp(pull - pull.max(axis=1, keepdims=True))
    parts: Floats = drawn / drawn.sum(axis=1, keepdims=True)
    return parts

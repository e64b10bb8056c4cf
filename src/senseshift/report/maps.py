"""The maps of many words, and the order of usages along a map."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from senseshift.maps import positions

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def many_positions(
    vectors: Iterable[NDArray[np.float32]], threads: int | None = None
) -> Iterator[Floats]:
    """The map of each matrix of vectors, in their order, as they are done.

    t-SNE holds Python's lock most of the time, so that threads only wait for one another.
    """
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    parallel = Parallel(threads or os.cpu_count() or 1, return_as="generator", max_nbytes=None)
    yield from parallel(delayed(_alone)(matrix) for matrix in vectors)


def _alone(vectors: NDArray[np.float32]) -> Floats:
    """One map in one thread: threads that wait for a busy processor make t-SNE 30 times slower."""
    import sklearn.manifold  # noqa: F401 -- only what is loaded can be limited
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):
        return positions(vectors)


def curve_order(x: Floats, y: Floats, bits: int = 8) -> Ints:
    """Every point's rank along a Hilbert curve through the unit square: neighbours stay close."""
    side = (1 << bits) - 1
    across, up = (x * side).astype(np.int64), (y * side).astype(np.int64)
    distance = np.zeros(x.size, np.int64)
    step = 1 << (bits - 1)
    while step:
        right, top = (across & step) > 0, (up & step) > 0
        distance += step * step * ((3 * right) ^ top)
        turned = right & ~top  # so that the curve through this quarter joins the others
        across, up = np.where(turned, side - across, across), np.where(turned, side - up, up)
        across, up = np.where(top, across, up), np.where(top, up, across)
        step >>= 1
    ranks = np.empty(x.size, np.int64)
    ranks[np.argsort(distance, kind="stable")] = np.arange(x.size)
    return ranks

"""The maps of many words, and the order of usages along a map."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from senseshift.projection import positions
from senseshift.workers import in_processes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

A_FEW = 4


def many_positions(
    vectors: Iterable[NDArray[np.float32]], count: int, threads: int | None = None
) -> Iterator[Floats]:
    """The maps of ``count`` matrices of vectors, in their order, as they are done.

    They are made in processes: t-SNE holds Python's lock, so that threads wait for one another. A
    process takes as long to start as a few small maps.
    """
    processes = min(threads or os.cpu_count() or 1, max(1, count // A_FEW))
    yield from in_processes(positions, vectors, processes)


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

"""Which usages mean alike: senses of a word, induced from the vectors of all its usages.

Groups whose usages are on average nearer than a cut become one (average linkage). Groups of a few
usages are no sense, and their usages strays. Periods are not looked at. What is more elaborate did
not agree better with the senses of words held out of the encoder's training: see the model card.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.vectors import as_vectors, unit

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

STRAY = -1  # the label of a usage that belongs to no sense
FEWEST, SMALLEST = 3, 0.02  # usages of a sense: their number and their share of all usages
MOST = 1_000  # usages to induce from; the others are assigned

CUTS = np.round(np.arange(0.10, 0.801, 0.01), 2)  # that choose_cut tries


def induce(vectors: ArrayLike, cut: float, *, most: int = MOST, seed: int = 0) -> Labels:
    """The sense of every usage: 0 for the largest, 1 for the next, −1 for a stray.

    Parameters
    ----------
    vectors
        A row for each usage of one word, of all periods.
    cut
        The mean cosine distance at which two groups of usages are two senses: that of the
        encoder's calibration.
    most, seed
        With more usages than this a sample of them is clustered, drawn by the seed, and the others
        join the nearest sense.

    Returns
    -------
    Labels that do not depend on the order of the usages.
    """
    if not 0.0 < cut < 2.0:
        raise InputError(f"The cut is {cut}: it must be a cosine distance above 0 and below 2.")
    units = unit(as_vectors(vectors, "given"), "given")
    order = canonical(units)
    labels = np.empty(order.size, dtype=np.int64)
    labels[order] = _induce(units[order], cut, most, seed)
    return labels


def canonical(units: Floats) -> NDArray[np.int64]:
    """An order of the rows by what is in them, so that it does not matter how they came."""
    rows = np.ascontiguousarray(units + 0.0)  # no negative zeros
    as_bytes = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1])))
    return as_bytes.ravel().argsort(kind="stable")


def choose_cut(words: Sequence[tuple[ArrayLike, ArrayLike]]) -> float:
    """The cut by which induced senses agree best with known ones, for a new encoder.

    Of each word the vectors of its usages and their senses are given; the agreement is the
    adjusted Rand index, its mean over the words, smoothed over five neighbouring cuts.
    """
    from sklearn.metrics import adjusted_rand_score

    if not words:
        raise InputError("A cut is chosen by usages with known senses; there are none.")
    found = np.empty((len(words), CUTS.size))
    for row, (vectors, senses) in enumerate(words):
        tree = _tree(unit(as_vectors(vectors, "given"), "given"))
        for column, cut in enumerate(CUTS):
            labels = alone(_grouped(tree, float(cut)))
            found[row, column] = adjusted_rand_score(np.asarray(senses), labels)
    smooth = np.convolve(np.pad(found.mean(axis=0), 2, mode="edge"), np.full(5, 0.2), "valid")
    return float(CUTS[int(smooth.round(12).argmax())])


def alone(labels: Labels) -> Labels:
    """The same labels with a label of its own for every stray, as agreement is measured."""
    strays = labels == STRAY
    result = labels.copy()
    result[strays] = labels.max(initial=STRAY) + 1 + np.arange(strays.sum())
    return result


def centres(units: Floats, labels: Labels) -> Floats:
    """The mean vector of each sense: 1 − x·centre is the mean distance of x to its usages."""
    means = np.zeros((labels.max(initial=STRAY) + 1, units.shape[1]))
    for sense in np.unique(labels[labels != STRAY]):
        means[sense] = units[labels == sense].mean(axis=0)
    return means


def _induce(units: Floats, cut: float, most: int, seed: int) -> Labels:
    count = units.shape[0]
    if count <= most:
        return _grouped(_tree(units), cut)
    chosen = np.zeros(count, dtype=bool)
    chosen[np.random.default_rng(seed).choice(count, most, replace=False)] = True
    labels = np.empty(count, dtype=np.int64)
    labels[chosen] = _grouped(_tree(units[chosen]), cut)
    labels[~chosen] = _nearest(units[~chosen], centres(units[chosen], labels[chosen]), cut)
    return _by_size(labels)


def _tree(units: Floats) -> Floats:
    """The merges of average linkage by cosine distance."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    if units.shape[0] < 2:
        return np.empty((0, 4))
    distances = np.maximum(1.0 - units @ units.T, 0.0)
    np.fill_diagonal(distances, 0.0)
    tree: Floats = linkage(squareform(distances, checks=False), "average")
    return tree


def _grouped(tree: Floats, cut: float) -> Labels:
    """Groups below the cut; those of a few usages are strays."""
    from scipy.cluster.hierarchy import fcluster

    count = len(tree) + 1
    if count < 2:
        return np.zeros(count, dtype=np.int64)
    labels = fcluster(tree, cut, "distance").astype(np.int64) - 1
    # Where a word has hardly any usages, half of them may be a sense.
    fewest = min(max(FEWEST, SMALLEST * count), -(-count // 2))
    labels[np.bincount(labels)[labels] < fewest] = STRAY
    return _by_size(labels)


def _nearest(units: Floats, means: Floats, farthest: float) -> Labels:
    """The nearest sense of each usage, or stray."""
    if not means.size:
        return np.full(units.shape[0], STRAY, dtype=np.int64)
    distance = 1.0 - units @ means.T
    nearest: Labels = distance.argmin(axis=1).astype(np.int64)
    nearest[distance.min(axis=1) > farthest] = STRAY
    return nearest


def _by_size(labels: Labels) -> Labels:
    """Numbered from the largest sense; of equal ones, the one whose first usage comes first."""
    names, first, sizes = np.unique(labels[labels != STRAY], return_index=True, return_counts=True)
    place = np.empty(names.max(initial=STRAY) + 2, dtype=np.int64)
    place[STRAY] = STRAY
    place[names[np.lexsort((first, -sizes))]] = np.arange(names.size)
    numbered: Labels = place[labels]
    return numbered

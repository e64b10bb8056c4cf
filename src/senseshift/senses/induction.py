"""Which usages mean alike: senses of a word, induced from the vectors of all its usages.

A single usage says little, so every one leans on its nearest neighbours first. Then groups whose
usages are on average nearer than a cut become one (average linkage). Groups of a few usages are no
sense: their usages join the sense nearest to them, or are strays where none is near. Periods are
not looked at. The form and the constants were chosen by words held out of the encoder's training.
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
NEIGHBOURS, LEANING = 3, 0.5  # how many neighbours, and what they weigh beside the usage itself
FEWEST, SMALLEST = 3, 0.02  # usages of a sense: their number and their share of all usages
LOOSE = 1.2  # a usage of no sense may join one that is so much farther than the cut
MOST = 1_000  # usages to induce from; the others are assigned

CUTS = np.round(np.arange(0.10, 0.801, 0.01), 2)  # that choose_cut tries


def induce(vectors: ArrayLike, cut: float, *, most: int = MOST, seed: int = 0) -> Labels:
    """The sense of every usage: 0 for the largest, 1 for the next, −1 for a stray.

    Parameters
    ----------
    vectors
        A row for each usage of one word, of all periods.
    cut
        The cosine distance, between usages that lean on their neighbours, at which two groups are
        two senses: that of the encoder's calibration.
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

    Of each word the vectors of its usages and their senses are given.
    """
    if not words:
        raise InputError("A cut is chosen by usages with known senses; there are none.")
    return float(CUTS[int(agreement(words).round(12).argmax())])


def agreement(words: Sequence[tuple[ArrayLike, ArrayLike]]) -> Floats:
    """How well induced senses agree with known ones, by every cut of ``CUTS``.

    It is the adjusted Rand index, its mean over the words, smoothed over five neighbouring cuts.
    """
    from sklearn.metrics import adjusted_rand_score

    found = np.empty((len(words), CUTS.size))
    for row, (vectors, senses) in enumerate(words):
        leaned = lean(unit(as_vectors(vectors, "given"), "given"))
        tree = merges(leaned)
        for column, cut in enumerate(CUTS):
            labels = alone(grouped(leaned, tree, float(cut)))
            found[row, column] = adjusted_rand_score(np.asarray(senses), labels)
    mean = np.pad(found.mean(axis=0), 2, mode="edge")
    smooth: Floats = np.convolve(mean, np.full(5, 0.2), "valid")
    return smooth


def alone(labels: Labels) -> Labels:
    """The same labels with a label of its own for every stray, as agreement is measured."""
    strays = labels == STRAY
    result = labels.copy()
    result[strays] = labels.max(initial=STRAY) + 1 + np.arange(strays.sum())
    return result


def lean(units: Floats, on: Floats | None = None) -> Floats:
    """The vectors moved towards the mean of their nearest neighbours, in ``on`` if not the same."""
    near = units @ (units if on is None else on).T
    if on is None:
        np.fill_diagonal(near, -np.inf)
    pool = units if on is None else on
    count = min(NEIGHBOURS, pool.shape[0] - (on is None))
    if count == 0:
        return units
    nearest = np.argpartition(-near, count - 1, axis=1)[:, :count]
    moved = units + LEANING * pool[nearest].mean(axis=1)
    # A usage between opposite ones stays where it was.
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.where(lengths > 1e-9, moved / np.maximum(lengths, 1e-9), units)


def centres(leaned: Floats, labels: Labels) -> Floats:
    """The mean vector of each sense: 1 − x·centre is the mean distance of x to its usages."""
    means = np.zeros((labels.max(initial=STRAY) + 1, leaned.shape[1]))
    for sense in np.unique(labels[labels != STRAY]):
        means[sense] = leaned[labels == sense].mean(axis=0)
    return means


def lean_all(units: Floats, most: int = MOST, seed: int = 0) -> tuple[Floats, NDArray[np.bool_]]:
    """All usages leaned on those to induce from, and which these are: all, or a sample."""
    chosen = np.ones(units.shape[0], dtype=bool)
    if units.shape[0] <= most:
        return lean(units), chosen
    chosen[:] = False
    chosen[np.random.default_rng(seed).choice(chosen.size, most, replace=False)] = True
    leaned = np.empty_like(units)
    leaned[chosen] = lean(units[chosen])
    rest = np.flatnonzero(~chosen)
    for part in np.array_split(rest, -(-rest.size // most)):  # so that memory stays small
        leaned[part] = lean(units[part], units[chosen])
    return leaned, chosen


def _induce(units: Floats, cut: float, most: int, seed: int) -> Labels:
    leaned, chosen = lean_all(units, most, seed)
    labels = np.empty(chosen.size, dtype=np.int64)
    labels[chosen] = grouped(leaned[chosen], merges(leaned[chosen]), cut)
    labels[~chosen] = _nearest(
        leaned[~chosen], centres(leaned[chosen], labels[chosen]), LOOSE * cut
    )
    return _by_size(labels)


def merges(leaned: Floats) -> Floats:
    """The merges of average linkage by cosine distance."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    if leaned.shape[0] < 2:
        return np.empty((0, 4))
    distances = np.maximum(1.0 - leaned @ leaned.T, 0.0)
    np.fill_diagonal(distances, 0.0)
    tree: Floats = linkage(squareform(distances, checks=False), "average")
    return tree


def grouped(leaned: Floats, tree: Floats, cut: float, smallest: float = SMALLEST) -> Labels:
    """Groups below the cut, the small ones given away."""
    from scipy.cluster.hierarchy import fcluster

    count = leaned.shape[0]
    if count < 2:
        return np.zeros(count, dtype=np.int64)
    labels = fcluster(tree, cut, "distance").astype(np.int64) - 1
    # Where a word has hardly any usages, half of them may be a sense.
    fewest = min(max(FEWEST, smallest * count), -(-count // 2))
    small = np.bincount(labels)[labels] < fewest
    labels[small] = STRAY
    labels = _by_size(labels)
    labels[small] = _nearest(leaned[small], centres(leaned, labels), LOOSE * cut)
    return _by_size(labels)


def _nearest(leaned: Floats, means: Floats, farthest: float) -> Labels:
    """The nearest sense of each usage, or stray."""
    if not means.size:
        return np.full(leaned.shape[0], STRAY, dtype=np.int64)
    distance = 1.0 - leaned @ means.T
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

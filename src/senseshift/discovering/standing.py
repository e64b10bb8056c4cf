"""Where a word stands among the other words of the same corpora, which are its controls.

What the years do to any word must not be taken for a change, and most words of a vocabulary do not
change. So every word is compared with words about as frequent in both periods (and of its part of
speech, where that is known): how far its score is above their middle, in units of how far the lower
half of them lies below it. Among unchanged words that is as often so far above as below; the lower
half, mirrored, stands for all of them. Changed words lie in the upper half, so that they do not
spoil the comparison, however many they are short of most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from senseshift.resampling.conformal import conformal_p

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

NEAR = 200  # words that a word is compared with
LOWER = 0.1587  # of a normal distribution is more than one deviation below the middle
PART = 1_000  # targets that are worked on at once
LEAST_OF_TAG = 400  # words of a part of speech from which on they are compared with each other


@dataclass(frozen=True, eq=False)
class Company:
    """Of each word, where the scores of words like it have their middle, and how far they reach."""

    middle: Floats
    reach: Floats

    def standing(self, scores: Floats) -> Floats:
        """How far each score is above the middle, in units of how far the lower half reaches."""
        return (scores - self.middle) / self.reach


def company(scores: Floats, counts: Floats, tags: Sequence[str | None] | None = None) -> Company:
    """What words like it do, for each word.

    Parameters
    ----------
    scores
        One for each word; NaN where it is not known.
    counts
        For each word how often it is used in each period.
    tags
        Parts of speech; words of a rare one, or without any, are compared with all others.
    """
    middle, reach = np.full(scores.size, np.nan), np.full(scores.size, np.nan)
    known = ~np.isnan(scores)
    place = np.log(np.maximum(counts, 1.0))
    for rows, others in _groups(known, tags):
        near = others[_nearest(place[others], place[rows])]
        alike = np.where(near == rows[:, None], np.nan, scores[near])  # not with itself
        low, middle[rows] = np.nanquantile(alike, [LOWER, 0.5], axis=1)
        reach[rows] = np.maximum(middle[rows] - low, 1e-6)
    return Company(middle, reach)


def _nearest(pool: Floats, asked: Floats) -> Ints:
    """For each place asked for the nearest of the pool, by the sum of both distances."""
    count = min(NEAR + 1, len(pool))
    _, near = cKDTree(pool).query(asked, k=count, p=1)
    found: Ints = np.asarray(near, dtype=np.int64).reshape(len(asked), count)
    return found


def _groups(known: Bools, tags: Sequence[str | None] | None) -> Iterator[tuple[Ints, Ints]]:
    """Words that are looked at together, and those that they are compared with."""
    every = np.flatnonzero(known)
    if every.size < 2:
        return
    named = np.array(["" if tag is None else tag for tag in tags or [None] * known.size])
    rest = []
    for tag in np.unique(named[every]):
        rows = every[named[every] == tag]
        if tag and rows.size >= LEAST_OF_TAG:
            yield rows, rows
        else:
            rest.append(rows)
    if rest:
        yield np.concatenate(rest), every


def drift_p(targets: Floats, standings: Floats) -> Floats:
    """How many of the controls stand as high: those below the middle, and their mirror images."""
    below = standings[standings < 0.0]
    controls = np.concatenate([below, -below])
    p = np.full(targets.size, np.nan)
    for start in range(0, targets.size, PART):  # so that memory stays bounded
        p[start : start + PART] = conformal_p(targets[start : start + PART], controls)
    return p

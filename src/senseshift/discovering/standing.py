"""Where a word stands among the other words of the same corpora, which are its controls.

What the years do to any word must not be taken for a change. Most words of a vocabulary do not
change; so what they do tells it, as long as those that do change are kept from spoiling it:

- A word is compared with those about as frequent in both periods (of its part of speech, where that
  is known). Their middle is what the years do, and how far their lower half lies below it, beyond
  what chance explains, is how much that differs from word to word. Changed words are in the upper
  half: neither figure sees them, however far they went.
- The shape of the rest is that of chance: all words' scores under random deals of documents, about
  their middles and in units of their spreads. A word's p is the share of these controls that stand
  as high as it does (Vovk's conformal p-value): calibrated where nothing changed at all, and as
  finely graded as there are words times deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

NEAR = 300  # words that a word is compared with
LOWER = 0.1587  # of a normal distribution is more than a deviation below its middle
LEAST_OF_TAG = 400  # words of a part of speech from which on they are compared with each other


@dataclass(frozen=True, eq=False)
class Company:
    """What the years do to words like each word, and the controls that all are held against.

    Attributes
    ----------
    middle, differing
        Of the scores of words like it: their middle, and how much drift makes them differ.
    controls
        Standings that chance gives, in ascending order.
    """

    middle: Floats
    differing: Floats
    controls: Floats

    def p(self, scores: Floats, spreads: Floats) -> Floats:
        """The share of the controls that stand as high; ``spreads`` are what chance does to each.

        Scores may come from more usages than those the company was made of: the less chance does
        to one, the more of what is left is the difference that drift makes.
        """
        standing = (scores - self.middle) / np.sqrt(self.differing**2 + spreads**2)
        above = self.controls.size - np.searchsorted(self.controls, standing, side="left")
        return np.where(np.isnan(standing), np.nan, (1 + above) / (1 + self.controls.size))


def company(
    scores: Floats,
    dealt: Floats,
    counts: Floats,
    tags: Sequence[str | None] | None = None,
    among: Bools | None = None,
) -> Company:
    """What words like it do, for each word.

    Parameters
    ----------
    scores
        One for each word; NaN where it is not known.
    dealt
        For each word the scores of some random deals.
    counts
        For each word how often it is used in each period.
    tags
        Parts of speech; words of a rare one, or without any, are compared with all others.
    among
        The words that others are compared with; all whose score is known by default. They must be
        taken whatever their scores.
    """
    spreads = spread(dealt)
    known = ~np.isnan(scores) & ~np.isnan(spreads) & (True if among is None else among)
    about = dealt[known] - np.nanmedian(dealt[known], axis=1, keepdims=True)
    controls = (about / spreads[known, None]).ravel()
    controls = np.sort(controls[~np.isnan(controls)])
    reach = -float(np.quantile(controls, LOWER)) if controls.size else 1.0
    middle, differing = np.full(scores.size, np.nan), np.full(scores.size, np.nan)
    for rows, near in _near(known, np.log(np.maximum(counts, 1.0)), tags):
        low, middle[rows] = np.nanquantile(scores[near], [LOWER, 0.5], axis=1)
        by_chance = np.nanmedian(spreads[near] ** 2, axis=1)
        found = ((middle[rows] - low) / reach) ** 2
        differing[rows] = np.sqrt(np.maximum(found - by_chance, 0.0))
    return Company(middle, differing, controls)


def spread(dealt: Floats) -> Floats:
    """How far chance strays, for each word; NaN where hardly any of its deals has a score."""
    known = ~np.isnan(dealt)
    count = known.sum(axis=1)
    mean = np.where(known, dealt, 0.0).sum(axis=1) / np.maximum(count, 1)
    squares = np.where(known, dealt - mean[:, None], 0.0) ** 2
    found = np.sqrt(squares.sum(axis=1) / np.maximum(count, 1))
    return np.where(count > 1, np.maximum(found, 1e-9), np.nan)


def _near(
    known: Bools, place: Floats, tags: Sequence[str | None] | None
) -> Iterator[tuple[Ints, Ints]]:
    """Words, and for each the words that it is compared with; itself, too, which is no matter."""
    every = np.flatnonzero(known)
    named = np.array(["" if tag is None else tag for tag in tags or [None] * known.size])
    rest = []
    for tag in np.unique(named):
        rows, pool = np.flatnonzero(named == tag), every[named[every] == tag]
        if tag and pool.size >= LEAST_OF_TAG:
            yield rows, pool[_nearest(place[pool], place[rows])]
        else:
            rest.append(rows)
    if rest and every.size:
        rows = np.concatenate(rest)
        yield rows, every[_nearest(place[every], place[rows])]


def _nearest(pool: Floats, asked: Floats) -> Ints:
    """For each place asked for the nearest of the pool, by the sum of both distances."""
    count = min(NEAR, len(pool))
    _, near = cKDTree(pool).query(asked, k=count, p=1)
    found: Ints = np.asarray(near, dtype=np.int64).reshape(len(asked), count)
    return found

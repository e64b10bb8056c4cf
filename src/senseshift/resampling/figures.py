"""Figures of a word that every deal of its usages is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

PART = 2**20  # entries of SUS that are worked on at once


@dataclass(frozen=True, eq=False)
class Deals:
    """Solved deals of one word's usages, one row each; the first is the word as it is.

    Attributes
    ----------
    sus, is_new
        SUS and side of every usage in every deal.
    pooled
        The costs between all usages.
    expected
        The mean SUS of every usage over all deals that put it on the old side, and on the new.
    """

    sus: Floats
    is_new: Bools
    pooled: NDArray[np.floating]
    expected: tuple[Floats, Floats]

    @classmethod
    def of(cls, sus: Floats, is_new: Bools, pooled: NDArray[np.floating]) -> Deals:
        """Deals with their usages' means."""
        as_new, total = is_new.sum(axis=0), sus.sum(axis=0)
        as_new_total = np.einsum("ki,ki->i", sus, is_new)
        as_old = is_new.shape[0] - as_new
        expected = (
            (total - as_new_total) / np.maximum(as_old, 1),
            as_new_total / np.maximum(as_new, 1),
        )
        return cls(sus, is_new, pooled, expected)

    def parts(self) -> Iterator[Deals]:
        """The same deals in parts of a bounded size."""
        step = max(1, PART // max(self.sus.shape[1], 1))
        for start in range(0, self.sus.shape[0], step):
            rows = slice(start, start + step)
            yield Deals(self.sus[rows], self.is_new[rows], self.pooled, self.expected)

    @cached_property
    def excess(self) -> Floats:
        """How far each SUS is from the usage's mean on the side it was dealt to."""
        return self.sus - np.where(self.is_new, self.expected[1], self.expected[0])

    def sides(self, values: Floats) -> tuple[Floats, Floats]:
        """The mean of some values over the old and over the new usages of every deal."""
        new_total, news = np.einsum("ki,ki->k", values, self.is_new), self.is_new.sum(axis=1)
        return (values.sum(axis=1) - new_total) / (values.shape[1] - news), new_total / news


Figure = Callable[[Deals], Floats]


def magnitude(deals: Deals) -> Floats:
    """f_SUS: the distance of the mean SUS of the old and of the new usages."""
    old, new = deals.sides(deals.sus)
    return np.abs(new - old)


def scope(deals: Deals) -> Floats:
    """g_SUS: the logarithm of the ratio of the variances of SUS, new to old."""
    old, new = (np.maximum(v, 0.0) for v in _variances(deals))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(new) - np.log(old)


def average_distance(deals: Deals) -> Floats:
    """APD: the mean cost between an old and a new usage."""
    new = deals.is_new.astype(deals.pooled.dtype)
    between = np.einsum("ki,ki->k", new @ deals.pooled, 1.0 - new)
    news = deals.is_new.sum(axis=1)
    return np.asarray(between / (news * (new.shape[1] - news)), dtype=np.float64)


def _variances(deals: Deals) -> tuple[Floats, Floats]:
    old, new = deals.sides(deals.sus)
    centred = deals.sus - np.where(deals.is_new, new[:, None], old[:, None])
    return deals.sides(centred**2)


def worse(deals: Deals) -> Floats:
    """How much worse than by chance usages are matched: a root mean square, the sides alike.

    Only what goes the way of a usage's own side counts, a new one's SUS above its mean by chance
    or an old one's below; the others are matched better because these are matched worse.  Squares
    weigh a few usages that stray far, as those of a sense do that came or went, above a little
    drift of all of them.  What is left of it beyond chance (``Null.beyond``) is the default score
    of change.
    """
    gone = np.maximum(np.where(deals.is_new, deals.excess, -deals.excess), 0.0)
    old, new = deals.sides(gone**2)
    return np.sqrt((old + new) / 2.0)


FIGURES: dict[str, Figure] = {
    "change": worse,
    "f_SUS": magnitude,
    "g_SUS": scope,
    "APD": average_distance,
}

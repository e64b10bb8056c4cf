"""What share of a word's usages each sense has in each period, and between which bounds.

Shares are of the usages that have a sense; strays are left out.  Intervals are Wilson's, which
cover a share of nearly none as well as one of a half.  Usages of one document hang together: where
documents are known, so many usages count as would vary as much if they did not (the design
effect), with Student's quantile for so many documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.senses.induction import STRAY, Labels

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Shares:
    """Senses × periods.

    Attributes
    ----------
    counts
        Usages of each sense in each period.
    effective
        Of each period, how many independent usages tell as much as those with a sense do.
    quantile
        Of each period, how many standard errors an interval spans on either side.
    """

    counts: Ints
    effective: Floats
    quantile: Floats

    @property
    def totals(self) -> Ints:
        """Usages with a sense, in each period."""
        totals: Ints = self.counts.sum(axis=0)
        return totals

    @property
    def share(self) -> Floats:
        """Of each sense in each period; NaN in a period without usages."""
        with np.errstate(invalid="ignore"):
            share: Floats = self.counts / self.totals
        return share

    def margins(self, old: int, new: int) -> Ints:
        """Of each sense what an exact test of two periods takes as given.

        How many usages of both have it, and how many each period has with any sense.
        """
        pair = self.counts[:, [old, new]]
        totals = np.broadcast_to(self.totals[[old, new]], pair.shape)
        return np.column_stack([pair.sum(axis=1), totals])

    @property
    def low(self) -> Floats:
        """Lower bounds of the shares; 0 in a period without usages."""
        return self._bounds[0]

    @property
    def high(self) -> Floats:
        """Upper bounds of the shares; 1 in a period without usages."""
        return self._bounds[1]

    @property
    def _bounds(self) -> tuple[Floats, Floats]:
        return wilson(np.nan_to_num(self.share), self.effective, self.quantile)


def count_shares(
    labels: Labels,
    periods: Labels,
    documents: ArrayLike | None = None,
    *,
    senses: int | None = None,
    number: int | None = None,
    level: float = LEVEL,
) -> Shares:
    """Count the senses of one word's usages.

    Parameters
    ----------
    labels, periods
        The sense of every usage (−1 for none) and its period, both as numbers from 0.
    documents
        The document of every usage, as anything that can be compared; None where not known.
    senses, number
        How many senses and periods there are, if more than are found.
    level
        Of the intervals.
    """
    labels, periods = np.asarray(labels), np.asarray(periods)
    if labels.shape != periods.shape or labels.ndim != 1:
        raise InputError(
            "Shares need one sense and one period for each usage, not arrays of shapes "
            f"{labels.shape} and {periods.shape}."
        )
    senses = int(labels.max(initial=STRAY)) + 1 if senses is None else senses
    number = int(periods.max(initial=-1)) + 1 if number is None else number
    owners = None if documents is None else np.unique(documents, return_inverse=True)[1]
    counts = np.zeros((senses, number), dtype=np.int64)
    known = labels != STRAY
    np.add.at(counts, (labels[known], periods[known]), 1)
    effective, quantile = np.empty(number), np.empty(number)
    for period in range(number):
        here = known & (periods == period)
        of = None if owners is None else owners[here]
        effective[period], quantile[period] = _worth(labels[here], of, senses, level)
    return Shares(counts, effective, quantile)


def moved(old: ArrayLike, new: ArrayLike) -> Floats:
    """How far shares are apart where steps are as wide as samples stray: Cohen's h.

    A sense that has 4 % where it had nothing moved as far as one that has 24 % instead of 10 %.

    >>> moved([0.0, 0.1, 0.5], [0.04, 0.24, 0.7]).round(2)
    array([0.4 , 0.38, 0.41])
    """
    before, after = (np.arcsin(np.sqrt(np.asarray(side, np.float64))) for side in (old, new))
    apart: Floats = 2.0 * np.abs(after - before)
    return apart


def wilson(share: ArrayLike, number: ArrayLike, quantile: ArrayLike) -> tuple[Floats, Floats]:
    """Wilson's bounds of shares of so many usages; 0 and 1 where there are none.

    >>> low, high = wilson([0.0, 0.5], 40, 1.96)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.352]), array([0.088, 0.648]))
    """
    p, n, z = (np.asarray(given, dtype=np.float64) for given in (share, number, quantile))
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2)
        low, high = centre - half, centre + half
    none = ~(n > 0) | ~np.isfinite(half)
    # A share of nothing begins at nothing, whatever the rounding.
    low = np.where(none | (p == 0.0), 0.0, np.clip(low, 0.0, 1.0))
    high = np.where(none | (p == 1.0), 1.0, np.clip(high, 0.0, 1.0))
    return low, high


def _worth(labels: Labels, owners: Ints | None, senses: int, level: float) -> tuple[float, float]:
    """So many independent usages, and the quantile for them."""
    from scipy.stats import norm, t

    tail = (1.0 + level) / 2.0
    if owners is None or not labels.size:
        return float(labels.size), float(norm.ppf(tail))
    found, sizes = np.unique(owners, return_counts=True)
    if found.size < 2:
        return 0.0, float(norm.ppf(tail))  # one document says nothing of others
    table = np.zeros((found.size, senses))
    np.add.at(table, (np.searchsorted(found, owners), labels), 1.0)
    share = table.sum(axis=0) / labels.size
    plain = labels.size * (share * (1.0 - share)).sum()
    spread = ((table - sizes[:, None] * share) ** 2).sum() * found.size / (found.size - 1)
    # Where nothing varies the design effect is not known: then documents count, not usages.
    effect = spread / plain if plain > 0.0 else labels.size / found.size
    return labels.size / max(effect, 1.0), float(t.ppf(tail, found.size - 1))

"""q of exact tests, with regard to what p so few usages can have at all.

With 25 usages a side Fisher's p can only take a few values, so that p ≤ t happens far less often
than t by chance.  Benjamini and Hochberg's q reckons with t all the same, and so is much too
strict.  Here every test counts with the chance that its own p is at most t (Heyse 2011; Döhler,
Durand and Roquain 2018).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from senseshift.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ALIKE = 1e-7  # numbers that differ by so small a part of themselves are one but for rounding


def attainable(having: int, old: int, new: int) -> tuple[Floats, Floats]:
    """Every p that Fisher's exact test, two-sided, can have, and how likely each is by chance.

    So many of all ``old`` and ``new`` usages are ``having`` what is counted; of which side they
    are is chance.  As in :func:`scipy.stats.fisher_exact`, p is the chance of all that is as
    unlikely as what was found, or more so.

    >>> p, chance = attainable(3, 3, 3)
    >>> p.round(3), chance.round(3)
    (array([0.1, 1. , 1. , 0.1]), array([0.05, 0.45, 0.45, 0.05]))
    """
    on_old = np.arange(max(0, having - new), min(having, old) + 1)
    ways = _log_ways(old, on_old) + _log_ways(new, having - on_old)
    chance = np.exp(ways - ways.max())
    chance /= chance.sum()
    rarest = np.sort(chance)
    as_rare = np.searchsorted(rarest, chance * (1.0 + ALIKE), side="right")
    return np.minimum(np.cumsum(rarest)[as_rare - 1], 1.0), chance


def discrete_q_values(p: ArrayLike, margins: ArrayLike, exact: ArrayLike | None = None) -> Floats:
    """The q of every p, over all of them; those that are not known (NaN) stay so and do not count.

    It says how many p of at most t are to be expected by chance for each that was found, at the
    best t from p on.  Calling everything with q ≤ α a finding is wrong for the share α of the
    findings, on average.  Where p can be anything this is Benjamini and Hochberg's q.

    Parameters
    ----------
    p
        Of each test.
    margins
        What :func:`attainable` is to know of each: a row with ``having``, ``old`` and ``new``.
    exact
        Which are of Fisher's exact test, all by default; any other p is taken for one that can be
        anything, as where documents were dealt.
    """
    values, table = np.asarray(p, dtype=np.float64), np.asarray(margins, dtype=np.int64)
    if values.ndim != 1 or table.shape != (values.size, 3):
        raise InputError(
            f"There are p of shape {values.shape} and margins of shape {table.shape}: "
            "give a row of three numbers for each p."
        )
    known = ~np.isnan(values)
    tested = known if exact is None else known & np.asarray(exact, dtype=np.bool_)
    levels, found = np.unique(values[known], return_counts=True)
    others = np.count_nonzero(known & ~tested)
    ratio = (_expected(levels, table[tested]) + others * levels) / np.cumsum(found)
    best = np.minimum(np.minimum.accumulate(ratio[::-1])[::-1], 1.0)
    q = np.full(values.shape, np.nan)
    q[known] = best[np.searchsorted(levels, values[known])]
    return q


def _expected(levels: Floats, margins: Ints) -> Floats:
    """How many of these tests have a p of at most each level by chance; levels rise."""
    chances = np.zeros(levels.size + 1)  # of p between two levels; the last is above them all
    reached = levels * (1.0 + ALIKE)
    for margin, times in zip(*np.unique(margins, axis=0, return_counts=True), strict=True):
        p, chance = attainable(*margin.tolist())
        np.add.at(chances, np.searchsorted(reached, p), times * chance)
    expected: Floats = np.cumsum(chances[:-1])
    return expected


def _log_ways(of: int, chosen: Ints) -> Floats:
    """Log of how many ways there are to choose so many of them, but for what all have in common."""
    ways: Floats = -gammaln(chosen + 1) - gammaln(of - chosen + 1)
    return ways

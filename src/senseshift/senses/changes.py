"""How each sense's share differs between two periods, and what chance makes of it.

Senses are induced without looking at periods, so that dealing the periods anew among the usages,
with the senses as they are, shows what differences chance makes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.measures.frequencies import entropy_difference
from senseshift.senses.bounds import credible
from senseshift.senses.induction import STRAY, Labels
from senseshift.senses.shares import LEVEL, Shares

Floats = NDArray[np.float64]

EQUAL = 1e-9  # differences that are as large but for rounding


@dataclass(frozen=True, eq=False)
class Changes:
    """One entry for each sense: the difference new − old of its share, with bounds and p-values.

    ``p`` is the permutation's where deals were given (which may be of whole documents), and the
    ``exact`` one (Fisher's, which takes usages for independent) where not.
    """

    difference: Floats
    low: Floats
    high: Floats
    exact: Floats
    p: Floats


def changes(
    shares: Shares,
    old: int,
    new: int,
    *,
    labels: Labels | None = None,
    periods: Labels | None = None,
    deals: ArrayLike | None = None,
) -> Changes:
    """Compare two periods.

    Parameters
    ----------
    shares
        Of all senses and periods.
    old, new
        Which two periods, as columns of the shares.
    labels, periods
        Sense and period of every usage; needed with deals only.
    deals
        Permuted periods, a row for each deal and a column for each usage (those of other periods
        too), without the one that was found.
    """
    low, high = shares.low, shares.high
    share = shares.share
    difference = share[:, new] - share[:, old]
    # Newcombe's hybrid of the two intervals, so that both tell the same story.
    below = np.hypot(share[:, new] - low[:, new], high[:, old] - share[:, old])
    above = np.hypot(high[:, new] - share[:, new], share[:, old] - low[:, old])
    unknown = np.isnan(difference)
    bounds = (
        np.where(unknown, -1.0, np.maximum(difference - below, -1.0)),
        np.where(unknown, 1.0, np.minimum(difference + above, 1.0)),
    )
    exact = _fisher(shares, old, new)
    if deals is None:
        return Changes(difference, *bounds, exact, exact)
    if labels is None or periods is None:
        raise InputError("Deals of the periods need the sense and the period of every usage too.")
    p = _permutation(np.asarray(labels), np.asarray(periods), np.asarray(deals), shares, old, new)
    return Changes(difference, *bounds, exact, p)


def entropy_change(
    shares: Shares, old: int, new: int, *, level: float = LEVEL, seed: int = 0
) -> tuple[float, float, float]:
    """Entropy of the new shares less that of the old ones (natural logarithm), with its bounds.

    The bounds are of what shares are credible by so many independent usages (Dirichlet, with
    a prior worth one usage in all). All are NaN where a period has no usages.
    """
    from scipy.special import entr

    first, second = shares.counts[:, old], shares.counts[:, new]
    if not (first.sum() and second.sum()):
        return float("nan"), float("nan"), float("nan")
    found = entropy_difference(first, second)
    drawn = [entr(side).sum(axis=1) for side in credible(shares, old, new, level=level, seed=seed)]
    tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    low, high = np.quantile(drawn[1] - drawn[0], tails).tolist()
    # The prior draws both towards even shares; what was found is always between the bounds.
    return found, min(low, found), max(high, found)


def log_ratio(shares: Shares, old: int, new: int) -> Floats:
    """How many times its old share the new share of each sense is, as a logarithm.

    Half a usage is added to every count, so that a sense of one period has a number too.
    """
    first, second = (shares.counts[:, side] + 0.5 for side in (old, new))
    totals = shares.totals[[old, new]] + 0.5
    ratio: Floats = np.log(second / totals[1]) - np.log(first / totals[0])
    return ratio


def _fisher(shares: Shares, old: int, new: int) -> Floats:
    """Fisher's exact test of each sense against all the others; NaN without usages."""
    from scipy.stats import fisher_exact

    totals = shares.totals[[old, new]]
    if not totals.all():
        return np.full(shares.counts.shape[0], np.nan)
    pairs = shares.counts[:, [old, new]]
    tables = ([pair.tolist(), (totals - pair).tolist()] for pair in pairs)
    return np.array([fisher_exact(table).pvalue for table in tables], dtype=np.float64)


def _permutation(
    labels: Labels, periods: Labels, deals: NDArray[np.integer], shares: Shares, old: int, new: int
) -> Floats:
    """How often a deal has as large a difference; the one found is one of them."""
    if deals.ndim != 2 or deals.shape[1] != labels.size or periods.shape != labels.shape:
        raise InputError(
            f"Deals are a row of periods for each deal with a column for each of the {labels.size} "
            f"usages, not an array of shape {deals.shape}."
        )
    senses = shares.counts.shape[0]
    member = np.zeros((labels.size, senses), dtype=np.float32)
    known = np.flatnonzero(labels != STRAY)
    member[known, labels[known]] = 1.0

    def difference(rows: NDArray[np.integer]) -> Floats:
        sides = [(rows == side).astype(np.float32) @ member for side in (old, new)]
        with np.errstate(invalid="ignore"):
            first, second = (side / side.sum(axis=1, keepdims=True) for side in sides)
        result: Floats = np.abs(second - first).astype(np.float64)
        return result

    found = difference(periods[None])
    dealt = np.nan_to_num(difference(deals))  # a deal without usages with a sense on one side
    hits = (dealt >= found * (1.0 - 1e-6) - EQUAL).sum(axis=0)
    p: Floats = np.where(np.isnan(found[0]), np.nan, (1 + hits) / (1 + deals.shape[0]))
    return p

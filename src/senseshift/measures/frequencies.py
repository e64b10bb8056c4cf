"""Measures of sense frequency distributions (SFDs), whoever found the senses.

X_k and Y_k are the numbers of old and of new usages in sense k; P and Q are their shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SenseFrequencies:
    """The sense frequency distributions X and Y of one word (the paper's SFDs)."""

    senses: NDArray[np.generic]
    old: NDArray[np.int64]
    new: NDArray[np.int64]

    @property
    def old_share(self) -> Floats:
        """P, the shares of the senses among the old usages."""
        share: Floats = self.old / max(self.old.sum(), 1)
        return share

    @property
    def new_share(self) -> Floats:
        """Q, the shares of the senses among the new usages."""
        share: Floats = self.new / max(self.new.sum(), 1)
        return share


def sense_frequencies(
    old: ArrayLike, new: ArrayLike, *, unknown: object = None
) -> SenseFrequencies:
    """Count the senses of old and new usages; those labelled ``unknown`` are left out."""
    x, y = np.asarray(old), np.asarray(new)
    if x.ndim != 1 or y.ndim != 1:
        raise InputError(
            f"Senses are one label for each usage, not arrays of shapes {x.shape} and {y.shape}."
        )
    if unknown is not None:
        x, y = x[x != unknown], y[y != unknown]
    senses = np.unique(np.concatenate((x, y)))
    return SenseFrequencies(
        senses,
        np.bincount(np.searchsorted(senses, x), minlength=senses.size),
        np.bincount(np.searchsorted(senses, y), minlength=senses.size),
    )


def jsd(p: ArrayLike, q: ArrayLike, base: float = 2.0) -> float:
    """Jensen–Shannon distance f(P, Q): the square root of the divergence, 0 … 1 to base 2."""
    from scipy.spatial.distance import jensenshannon

    with np.errstate(invalid="ignore"):  # rounding may leave shares almost alike less than nothing
        distance = float(jensenshannon(_share(p), _share(q), base))
    return 0.0 if np.isnan(distance) else distance


def entropy_difference(p: ArrayLike, q: ArrayLike) -> float:
    """g(P, Q) = H(Q) − H(P), natural logarithm: positive where meaning broadened."""
    from scipy.special import entr

    return float(entr(_share(q)).sum() - entr(_share(p)).sum())


def tau(frequencies: SenseFrequencies) -> Floats:
    """τ of every sense, log(Q_k/P_k): −inf for a sense lost, +inf for a sense gained."""
    # A quotient of whole numbers: senses that changed alike have the very same τ, in all words.
    old, new = frequencies.old, frequencies.new
    with np.errstate(divide="ignore"):
        scores: Floats = np.log((new * max(old.sum(), 1)) / (old * max(new.sum(), 1)))
    return scores


def usage_tau(
    old: ArrayLike, new: ArrayLike, *, unknown: object = None, compat: bool = False
) -> tuple[Floats, Floats]:
    """τ of every usage, that of its sense; NaN for a usage labelled ``unknown``.

    With ``compat`` as in the published code: a label is taken for a place among the sorted labels,
    which is another sense where labels have gaps.  Labels beyond the last place, at which that code
    stops, are NaN.
    """
    frequencies = sense_frequencies(old, new, unknown=unknown)
    senses, scores = frequencies.senses, tau(frequencies)
    if compat:
        senses = np.arange(senses.size)
        with np.errstate(divide="ignore"):  # a quotient of quotients, some equal ones differ by it
            scores = np.log(frequencies.new_share / frequencies.old_share)

    def look_up(labels: ArrayLike) -> Floats:
        x = np.asarray(labels)
        if not scores.size:
            return np.full(x.size, np.nan)
        place = np.minimum(np.searchsorted(senses, x), scores.size - 1)
        return np.where(senses[place] == x, scores[place], np.nan)

    return look_up(old), look_up(new)


def impute(scores: Sequence[Floats], *, compat: bool = False) -> list[Floats]:
    """Replace infinite τ by the largest and smallest finite one over all the words given.

    +inf never becomes negative nor −inf positive, which matters only where a few words have no
    finite τ of that sign.  Where there is no finite τ at all, only the sign is known: ±1.  With
    ``compat`` the sign is not looked after, and without a finite τ all become 0, as published.
    """
    finite = np.concatenate([np.empty(0), *(s[np.isfinite(s)] for s in scores)])
    if not finite.size:
        high, low = (0.0, 0.0) if compat else (1.0, -1.0)
    else:
        high, low = finite.max(), finite.min()
        if not compat:
            high, low = max(high, 0.0), min(low, 0.0)
    return [np.where(s == np.inf, high, np.where(s == -np.inf, low, s)) for s in scores]


def _share(counts: ArrayLike) -> Floats:
    array = np.asarray(counts, dtype=np.float64)
    if array.ndim != 1 or (array < 0.0).any() or not 0.0 < array.sum() < np.inf:
        raise InputError("A sense frequency distribution needs counts, at least one above zero.")
    share: Floats = array / array.sum()
    return share

"""From scores of single usages to scores of a word.

α_i and β_j stand for the scores of the old and the new usages: SUS, or LDR.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Floats = NDArray[np.float64]

NO_SPREAD = 1e-12  # scores whose standard deviation, against their size or 1, is below are equal


def mean_difference(old: ArrayLike, new: ArrayLike) -> float:
    """|mean α − mean β|: f_SUS of SUS, f_LDR of LDR."""
    return float(abs(np.asarray(old).mean() - np.asarray(new).mean()))


def log_variance_ratio(old: ArrayLike, new: ArrayLike) -> float:
    """log(V_T/V_S), population variances: g_SUS of SUS, g_LDR of LDR.

    0 where neither side varies, ±inf where one does, NaN with fewer than two usages on a side,
    whose spread nobody can know.
    """
    alpha, beta = np.asarray(old, dtype=np.float64), np.asarray(new, dtype=np.float64)
    if min(alpha.size, beta.size) < 2:
        return float("nan")
    spreads = [float(np.std(side)) for side in (alpha, beta)]
    scale = max(1.0, float(np.abs(alpha).max()), float(np.abs(beta).max()))
    old_spread, new_spread = (0.0 if s <= NO_SPREAD * scale else s for s in spreads)
    if old_spread == new_spread == 0.0:
        return 0.0
    with np.errstate(divide="ignore"):
        return float(2.0 * (np.log(new_spread) - np.log(old_spread)))


def f_1(old: ArrayLike, new: ArrayLike) -> float:
    """f_1 = Σ|α_i| + Σ|β_j|."""
    return float(np.abs(old).sum() + np.abs(new).sum())


def f_2(old: ArrayLike, new: ArrayLike, theta: float) -> float:
    """f_2 = −Σ α_i over α_i < −θ, plus Σ β_j over β_j > θ."""
    lost, gained = _beyond(old, new, theta)
    return gained - lost


def g_1(old: ArrayLike, new: ArrayLike, theta: float) -> float:
    """g_1 = Σ α_i over α_i < −θ, plus Σ β_j over β_j > θ."""
    lost, gained = _beyond(old, new, theta)
    return gained + lost


def largest(words: Iterable[tuple[ArrayLike, ArrayLike]]) -> float:
    """M: the largest |α| or |β| over a set of words, given as pairs of old and new scores."""
    found = [np.abs(side).max() for pair in words for side in pair if np.size(side)]
    if not found:
        raise InputError("A threshold needs at least one word with scores.")
    return float(max(found))


def threshold(r: float, words: Iterable[tuple[ArrayLike, ArrayLike]]) -> float:
    """θ = r·M, the share r of the largest score over a set of words."""
    if not 0.0 <= r <= 1.0:
        raise InputError(f"r is {r}: the threshold is a share from 0 to 1 of the largest score.")
    return r * largest(words)


def _beyond(old: ArrayLike, new: ArrayLike, theta: float) -> tuple[float, float]:
    alpha, beta = np.asarray(old), np.asarray(new)
    return float(alpha[alpha < -theta].sum()), float(beta[beta > theta].sum())

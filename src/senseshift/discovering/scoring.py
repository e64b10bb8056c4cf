"""A first score of a word from few usages: how far its sense distributions lie apart.

With the chance that two usages differ in sense as their cost, twice the mean cost between an old
and a new usage less the mean costs within either side estimates Σ (p − q)², where p and q are the
shares of the senses in the two periods: 2·0.4² where 40 points moved from one sense to another.
Only pairs of different documents count, so that neither the size of a sample nor that usages of one
document hang together makes it larger: without a change it is 0 in the mean, whatever the sample.
Scores are square roots of half of it with its sign: about the share that moved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.resampling.deals import Dealer
from senseshift.vectors import cosine_cost, unit

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

LOOKS = (999, 9_999)  # deals after which p is looked at
CLEAR = 0.02  # p up to which it is worth looking again
PART = 500  # deals that are worked on at once


def pooled_cost(vectors: Floats, calibration: Calibration | None) -> Floats:
    """What it costs to match any two usages of a word."""
    units = unit(vectors.astype(np.float64), "usage")
    cost = cosine_cost(units, units)
    return cost if calibration is None else calibration.cost(cost)


def moved(cost: Floats, is_new: Bools, documents: Ints | None) -> float:
    """The score of one word: about the share of its usages that moved to another sense."""
    apart, weighed = _apart(cost, is_new, documents)
    return float(_scores(weighed, apart, is_new[None].astype(np.float64))[0])


def chance(
    cost: Floats, is_new: Bools, documents: Ints | None, seed: tuple[int, ...]
) -> tuple[float, float]:
    """The score, and how often documents dealt at random to the periods have as large a one."""
    apart, weighed = _apart(cost, is_new, documents)
    dealer = Dealer(is_new.astype(np.int64), documents, seed)
    found = float(_scores(weighed, apart, is_new[None].astype(np.float64))[0])
    if np.isnan(found):
        return found, float("nan")
    done = hits = 0
    for look in LOOKS:
        while done < look:
            stop = min(done + PART, look)
            dealt = _scores(weighed, apart, dealer.draw(done, stop).astype(np.float64))
            hits += int((dealt >= found - 1e-12).sum() + np.isnan(dealt).sum())
            done = stop
        if (1 + hits) / (1 + done) > CLEAR:
            break
    return found, (1 + hits) / (1 + done)


def _apart(cost: Floats, is_new: Bools, documents: Ints | None) -> tuple[Floats, Floats]:
    """Which pairs are of different documents, and the costs of these."""
    blocks = Dealer(is_new.astype(np.int64), documents).blocks
    apart = (blocks[:, None] != blocks).astype(np.float64)
    return apart, cost * apart


def _scores(weighed: Floats, apart: Floats, new: Floats) -> Floats:
    """Of each row, which says who is new."""
    old = 1.0 - new
    cost_new, pairs_new = new @ weighed, new @ apart
    between = np.einsum("ki,ki->k", cost_new, old) / np.einsum("ki,ki->k", pairs_new, old)
    with np.errstate(invalid="ignore", divide="ignore"):
        within_new = np.einsum("ki,ki->k", cost_new, new) / np.einsum("ki,ki->k", pairs_new, new)
        cost_old, pairs_old = weighed.sum(axis=0) - cost_new, apart.sum(axis=0) - pairs_new
        within_old = np.einsum("ki,ki->k", cost_old, old) / np.einsum("ki,ki->k", pairs_old, old)
    half = between - (within_old + within_new) / 2.0
    return np.sign(half) * np.sqrt(np.abs(half))

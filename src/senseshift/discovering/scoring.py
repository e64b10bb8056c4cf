"""The score of a word: how far its sense distributions in the two periods lie apart.

With the chance that two usages differ in sense as their cost, twice the mean cost between an old
and a new usage less the mean costs within either side estimates Σ (p − q)², where p and q are the
shares of the senses in the two periods. A score is half of it: 0.4² where 40 points moved from one
sense to another. Only pairs of different documents count, so that neither the size of a sample nor
that usages of one document hang together makes it larger: where nothing changed it is 0 in the
mean, however few usages there are. That is what a first look at few of them needs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.resampling.deals import Dealer
from senseshift.vectors import cosine_cost, unit

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

DEALS = 99  # of a first look: enough to see how far chance strays
LOOKS = (999, 9_999)  # deals of a full look, after which p is looked at
CLEAR = 0.02  # p up to which it is worth looking again
PART = 500  # deals that are worked on at once


class Scorer:
    """One word's usages, to be scored as they are and as documents are dealt to the periods."""

    def __init__(
        self,
        vectors: NDArray[np.floating],
        is_new: Bools,
        documents: Ints | None,
        calibration: Calibration | None,
        seed: Sequence[int],
    ) -> None:
        units = unit(vectors.astype(np.float64), "usage")
        cost = cosine_cost(units, units)
        self._dealer = Dealer(is_new.astype(np.int64), documents, seed)
        blocks = self._dealer.blocks
        self._apart = (blocks[:, None] != blocks).astype(np.float64)
        self._cost = (cost if calibration is None else calibration.cost(cost)) * self._apart
        self.found = float(self._scores(is_new[None].astype(np.float64))[0])

    def dealt(self, start: int = 0, stop: int = DEALS) -> Floats:
        """The scores of some deals."""
        parts = [
            self._scores(self._dealer.draw(at, min(at + PART, stop)).astype(np.float64))
            for at in range(start, stop, PART)
        ]
        return np.concatenate(parts)

    def chance(self) -> tuple[float, float]:
        """How often a deal has as large a score, and how far deals stray."""
        if np.isnan(self.found):
            return float("nan"), float("nan")
        scores = np.empty(0)
        p = 1.0
        for look in LOOKS:
            scores = np.concatenate([scores, self.dealt(scores.size, look)])
            hits = (scores >= self.found - 1e-12) | np.isnan(scores)
            p = float((1 + hits.sum()) / (1 + scores.size))
            if p > CLEAR:
                break
        return p, float(np.nanstd(scores))

    def _scores(self, new: Floats) -> Floats:
        """Of each row, which says who is new; NaN where a side is all of one document."""
        old = 1.0 - new
        cost_new, pairs_new = new @ self._cost, new @ self._apart
        cost_old = self._cost.sum(axis=0) - cost_new
        pairs_old = self._apart.sum(axis=0) - pairs_new

        def mean(cost: Floats, pairs: Floats, others: Floats) -> Floats:
            total, count = ((x * others).sum(axis=1) for x in (cost, pairs))
            result: Floats = np.full(len(new), np.nan)
            np.divide(total, count, out=result, where=count > 0.5)
            return result

        within = (mean(cost_old, pairs_old, old) + mean(cost_new, pairs_new, new)) / 2.0
        return mean(cost_new, pairs_new, old) - within


def moved(scores: Floats) -> Floats:
    """About the share of the usages that moved to another sense, by their scores."""
    return np.sqrt(np.maximum(scores, 0.0))

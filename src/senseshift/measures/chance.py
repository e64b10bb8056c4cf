"""What chance does: the same usages of a word, dealt to the two periods at random.

No SUS is exactly zero, and how much of it means nothing depends on the word: on how many usages it
has and how far apart they lie. Dealing the word's usages at random and solving again shows it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from senseshift.measures.scores import mean_difference
from senseshift.transport import Splits, solve_many
from senseshift.transport.problem import Penalty
from senseshift.vectors import Weighting, cosine_cost, unit, weigh

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

MOST = 1_000  # usages that are dealt; with more of them chance only does less


def deal(
    vectors: Floats,
    is_new: Bools,
    deals: int,
    *,
    rho: float | None = None,
    lam: Penalty | None = None,
    weights: Weighting = "uniform",
    seed: int = 0,
) -> tuple[Splits, NDArray[np.bool_]]:
    """Transport of the usages as they are and of so many random deals, and who is new in each.

    Of more than a thousand usages a sample is dealt, in which the periods keep their proportion.
    """
    rng = np.random.default_rng(seed)
    kept = _sample(is_new, rng)
    sides = is_new[kept]
    splits = np.array([sides, *(rng.permutation(sides) for _ in range(deals))])
    if lam is not None:  # λ answers the same question where it grows with the number of usages
        lam = (np.asarray(lam, dtype=np.float64) * kept.size / is_new.size).tolist()
    units = unit(vectors[kept], "vectors")
    cost, mass = cosine_cost(units, units), weigh(vectors[kept], weights)
    return solve_many(cost, splits, mass, rho=rho, lam=lam), splits


def p_value(dealt: Splits, splits: NDArray[np.bool_]) -> float:
    """How often a random deal has a magnitude f_SUS as large as the word's own.

    The word's own deal counts as one of them, so that no p-value is zero.
    """
    magnitudes = np.array(
        [mean_difference(sus[~new], sus[new]) for sus, new in zip(dealt.sus, splits, strict=True)]
    )
    # Deals that only differ by rounding are as large.
    return float(np.mean(magnitudes >= magnitudes[0] * (1 - 1e-9)))


def _sample(is_new: Bools, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows to deal: all of them, or so many of either period that their proportion stays."""
    if is_new.size <= MOST:
        return np.arange(is_new.size)
    sides = (np.flatnonzero(~is_new), np.flatnonzero(is_new))
    counts = (max(1, round(MOST * side.size / is_new.size)) for side in sides)
    return np.concatenate(
        [rng.choice(side, count, replace=False) for side, count in zip(sides, counts, strict=True)]
    )

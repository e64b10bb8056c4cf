"""How far a usage's SUS goes by chance alone, when the same usages are dealt to both periods.

A SUS is never exactly zero, and how much of it means nothing depends on the word: on how many
usages it has and how far they lie apart. Dealing the word's usages to the two periods at random
and solving again shows what chance does; what goes beyond that is worth a sentence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from senseshift.transport import solve_many
from senseshift.vectors import cosine_cost, unit, weigh

Floats = NDArray[np.float64]

DEALS = 100
BEYOND = 0.98  # of the usages of random deals have a smaller |SUS|
MOST = 1_000  # usages that are dealt; with more of them SUS by chance only becomes smaller


def chance_sus(vectors: Floats, is_new: NDArray[np.bool_], settings: dict[str, Any]) -> float:
    """The |SUS| that only two usages in a hundred exceed where old and new are dealt at random.

    Parameters
    ----------
    vectors
        Of the old and the new usages.
    is_new
        Which of them are new.
    settings
        Of the study: ``rho``, ``lam`` and ``weights`` count here.
    """
    rng = np.random.default_rng(0)
    kept = _sample(is_new, rng)
    units = unit(vectors[kept], "vectors")
    sides = is_new[kept]
    lam = settings.get("lam")
    if lam is not None:  # λ answers the same question where it grows with the number of usages
        lam = (np.asarray(lam, dtype=np.float64) * kept.size / is_new.size).tolist()
    dealt = solve_many(
        cosine_cost(units, units),
        np.array([rng.permutation(sides) for _ in range(DEALS)]),
        weigh(vectors[kept], settings.get("weights", "uniform")),
        rho=settings.get("rho"), lam=lam,
    )  # fmt: skip
    return float(np.quantile(np.abs(dealt.sus), BEYOND))


def _sample(is_new: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows to deal: all of them, or so many of either period that their proportion stays."""
    if is_new.size <= MOST:
        return np.arange(is_new.size)
    sides = (np.flatnonzero(~is_new), np.flatnonzero(is_new))
    counts = (max(1, round(MOST * side.size / is_new.size)) for side in sides)
    return np.concatenate(
        [rng.choice(side, count, replace=False) for side, count in zip(sides, counts, strict=True)]
    )

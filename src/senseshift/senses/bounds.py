"""Between which bounds figures of a word lie that follow from its senses' shares.

Shares are drawn that so many independent usages make credible (Dirichlet, with a prior worth one
usage in all).  A figure that cannot be negative is larger in a draw than in truth; so, as with
halves of the usages, only how far draws stray counts, laid around what was found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from senseshift.senses.shares import LEVEL, Shares

Floats = NDArray[np.float64]
Bounds = tuple[float, float]

DRAWS = 4_000


def credible(
    shares: Shares, old: int, new: int, *, level: float = LEVEL, seed: int = 0
) -> tuple[Floats, Floats]:
    """Shares of the senses in both periods that may be the true ones: draws × senses."""
    from scipy.stats import norm

    rng = np.random.default_rng(seed)
    # With few documents less is known than the number of usages says, as in the other intervals.
    worth = shares.effective * (float(norm.ppf((1.0 + level) / 2.0)) / shares.quantile) ** 2
    prior = 1.0 / shares.counts.shape[0]
    first, second = (
        rng.dirichlet(shares.share[:, side] * worth[side] + prior, DRAWS) for side in (old, new)
    )
    return first, second


def distance_bounds(shares: Shares, old: int, new: int, *, level: float = LEVEL) -> Bounds:
    """Bounds of the Jensen–Shannon distance of the shares; 0 and 1 where a period has none."""
    from scipy.stats import norm

    if not (shares.totals[[old, new]].all() and shares.counts.size):
        return 0.0, 1.0
    found = _distance(shares.share[:, old], shares.share[:, new])
    strays = _distance(*credible(shares, old, new, level=level)).std()
    reach = float(norm.ppf((1.0 + level) / 2.0) * strays)
    return max(0.0, float(found) - reach), min(1.0, float(found) + reach)


def _distance(p: Floats, q: Floats) -> Floats:
    """The Jensen–Shannon distance to base 2, as the measure f_senses has it, of many rows."""
    from scipy.special import entr

    both = entr((p + q) / 2.0).sum(axis=-1)
    divergence = (both - (entr(p).sum(axis=-1) + entr(q).sum(axis=-1)) / 2.0) / np.log(2.0)
    result: Floats = np.sqrt(np.maximum(divergence, 0.0))
    return result

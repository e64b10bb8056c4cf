"""How far a usage's SUS goes by chance alone; what goes beyond that is worth a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from senseshift.measures.chance import deal

Floats = NDArray[np.float64]

DEALS = 100
BEYOND = 0.98  # of the usages of random deals have a smaller |SUS|


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
    dealt, _ = deal(
        vectors, is_new, DEALS,
        rho=settings.get("rho"), lam=settings.get("lam"),
        weights=settings.get("weights", "uniform"),
    )  # fmt: skip
    return float(np.quantile(np.abs(dealt.sus[1:]), BEYOND))

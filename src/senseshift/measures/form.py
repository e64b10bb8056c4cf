"""Form-based magnitudes that need no transport: distances between two sets of unit vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def f_apd(unit_old: Floats, unit_new: Floats) -> float:
    """f_APD, the average pairwise cosine distance, as 1 − ū·v̄ of the mean unit vectors."""
    return float(1.0 - unit_old.mean(axis=0) @ unit_new.mean(axis=0))


def f_prt(old: Floats, new: Floats) -> float:
    """f_PRT, the cosine distance between the means of the vectors as they are (prototypes).

    1 where a mean is zero and points nowhere.
    """
    u, v = old.mean(axis=0), new.mean(axis=0)
    lengths = float(np.linalg.norm(u) * np.linalg.norm(v))
    return float(1.0 - u @ v / lengths) if lengths > 0.0 else 1.0

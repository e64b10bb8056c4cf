"""How far the usages of a period are spread: the chance that two of them differ in sense.

Entropy counts senses that lie side by side as much as senses that have nothing in common, and so
is larger where a sense was taken for several. This looks at no senses, only at how far usages lie
apart, and is used beside it: a word broadened where both say so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.calibration import Calibration
from senseshift.resampling.bootstrap import reach_of
from senseshift.senses.induction import MOST, canonical
from senseshift.senses.shares import LEVEL
from senseshift.vectors import as_vectors, unit

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """Of the usages of one period.

    Attributes
    ----------
    chance
        That two of them differ in sense; NaN of fewer than two.
    error
        Its standard error; NaN where all are of one document.
    units
        Of how many usages, or documents, it is known.
    """

    chance: float
    error: float
    units: int


def spread(
    vectors: ArrayLike,
    calibration: Calibration,
    documents: ArrayLike | None = None,
    *,
    most: int = MOST,
    seed: int = 0,
) -> Spread:
    """How far some usages are spread.

    Parameters
    ----------
    vectors
        A row for each usage.
    calibration
        What a distance between two of them means.
    documents
        The document of each, as anything that can be compared; None where not known.
    most, seed
        Of more usages than this a sample is looked at, drawn by the seed.
    """
    units = unit(as_vectors(vectors, "given"), "given")
    rows = canonical(units)  # so that it does not matter how they came
    if rows.size > most:
        rows = rows[np.random.default_rng(seed).choice(rows.size, most, replace=False)]
    count = rows.size
    if count < 2:
        return Spread(float("nan"), float("nan"), count)
    cost = calibration.cost(1.0 - units[rows] @ units[rows].T)
    np.fill_diagonal(cost, 0.0)
    each = cost.sum(axis=1) / (count - 1)
    owners = np.arange(count) if documents is None else np.asarray(documents)[rows]
    _, owner = np.unique(owners, return_inverse=True)
    own = np.bincount(owner, each - each.mean())
    if own.size < 2:  # one document says nothing of others
        return Spread(float(each.mean()), float("nan"), 1)
    # A usage stands in its own pairs and on the other side of the others'.
    variance = 4.0 * (own**2).sum() / count**2 * own.size / (own.size - 1)
    return Spread(float(each.mean()), float(np.sqrt(variance)), own.size)


def spread_change(old: Spread, new: Spread, level: float = LEVEL) -> tuple[float, float, float]:
    """The chance among new usages less that among old ones, with its bounds; NaN if not known."""
    found, error = new.chance - old.chance, float(np.hypot(old.error, new.error))
    reach = reach_of(error, min(old.units, new.units), level)
    return found, found - reach, found + reach

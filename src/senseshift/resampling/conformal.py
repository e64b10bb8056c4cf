"""Where a word stands among comparable words, and p-values of many words at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Floats = NDArray[np.float64]


def conformal_p(
    targets: ArrayLike, controls: ArrayLike, weights: ArrayLike | None = None
) -> Floats:
    """(1 + #{controls ≥ target}) / (1 + #controls) for every target.

    Valid for a target that is drawn as the controls are, whatever their distribution: a word that
    is nothing special has p ≤ α in at most the share α of all cases.  A control as large as the
    target counts.

    Parameters
    ----------
    targets, controls
        Their scores.  A score that is not known (NaN) gives no p-value and is no control.
    weights
        How comparable each control is to the targets, such as how alike their frequencies are:
        one weight for each control, or a row for each target.  The target itself counts as a
        control of weight 1, so weights belong between 0 and 1; all are 1 by default.
    """
    scores = np.atleast_1d(np.asarray(targets, dtype=np.float64))
    others = np.atleast_1d(np.asarray(controls, dtype=np.float64))
    known = ~np.isnan(others)
    counts = np.ones(others.size) if weights is None else np.asarray(weights, dtype=np.float64)
    if counts.shape not in ((others.size,), (scores.size, others.size)):
        raise InputError(
            f"The weights have the shape {counts.shape}: give one for each of the {others.size} "
            f"controls, or that for each of the {scores.size} targets."
        )
    if not ((counts >= 0) & (counts <= 1)).all():
        raise InputError("The weights of the controls must be from 0 to 1.")
    counts = np.where(known, counts, 0.0)
    as_large = others >= scores[:, None]
    p = (1.0 + (as_large * counts).sum(axis=1)) / (1.0 + counts.sum(axis=-1))
    return np.where(np.isnan(scores), np.nan, p)


def exceeds(targets: ArrayLike, controls: ArrayLike) -> Floats:
    """The share of the controls that each target is above; "more than x % of comparable words"."""
    scores = np.atleast_1d(np.asarray(targets, dtype=np.float64))
    others = np.atleast_1d(np.asarray(controls, dtype=np.float64))
    others = others[~np.isnan(others)]
    if not others.size:
        return np.full(scores.size, np.nan)
    return np.where(np.isnan(scores), np.nan, (others < scores[:, None]).mean(axis=1))


def q_values(p: ArrayLike) -> Floats:
    """Benjamini and Hochberg's q of every p-value; those that are not known (NaN) stay so.

    Calling everything with q ≤ α a finding is wrong for the share α of the findings, on average.
    """
    from scipy.stats import false_discovery_control

    values = np.asarray(p, dtype=np.float64)
    known = ~np.isnan(values)
    result = np.full(values.shape, np.nan)
    if known.any():
        result[known] = false_discovery_control(values[known])
    return result

"""Weights as whole numbers, rounded so that the product with the inputs that were seen loses least.

Column by column each rounding's error is passed on to the columns that are still to come, as far as
their inputs go together (optimal brain quantisation in the order of GPTQ, Frantar et al. 2023).
"""

from __future__ import annotations

import numpy as np

CUTS = np.linspace(0.7, 1.0, 13)  # of the largest weight, as the end of the scale
DAMPING = 0.01
COLUMNS = 128  # whose errors are passed on to the rest at once


def nearest(weight: np.ndarray, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers from −largest to largest, and the scale of every row."""
    scale = np.maximum(np.abs(weight).max(axis=1), 1e-12) / largest
    return np.round(weight / scale[:, None]), scale.astype(np.float32)


def rounded(
    weight: np.ndarray, covariance: np.ndarray, largest: int
) -> tuple[np.ndarray, np.ndarray]:
    """The same for inputs of this covariance."""
    scale = _scales(weight, np.diag(covariance), largest)
    order = np.argsort(-np.diag(covariance), kind="stable")  # The loudest inputs go first.
    damped = covariance[np.ix_(order, order)] + DAMPING * np.diag(covariance).mean() * np.eye(
        len(order)
    )
    # Row j of the upper factor says how the inputs after j can stand in for j.
    factor = np.linalg.cholesky(np.linalg.inv(damped)).T
    left = weight[:, order].astype(np.float64)
    whole = np.empty_like(left)
    for start in range(0, len(order), COLUMNS):
        end = min(start + COLUMNS, len(order))
        errors = np.empty((len(left), end - start))
        for j in range(start, end):
            whole[:, j] = np.clip(np.round(left[:, j] / scale), -largest, largest)
            error = (left[:, j] - whole[:, j] * scale) / factor[j, j]
            left[:, j:end] -= np.outer(error, factor[j, j:end])
            errors[:, j - start] = error
        left[:, end:] -= errors @ factor[start:end, end:]
    found = np.empty_like(whole)
    found[:, order] = whole
    return found, scale.astype(np.float32)


def _scales(weight: np.ndarray, variance: np.ndarray, largest: int) -> np.ndarray:
    """For every row the one of least error, if each weight is rounded by itself."""
    _, whole_range = nearest(weight, largest)
    best, found = np.full(len(weight), np.inf), whole_range.astype(np.float64)
    for cut in CUTS:
        scale = whole_range * cut
        made = np.clip(np.round(weight / scale[:, None]), -largest, largest) * scale[:, None]
        error = np.square(made - weight) @ variance
        better = error < best
        best[better], found[better] = error[better], scale[better]
    return found

"""The question put to a solver: costs, weights and penalties, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Floats = NDArray[np.float64]
Penalty = float | Sequence[float]


@dataclass(frozen=True, eq=False)
class Problem:
    """``min <C,T> + Σ λ_i/2 (x_i − a_i)² + Σ λ_j/2 (y_j − b_j)²`` over T ≥ 0, x = T1, y = Tᵀ1."""

    cost: NDArray[np.floating]
    a: Floats
    b: Floats
    old_penalty: Floats
    new_penalty: Floats

    @property
    def weight(self) -> Floats:
        """Both sides' weights, old first."""
        return np.concatenate((self.a, self.b))

    @property
    def slack(self) -> Floats:
        """1/λ of every node, old first."""
        return 1.0 / np.concatenate((self.old_penalty, self.new_penalty))


def as_cost(cost: ArrayLike) -> NDArray[np.floating]:
    """A finite, non-empty, C-ordered matrix; float32 is kept, all else becomes float64."""
    matrix = np.asarray(cost)
    if matrix.ndim != 2:
        raise InputError(
            f"The cost must be a matrix (old usages × new usages), not of shape {matrix.shape}."
        )
    if 0 in matrix.shape:
        raise InputError(
            f"The cost matrix of shape {matrix.shape} has an empty side: "
            "transport needs at least one old and one new usage."
        )
    if matrix.dtype != np.float32:
        try:
            matrix = matrix.astype(np.float64, copy=False)
        except (TypeError, ValueError):
            raise InputError(f"The cost must hold numbers, not {matrix.dtype}.") from None
    # The extremes are finite only if all entries are, and need no second matrix.
    if not (np.isfinite(matrix.min()) and np.isfinite(matrix.max())):
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        raise InputError(
            f"The cost at row {row}, column {column} is {matrix[row, column]}: "
            "every cost must be a finite number."
        )
    return np.ascontiguousarray(matrix)


def as_weights(weights: ArrayLike | None, name: str, count: int) -> Floats:
    """Positive weights, one per usage; uniform and of total 1 where none are given."""
    if weights is None:
        return np.full(count, 1.0 / count)
    array = np.array(weights, dtype=np.float64)
    if array.shape != (count,):
        raise InputError(
            f"The weights {name} have shape {array.shape}, but the cost has {count} usages there: "
            f"give {count} weights."
        )
    bad = np.flatnonzero(~(np.isfinite(array) & (array > 0.0)))
    if bad.size:
        raise InputError(
            f"The weight {name}[{bad[0]}] is {array[bad[0]]}: weights must be positive and finite; "
            "leave a usage without weight out."
        )
    return array


def as_penalties(rho: float | None, lam: Penalty | None) -> tuple[float | None, float, float]:
    """(ρ, 0, 0) or (None, λ₁, λ₂)."""
    if rho is not None and lam is not None:
        raise InputError(
            f"Both rho={rho} and lam={lam} were given: choose the relative penalty rho "
            "or the paper's raw penalty lam."
        )
    if lam is None:
        return _positive(1.0 if rho is None else rho, "rho"), 0.0, 0.0
    pair = [lam, lam] if np.ndim(lam) == 0 else list(np.ravel(lam))
    if len(pair) != 2:
        raise InputError(f"lam has {len(pair)} values: give one λ, or a pair (λ₁, λ₂).")
    first, second = (_positive(value, "lam") for value in pair)
    return None, first, second


def _positive(value: object, name: str) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number, not {value!r}.") from None
    if not (np.isfinite(number) and number > 0.0):
        raise InputError(f"{name} is {number}: a penalty must be positive and finite.")
    return number


def pose(
    cost: ArrayLike,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    *,
    rho: float | None = None,
    lam: Penalty | None = None,
) -> Problem:
    """Check the input of a solve and give every node its penalty."""
    matrix = as_cost(cost)
    a, b = as_weights(a, "a", matrix.shape[0]), as_weights(b, "b", matrix.shape[1])
    relative, first, second = as_penalties(rho, lam)
    if relative is not None:
        return Problem(matrix, a, b, relative / a, relative / b)
    return Problem(matrix, a, b, np.full(a.size, first), np.full(b.size, second))

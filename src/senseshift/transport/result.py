"""The answer of a solver: plan, marginals, potentials, SUS, and how exact they are."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from senseshift.errors import UncertifiedWarning

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]

CERTIFIED = 1e-6  # the error in SUS that a certified solve stays below


@dataclass(frozen=True, eq=False)
class Arcs:
    """The entries of a plan that carry mass."""

    rows: NDArray[np.integer]
    columns: NDArray[np.integer]
    mass: Floats


@dataclass(frozen=True, eq=False)
class Transport:
    """A solved transport problem.

    Attributes
    ----------
    a, b
        The weights of the old and the new usages.
    old_mass, new_mass
        The marginals of the plan, T1 and Tᵀ1.
    f, g
        The dual potentials of the old and the new usages.
    sus_old, sus_new
        Sense Usage Shift of every usage, computed from ``f`` and ``g``.
    cost
        <C, T>, the cost of what was transported.
    objective
        The cost and both penalties.
    gap
        Upper bound of how far the objective is from its optimum.
    sus_error
        Certified upper bound of the error of every SUS, which follows from the gap.
    converged
        Whether the method came to its end and ``sus_error`` is at most 1e-6.
    pivots
        Steps taken: pivots of the simplex, iterations of majorisation-minimisation.
    method
        ``exact``, ``mm`` or ``balanced``.
    arcs
        The entries of the plan; ``plan`` and ``dense()`` give it as a matrix.
    """

    a: Floats
    b: Floats
    old_mass: Floats
    new_mass: Floats
    f: Floats
    g: Floats
    sus_old: Floats
    sus_new: Floats
    cost: float
    objective: float
    gap: float
    sus_error: float
    converged: bool
    pivots: int
    method: str
    arcs: Arcs

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of old and of new usages."""
        return self.a.size, self.b.size

    @cached_property
    def plan(self) -> csr_array:
        """The transport plan T as a scipy sparse array, old × new."""
        from scipy.sparse import csr_array

        return csr_array((self.arcs.mass, (self.arcs.rows, self.arcs.columns)), shape=self.shape)

    def dense(self) -> Floats:
        """The transport plan T as a plain array."""
        plan = np.zeros(self.shape)
        plan[self.arcs.rows, self.arcs.columns] = self.arcs.mass
        return plan

    def __str__(self) -> str:
        old, new = self.shape
        state = "certified" if self.converged else "NOT certified"
        steps = "iterations" if self.method == "mm" else "pivots"
        return (
            f"Transport of {old} old to {new} new usages, {self.method}, {state}\n"
            f"  moved      {self.old_mass.sum():.4f} of {self.a.sum():.4f} old and "
            f"{self.b.sum():.4f} new mass, on {self.arcs.mass.size} arcs\n"
            f"  cost       {self.cost:.6g}   objective {self.objective:.6g}   gap {self.gap:.1e}\n"
            f"  SUS old    {_span(self.sus_old)}\n"
            f"  SUS new    {_span(self.sus_new)}\n"
            f"  SUS error  ≤ {self.sus_error:.1e} after {self.pivots} {steps}"
        )

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class Splits:
    """Many old/new splits of the same pooled usages, solved; one row for each split.

    Attributes
    ----------
    sus
        Sense Usage Shift of every pooled usage, splits × usages.
    is_new
        The side each usage was on.
    cost, gap, sus_error, converged, pivots
        As in :class:`Transport`, one entry for each split.
    """

    sus: Floats
    is_new: NDArray[np.bool_]
    cost: Floats
    gap: Floats
    sus_error: Floats
    converged: NDArray[np.bool_]
    pivots: NDArray[np.int64]

    def __len__(self) -> int:
        return int(self.sus.shape[0])

    @property
    def magnitude(self) -> Floats:
        """f_SUS of every split: the distance of the mean SUS of its old and its new usages."""
        new = np.where(self.is_new, self.sus, 0.0).sum(axis=1) / self.is_new.sum(axis=1)
        old = np.where(self.is_new, 0.0, self.sus).sum(axis=1) / (~self.is_new).sum(axis=1)
        magnitude: Floats = np.abs(old - new)
        return magnitude

    def __str__(self) -> str:
        sure = "all certified" if self.converged.all() else f"{(~self.converged).sum()} uncertified"
        return (
            f"{len(self)} splits of {self.sus.shape[1]} usages, {sure}\n"
            f"  f_SUS      {_span(self.magnitude)}\n"
            f"  SUS error  ≤ {self.sus_error.max():.1e}"
        )

    __repr__ = __str__


def warn_uncertified(sus_error: float, subject: str, stacklevel: int = 3) -> None:
    """Say that a bound was missed, and by how much."""
    warnings.warn(
        f"{subject} is not certified: its SUS may be off by up to {sus_error:.1e}, "
        f"where {CERTIFIED:.0e} is promised.",
        UncertifiedWarning,
        stacklevel=stacklevel + 1,
    )


def _span(values: Floats) -> str:
    return f"{values.min():+.4f} … {values.max():+.4f}, mean {values.mean():+.4f}"

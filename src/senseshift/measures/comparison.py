"""One word's old usages against its new ones: everything measures are computed from.

Each part is computed when first asked for and then kept, so that asking for every measure solves
one unbalanced and one balanced transport and clusters once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.calibration import Calibration
from senseshift.errors import InputError
from senseshift.measures import frequencies, scores, vmf
from senseshift.measures.widid import DAMPING, Labels, cluster_periods
from senseshift.transport import Transport, path, solve
from senseshift.transport.problem import Penalty, pose
from senseshift.transport.solvers import Method
from senseshift.vectors import Weighting, as_pair, cosine_cost, totals, unit, weigh

Floats = NDArray[np.float64]
Scores = tuple[Floats, Floats]

_OF_VECTORS = (
    "vectors",
    "units",
    "shares",
    "mass",
    "cost",
    "balanced",
    "ldr",
)  # whatever the settings


@dataclass(frozen=True, eq=False)
class Comparison:
    """Old and new vectors of one word, and how they are to be compared.

    Parameters
    ----------
    old, new
        Vectors of the usages, one row each.
    rho, lam
        Relative penalty ρ (1 by default) or the paper's raw λ; see :mod:`senseshift.transport`.
    method
        ``exact`` or ``mm``.
    weights
        ``uniform``, or ``norm``: in proportion to the lengths of the vectors. ``frequency``:
        uniform, but the two sides in proportion to ``per_million``, so that SUS says how a sense
        grew in absolute terms and not in its share. Where the frequencies are equal that is the
        same; where a word became twice as frequent and its senses kept their shares, SUS is
        positive all over.
    damping
        Of WiDiD's affinity propagation.
    r, theta
        The threshold of f_2 and g_1: θ, or the share r of this word's largest |SUS|.  Over several
        words use :func:`share_threshold`.
    compat
        Cluster, and read the clusters' shares, as the published code does.
    calibration
        What makes of a cosine distance the chance that two usages differ in sense, to take that
        as the cost; the paper's cost is the distance itself.
    senses
        The senses of the old and of the new usages as numbers, −1 for none, where they are known.
    per_million
        How often the word is used in the old and in the new period, by million words or in any
        other unit; only ``weights="frequency"`` asks for it.
    """

    old: ArrayLike | None
    new: ArrayLike | None
    rho: float | None = None
    lam: Penalty | None = None
    method: Method = "exact"
    weights: Weighting = "uniform"
    damping: float = DAMPING
    r: float = 0.5
    theta: float | None = None
    compat: bool = False
    calibration: Calibration | None = None
    senses: tuple[Labels, Labels] | None = None
    per_million: tuple[float, float] | None = None

    @classmethod
    def from_cost(
        cls,
        cost: ArrayLike,
        a: ArrayLike | None = None,
        b: ArrayLike | None = None,
        *,
        rho: float | None = None,
        lam: Penalty | None = None,
        method: Method = "exact",
    ) -> Comparison:
        """A comparison by a cost matrix alone; only measures that need no more can be had."""
        comparison = cls(None, None, rho=rho, lam=lam, method=method)
        problem = pose(cost, a, b, rho=rho, lam=lam)
        # Filling the caches is what "precomputed" means here.
        comparison.__dict__.update(
            cost=problem.cost, mass=(problem.a, problem.b), shares=(problem.a, problem.b)
        )
        return comparison

    def at(self, *, damping: float) -> Comparison:
        """The same word clustered with another damping; nothing else is computed again."""
        return self._copy("transport", damping=damping)

    def beyond(self, theta: float) -> Comparison:
        """The same word with another threshold of f_2 and g_1; nothing is computed again."""
        return self._copy("transport", "clusters", theta=theta)

    def path(self, lams: Sequence[float]) -> list[Comparison]:
        """The same word at each of several λ; nothing but the transport is computed again."""
        if self.method == "exact":
            solved = path(self.cost, *self.mass, lams=lams)
        else:
            solved = [solve(self.cost, *self.mass, lam=lam, method=self.method) for lam in lams]
        words = [self._copy("clusters", rho=None, lam=lam) for lam in lams]
        for word, transport in zip(words, solved, strict=True):
            word.__dict__["transport"] = transport
        return words

    def _copy(self, *keep: str, **settings: Any) -> Comparison:
        """With other settings and what was computed from the vectors alone, and ``keep``."""
        other = replace(self, **settings)
        kept = (*_OF_VECTORS, *keep)
        other.__dict__.update({name: self.__dict__[name] for name in kept if name in self.__dict__})
        return other

    @property
    def has_vectors(self) -> bool:
        """Whether it was made from vectors, not from a cost matrix alone."""
        return self.old is not None

    @cached_property
    def vectors(self) -> Scores:
        """The vectors as they were given, checked."""
        if self.old is None or self.new is None:
            raise InputError(
                "This comparison was made from a cost matrix; "
                "measures that need vectors can be had from vectors only."
            )
        return as_pair(self.old, self.new)

    @cached_property
    def units(self) -> Scores:
        """The vectors at length 1."""
        old, new = self.vectors
        return unit(old, "old"), unit(new, "new")

    @cached_property
    def shares(self) -> Scores:
        """The weights of total 1 on either side."""
        old, new = self.vectors
        return weigh(old, self.weights), weigh(new, self.weights)

    @cached_property
    def mass(self) -> Scores:
        """The weights a and b: the shares, times how frequent the word is if that counts."""
        if self.weights != "frequency":
            return self.shares
        (a, b), (old, new) = self.shares, totals(self.per_million)
        return a * old, b * new

    @cached_property
    def cost(self) -> NDArray[np.floating]:
        """What it costs to match an old and a new usage: their cosine distance, calibrated."""
        return self._costs(*self.units)

    def pooled_cost(self, rows: NDArray[np.int64]) -> NDArray[np.floating]:
        """The same between some usages, old and new ones alike; the old ones count first."""
        units = np.concatenate(self.units)[rows]
        return self._costs(units, units)

    def _costs(self, here: Floats, there: Floats) -> NDArray[np.floating]:
        distances = cosine_cost(here, there)
        return distances if self.calibration is None else self.calibration.cost(distances)

    @cached_property
    def transport(self) -> Transport:
        """The unbalanced transport."""
        a, b = self.mass
        return solve(self.cost, a, b, rho=self.rho, lam=self.lam, method=self.method)

    @cached_property
    def balanced(self) -> Transport:
        """The balanced transport, of shares: it must move all there is."""
        return solve(self.cost, *self.shares, method="balanced")

    @property
    def sus(self) -> Scores:
        """Sense Usage Shift of the old and the new usages."""
        return self.transport.sus_old, self.transport.sus_new

    @cached_property
    def ldr(self) -> Scores:
        """Log-density ratios of the old and the new usages."""
        return vmf.ldr(*self.units)

    @cached_property
    def clusters(self) -> tuple[Labels, Labels]:
        """WiDiD's senses of the old and the new usages."""
        vectors = self.vectors if self.compat else self.units
        old, new = cluster_periods(vectors, self.damping, compat=self.compat)
        return old, new

    @property
    def clusters_found(self) -> bool:
        """Whether clustering told usages apart; if not, what follows from clusters is unknown.

        Affinity propagation that does not converge puts all usages into one cluster, which is right
        only where they are alike.
        """
        old, new = self.clusters
        return np.unique(np.concatenate((old, new))).size > 1 or float(self.cost.max()) < 1e-9

    @property
    def cluster_tau(self) -> Scores:
        """τ_WiDiD of the old and the new usages; infinite in clusters of one period only."""
        return frequencies.usage_tau(*self.clusters, compat=self.compat)

    @property
    def widid(self) -> Scores:
        """τ_WiDiD of the old and the new usages; infinities imputed within this word."""
        old, new = frequencies.impute(self.cluster_tau)
        return old, new

    @property
    def sense_frequencies(self) -> frequencies.SenseFrequencies | None:
        """How often each sense is used in either period, where senses are known."""
        if self.senses is None or min((side >= 0).sum() for side in self.senses) == 0:
            return None
        return frequencies.sense_frequencies(*self.senses, unknown=-1)

    @property
    def threshold(self) -> float:
        """θ of f_2 and g_1."""
        return self.theta if self.theta is not None else scores.threshold(self.r, [self.sus])


def share_threshold(words: Sequence[Comparison], r: float = 0.5) -> list[Comparison]:
    """The words with the one threshold θ = r·M, M their largest |SUS|, as the paper has it."""
    theta = scores.threshold(r, [word.sus for word in words])
    return [word.beyond(theta) for word in words]

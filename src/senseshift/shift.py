"""The one call for most people: two sets of vectors in, every usage's shift out."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.measures.comparison import Comparison
from senseshift.measures.scores import log_variance_ratio, mean_difference
from senseshift.transport import Transport
from senseshift.transport.problem import Penalty
from senseshift.transport.solvers import Method
from senseshift.vectors import Weighting

Floats = NDArray[np.float64]

BARS = " ▁▂▃▄▅▆▇█"
BINS = 24


@dataclass(frozen=True)
class UsageShift:
    """The shift of one usage: which one it is, and its SUS."""

    period: Literal["old", "new"]
    index: int
    sus: float


@dataclass(frozen=True, eq=False)
class Shift:
    """How a word's use shifted, usage by usage.

    Attributes
    ----------
    old, new
        Sense Usage Shift of every old and every new usage.
    transport
        What it follows from: plan, potentials, certificate.
    """

    old: Floats
    new: Floats
    transport: Transport

    @property
    def magnitude(self) -> float:
        """f_SUS: how much the word changed."""
        return mean_difference(self.old, self.new)

    @property
    def scope(self) -> float:
        """g_SUS: whether its meaning broadened (+) or narrowed (−); NaN if that can't be known."""
        return log_variance_ratio(self.old, self.new)

    def ranked(self) -> list[UsageShift]:
        """All usages, those whose use rose most first; ties stay in their order."""
        usages = [UsageShift("old", i, float(s)) for i, s in enumerate(self.old)]
        usages += [UsageShift("new", j, float(s)) for j, s in enumerate(self.new)]
        return sorted(usages, key=lambda usage: -usage.sus)

    def top(self, count: int = 5) -> list[UsageShift]:
        """The usages whose use rose most."""
        return self.ranked()[:count]

    def bottom(self, count: int = 5) -> list[UsageShift]:
        """The usages whose use fell most, the last one lowest."""
        return self.ranked()[-count:] if count else []

    def _rows(self) -> list[tuple[str, str]]:
        scope = self.scope
        direction = "broadened" if scope > 0 else "narrowed" if scope < 0 else "as it was"
        said = f"{scope:+.4f}  {direction}" if np.isfinite(scope) else _unknown(scope)
        exact = (
            f"certified, SUS error ≤ {self.transport.sus_error:.1e}"
            if self.transport.converged
            else f"NOT certified, SUS may be off by {self.transport.sus_error:.1e}"
        )
        low, high = _range(self.old, self.new)
        return [
            ("magnitude f_SUS", f"{self.magnitude:.4f}"),
            ("scope g_SUS", said),
            (f"old {low:+.2f}…{high:+.2f}", _bars(self.old, low, high)),
            (f"new {low:+.2f}…{high:+.2f}", _bars(self.new, low, high)),
            ("rose most", _listed(self.top(3))),
            ("fell most", _listed(self.bottom(3)[::-1])),
            ("transport", exact),
        ]

    def __str__(self) -> str:
        title = f"Shift of {self.old.size} old and {self.new.size} new usages"
        return "\n".join([title, *(f"  {name:<18} {value}" for name, value in self._rows())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left;font-family:monospace;white-space:pre'>"
            f"{escape(value)}</td></tr>"
            for name, value in self._rows()
        )
        caption = f"Shift of {self.old.size} old and {self.new.size} new usages"
        return f"<table><caption>{caption}</caption>{cells}</table>"


def sus(
    old: ArrayLike,
    new: ArrayLike,
    rho: float | None = None,
    *,
    lam: Penalty | None = None,
    weights: Weighting = "uniform",
    method: Method = "exact",
) -> Shift:
    """Sense Usage Shift of every old and every new usage of a word.

    Parameters
    ----------
    old, new
        Vectors of the usages, one row each, from the same encoder.
    rho
        Relative penalty ρ in units of cosine distance, 1 by default.
    lam
        Instead of ``rho``: the paper's raw λ, which depends on the number of usages.
    weights
        ``uniform``, or ``norm``: in proportion to the lengths of the vectors.
    method
        ``exact``, or ``mm`` as published.

    Examples
    --------
    A word with two senses, the second of which is new:

    >>> import numpy as np, senseshift
    >>> first, second = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    >>> shift = senseshift.sus([first, first, first], [first, second, second])
    >>> shift.new.round(2)
    array([-0.33,  0.67,  0.67])
    >>> [(usage.period, usage.index) for usage in shift.top(1)]
    [('new', 1)]
    """
    solved = Comparison(old, new, rho=rho, lam=lam, weights=weights, method=method).transport
    return Shift(solved.sus_old, solved.sus_new, solved)


def _range(old: Floats, new: Floats) -> tuple[float, float]:
    low, high = min(old.min(), new.min()), max(old.max(), new.max())
    return float(low), float(high)


def _bars(values: Floats, low: float, high: float) -> str:
    counts, _ = np.histogram(values, BINS, (low, high if high > low else low + 1.0))
    tallest = counts.max()
    return "".join(BARS[int(np.ceil(8 * count / tallest))] for count in counts)


def _listed(usages: list[UsageShift]) -> str:
    return "  ".join(f"{u.period} {u.index} ({u.sus:+.3f})" for u in usages)


def _unknown(scope: float) -> str:
    if np.isnan(scope):
        return "–  (needs two usages a side)"
    return f"{scope:+}  (only the {'new' if scope > 0 else 'old'} usages vary)"

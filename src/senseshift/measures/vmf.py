"""Form-based measures from von Mises–Fisher distributions (Nagata et al. 2023).

Each period's unit vectors are described by a mean direction μ and a concentration κ; their
densities at a usage say which period it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Vectors of one direction have no finite κ: their mean length is taken to be this far below 1.
LEAST_SPREAD = 1e-9
SAFE = 1e-290  # a Bessel function above this has not begun to vanish


@dataclass(frozen=True, eq=False)
class VonMisesFisher:
    """A distribution of directions with density ∝ exp(κ μ·x)."""

    mean: Floats  # μ
    concentration: float  # κ

    def log_density(self, unit_vectors: Floats) -> Floats:
        """Logarithm of the density at unit vectors, finite in any dimension."""
        kappa = self.concentration
        result: Floats = kappa * (unit_vectors @ self.mean) + log_normaliser(self.mean.size, kappa)
        return result


def fit(unit_vectors: Floats) -> VonMisesFisher:
    """Maximum likelihood with Banerjee's κ = ℓ(d − ℓ²)/(1 − ℓ²), ℓ the length of the mean."""
    mean = unit_vectors.mean(axis=0)
    length = float(np.linalg.norm(mean))
    if length < np.finfo(np.float64).eps:
        return VonMisesFisher(np.zeros_like(mean), 0.0)
    capped = min(length, 1.0 - LEAST_SPREAD)
    kappa = capped * (mean.size - capped**2) / (1.0 - capped**2)
    return VonMisesFisher(mean / length, kappa)


def log_normaliser(dimension: int, kappa: float) -> float:
    """The constant log C_d(κ) = (d/2 − 1) log κ − (d/2) log 2π − log I_{d/2−1}(κ)."""
    from scipy.special import gammaln

    order = dimension / 2.0 - 1.0
    if kappa == 0.0:  # uniform on the sphere
        return float(gammaln(dimension / 2.0) - np.log(2.0) - dimension / 2.0 * np.log(np.pi))
    power = order * np.log(kappa) - dimension / 2.0 * np.log(2.0 * np.pi)
    return float(power - log_bessel(order, kappa))


def log_bessel(order: float, x: float) -> float:
    """Logarithm of I_v(x), also where I_v(x) itself is too small or too large for a double.

    There x is small, and the series in x (DLMF 10.39.9) soon ends, or v is large, and Debye's
    uniform expansion (DLMF 10.41.3) is exact to rounding.
    """
    from scipy.special import gammaln, hyp0f1, ive

    scaled = float(ive(order, x))
    if np.isfinite(scaled) and scaled > SAFE:
        return float(np.log(scaled) + x)
    if x * x < order + 1.0:
        with np.errstate(divide="ignore"):  # I_v(0) = 0
            power = order * (np.log(x) - np.log(2.0))
        return float(power - gammaln(order + 1.0) + np.log(hyp0f1(order + 1.0, x * x / 4.0)))
    if order < 20.0:  # far beyond the range of doubles; leading term for large arguments
        return float(x - 0.5 * np.log(2.0 * np.pi * x))
    z = x / order
    root = np.hypot(1.0, z)
    t = 1.0 / root
    eta = root + np.log(z / (1.0 + root))
    series = 1.0
    for k, polynomial in enumerate(DEBYE, start=1):
        series += np.polynomial.polynomial.polyval(t, polynomial) / order**k
    leading = order * eta - 0.5 * np.log(2.0 * np.pi * order * root)
    return float(leading + np.log(series))


def _debye_polynomials(count: int) -> list[Floats]:
    """u_1(t), u_2(t), … by the recurrence of DLMF 10.41.9."""
    from numpy.polynomial import Polynomial

    t = Polynomial([0.0, 1.0])
    u, found = Polynomial([1.0]), []
    for _ in range(count):
        u = t**2 * (1.0 - t**2) * u.deriv() / 2.0 + ((1.0 - 5.0 * t**2) * u).integ() / 8.0
        found.append(np.asarray(u.coef, dtype=np.float64))
    return found


DEBYE = _debye_polynomials(5)


def ldr(unit_old: Floats, unit_new: Floats) -> tuple[Floats, Floats]:
    """Log-density ratio LDR(x) = log p_T(x) − log p_S(x) of every old and every new usage."""
    p_old, p_new = fit(unit_old), fit(unit_new)
    return (
        p_new.log_density(unit_old) - p_old.log_density(unit_old),
        p_new.log_density(unit_new) - p_old.log_density(unit_new),
    )


def representativeness(unit_old: Floats, unit_new: Floats) -> tuple[Floats, Floats]:
    """LDR without its constant: (κ_T μ_T − κ_S μ_S)·x.

    It ranks a word's usages as LDR does, but its sign does not say whether a use rose or fell.
    """
    p_old, p_new = fit(unit_old), fit(unit_new)
    direction = p_new.concentration * p_new.mean - p_old.concentration * p_old.mean
    return unit_old @ direction, unit_new @ direction


def g_vmf(unit_old: Floats, unit_new: Floats) -> float:
    """g_vMF = log(κ_S/κ_T), Nagata's coverage: positive where the new usages spread more."""
    p_old, p_new = fit(unit_old), fit(unit_new)
    # An even spread over the sphere has κ = 0; below one it says nothing finer.
    least = np.finfo(np.float64).eps
    return float(np.log(max(p_old.concentration, least) / max(p_new.concentration, least)))

"""Exact unbalanced optimal transport between old and new usages.

The conventions of the mathematics, all in one place:

* The penalty is the **half-squared** L2 of POT:
  ``<C,T> + λ/2·‖T1 − a‖² + λ/2·‖Tᵀ1 − b‖²``.  The paper writes it without the half but computed
  with POT, so its λ = 100 is ours.
* Dual: ``max a·f − ‖f‖²/2λ₁ + b·g − ‖g‖²/2λ₂  s.t.  f_i + g_j ≤ C_ij``.  The marginals are
  ``T1 = a − f/λ₁`` and ``Tᵀ1 = b − g/λ₂``, so **SUS is the dual potential**:
  ``SUS(s_i) = −f_i/(λ₁ a_i)`` and ``SUS(t_j) = g_j/(λ₂ b_j)``.  It is computed from the potentials,
  never from ``T1 − a``, which cancels at large λ.
* Marginals, potentials and SUS are unique.  The plan need not be.
* λ is not free of scale: with m = n usages only λ/m matters.  The default is therefore the
  **relative penalty** ρ, which gives every usage its own ``λ_i = ρ/a_i`` and ``λ_j = ρ/b_j``:
  ``<C,T> + ρ/2·Σ a_i·SUS(s_i)² + ρ/2·Σ b_j·SUS(t_j)²``.  Then ``SUS(s_i) = −f_i/ρ`` and
  ``SUS(t_j) = g_j/ρ`` for any weights and sizes, and ρ is in units of the cost (cosine distance).
  ρ = 1 is exactly the paper's λ = 100 at m = n = 100.
* SUS(old) ≥ −1 and SUS(new) ≤ 1 always; with equal total weights
  ``Σ a·SUS(old) + Σ b·SUS(new) = 0``.

Every result carries a certificate: ``gap`` bounds the distance of the objective from its optimum
and ``sus_error`` the error of every SUS.
"""

from senseshift.transport.result import Splits, Transport
from senseshift.transport.solvers import path, solve, solve_many

__all__ = ["Splits", "Transport", "path", "solve", "solve_many"]

"""The paper's methods by name, and the hyper-parameters that are tried for each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal

from senseshift.evaluation.protocol import Parameter

GoldKind = Literal["tau", "f", "g"]  # the change of usages, of words, and of their scope

USAGES = ("tau_SUS", "tau_LDR", "tau_WiDiD")
MAGNITUDES = (
    "f_SUS", "f_1", "f_2", "f_3", "f_OT", "f_APD", "f_LDR", "f_WiDiD", "f_APDP", "f_PRT",
)  # fmt: skip
SCOPES = ("g_SUS", "g_1", "g_vMF", "g_LDR", "g_WiDiD")
LEVELS: dict[GoldKind, tuple[str, ...]] = {"tau": USAGES, "f": MAGNITUDES, "g": SCOPES}
METHODS = (*USAGES, *MAGNITUDES, *SCOPES)
PROPOSED = ("tau_SUS", "f_SUS", "f_1", "f_2", "f_3", "g_SUS", "g_1")

# Word-level measures by what they depend on.
BY_LAM = ("f_SUS", "f_1", "f_3", "g_SUS")
BY_THRESHOLD = ("f_2", "g_1")
BY_DAMPING = ("f_WiDiD", "f_APDP", "g_WiDiD")
FIXED = ("f_OT", "f_APD", "f_LDR", "f_PRT", "g_vMF", "g_LDR")

LAMS = (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
THRESHOLD_LAMS = (10.0, 100.0, 1000.0)
SHARES = (0.4, 0.6, 0.8)  # r: thresholds as shares of the largest |SUS|
DAMPINGS = (0.5, 0.6, 0.7, 0.8, 0.9)

# Of the table of all words without splits.
WIDE_LAMS = (1.0, 10.0, 100.0, 1000.0)
WIDE_SHARES = tuple(k / 10 for k in range(1, 10))


def grid_of(method: str, *, compat: bool) -> Sequence[Parameter]:
    """What is tried for a method: λ, (λ, r), dampings, or nothing."""
    if method in BY_THRESHOLD:
        return list(product(LAMS if compat else THRESHOLD_LAMS, SHARES))
    if method == "tau_SUS" or method in BY_LAM:
        return LAMS
    return DAMPINGS if method == "tau_WiDiD" or method in BY_DAMPING else (None,)

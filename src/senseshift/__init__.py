"""How a word's meaning shifted between two bodies of text, down to the single usage.

>>> import numpy as np, senseshift
>>> rng = np.random.default_rng(0)
>>> shift = senseshift.sus(rng.normal(size=(50, 16)), rng.normal(size=(60, 16)), rho=1.0)
>>> shift.transport.converged
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from senseshift._version import __version__

if TYPE_CHECKING:
    from senseshift import (
        encoders,
        errors,
        evaluation,
        figures,
        measures,
        report,
        transport,
    )
    from senseshift.comparing import compare
    from senseshift.corpus import find
    from senseshift.datasets import fetch
    from senseshift.discovering import discover
    from senseshift.encoders import encode
    from senseshift.shift import Shift, sus
    from senseshift.study import Study
    from senseshift.usages import Usages, read

__all__ = [
    "Shift",
    "Study",
    "Usages",
    "__version__",
    "compare",
    "discover",
    "encode",
    "encoders",
    "errors",
    "evaluation",
    "fetch",
    "figures",
    "find",
    "measures",
    "read",
    "report",
    "sus",
    "transport",
]

# Imported when first used, so that `senseshift --help` need not wait for numerical libraries.
_HOME = {
    "Shift": "shift",
    "Study": "study",
    "Usages": "usages",
    "compare": "comparing",
    "discover": "discovering",
    "encode": "encoders",
    "fetch": "datasets",
    "find": "corpus",
    "read": "usages",
    "sus": "shift",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"senseshift.{_HOME[name]}"), name)
    if name in __all__:
        return import_module(f"senseshift.{name}")
    raise AttributeError(f"module 'senseshift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

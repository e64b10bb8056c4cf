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
    from senseshift import errors, measures, transport
    from senseshift.shift import Shift, sus

__all__ = ["Shift", "__version__", "errors", "measures", "sus", "transport"]

# Imported when first used, so that `senseshift --help` need not wait for numerical libraries.
_HOME = {"Shift": "senseshift.shift", "sus": "senseshift.shift"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in __all__:
        return import_module(f"senseshift.{name}")
    raise AttributeError(f"module 'senseshift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

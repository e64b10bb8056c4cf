"""What all compiled kernels share, and the one line that says why the first solve takes a while."""

import hashlib
import logging
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import event
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

# All kernels run without the interpreter lock, so that threads help, and without a test before each
# division, which would keep loops from being vectorised.
_ALWAYS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Those called from Python are cached on disk; the others go into them, and leaving out their own
# door to Python saves a sixth of the time to compile.
ENTRY: dict[str, Any] = {**_ALWAYS, "cache": True}
INNER: dict[str, Any] = {**_ALWAYS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Those with one caller are written into it before it is compiled, which saves another quarter.
ONCE: dict[str, Any] = {**INNER, "inline": "always"}


def digest_of_sources() -> str:
    """A digest of all the files that kernels are written in."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("_*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _SayOnce(event.Listener):
    def __init__(self) -> None:
        self._unsaid = threading.Lock()

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if function.__module__.startswith("senseshift.") and self._unsaid.acquire(blocking=False):
            logging.getLogger("senseshift").warning(
                "Compiling the transport solver for this machine: about ten seconds, only once."
            )

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _SayOnce())  # type: ignore[no-untyped-call]

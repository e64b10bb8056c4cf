"""What all compiled kernels share, and the one line that says why the first solve takes a while."""

import logging
import threading
from typing import Any

import numpy as np
from numba.core import event
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

# Cached on disk; run without the interpreter lock, so that threads help; and no test before each
# division, which would keep loops from being vectorised.
KERNEL: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}


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

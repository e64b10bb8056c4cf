# mypy: disable-error-code="no-untyped-call"
"""What all compiled kernels share: options, the cache on disk, and the line that says why it takes.

Numba trusts its cache: a file cut short ends in an exception, one with a wrong byte may end the
process.  So the files carry a digest here, and what does not agree with it is compiled anew.  Where
no folder can be written to, nothing is kept.
"""

import contextlib
import hashlib
import io
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import caching, event
from numba.core.options import DefaultOptions
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

# All kernels run without the interpreter lock, so that threads help, and without a test before each
# division, which would keep loops from being vectorised.
_ALWAYS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Those called from Python are kept on disk; the others go into them, and leaving out their own
# door to Python saves a sixth of the time to compile.
ENTRY: dict[str, Any] = _ALWAYS
INNER: dict[str, Any] = {**_ALWAYS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Those that make no array need not count who holds one: for the many arrays of a forest, at each
# call, that takes as long as all the rest.
BARE: dict[str, Any] = {**INNER, "_nrt": False} if hasattr(DefaultOptions, "_nrt") else INNER
# Those with one caller are written into it before it is compiled, which saves another quarter.
ONCE: dict[str, Any] = {**INNER, "inline": "always"}


def digest_of_sources() -> str:
    """A digest of all the files that kernels are written in."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("_*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _CheckedFiles(caching.IndexDataCacheFile):
    """Numba's index and data files, each with the digest of its content at the end."""

    @contextlib.contextmanager
    def _open_for_write(self, path: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(path) as file:
            file.write(content.getvalue())
            file.write(hashlib.sha256(content.getvalue()).digest())

    def _load_index(self) -> Any:
        return super()._load_index() if _is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not _is_whole(self._data_path(name)):
            raise FileNotFoundError(name)  # so that it is made anew
        return super()._load_data(name)


def _is_whole(path: str) -> bool:
    try:
        content = Path(path).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(content[:-32]).digest() == content[-32:]


class _CheckedCache(caching.FunctionCache):
    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFiles(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def save_overload(self, signature: Any, compiled: Any) -> None:
        # What cannot be kept, for want of room or rights, is compiled again the next time.
        with contextlib.suppress(OSError):
            super().save_overload(signature, compiled)


def kept(kernel: Any) -> Any:
    """The kernel, cached on disk if there is any folder for it."""
    # Numba says by a RuntimeError that no folder can be written to; and what it is told not to
    # compile (NUMBA_DISABLE_JIT) is a function as any other.
    with contextlib.suppress(RuntimeError, AttributeError):
        kernel._cache = _CheckedCache(kernel.py_func)
    return kernel


class _SayOnce(event.Listener):
    def __init__(self) -> None:
        self._unsaid = threading.Lock()

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if function.__module__.startswith("senseshift.") and self._unsaid.acquire(blocking=False):
            often = "only once"
            if event.data["dispatcher"]._cache.cache_path is None:
                often = "in every process, for no folder can be written to (set NUMBA_CACHE_DIR)"
            logging.getLogger("senseshift").warning(
                f"Compiling the transport solver for this machine: about ten seconds, {often}."
            )

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _SayOnce())

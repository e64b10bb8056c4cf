"""Holding a file or folder against other processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


@contextmanager
def held(path: Path, *, wait: bool = True, shared: bool = False) -> Iterator[bool | None]:
    """Hold what is there under a path: True if it is held, False if another process holds it.

    The system lets go of it when the process ends, however that happens, so that nothing stale is
    ever left. Where there are no such locks (Windows, some network drives) it is None.

    Parameters
    ----------
    path
        A file or a folder that exists.
    wait
        Until others have let go of it.
    shared
        With others that hold it shared, too.
    """
    descriptor, answer = _hold(path, wait, shared)
    try:
        yield answer
    finally:
        if descriptor is not None:
            os.close(descriptor)


@contextmanager
def in_turn(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold a file that is there for nothing else; ``waiting`` is called before waiting for others.

    Where it cannot be made, as nothing can on some machines, nothing is held.
    """
    with ExitStack() as stack:
        while True:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            except OSError:
                break
            with suppress(FileNotFoundError):  # the other has removed it: the next is ours
                if stack.enter_context(held(path, wait=False)) is False:
                    waiting()
                    stack.enter_context(held(path))
                stack.callback(path.unlink, missing_ok=True)
                break
        yield


def _hold(path: Path, wait: bool, shared: bool) -> tuple[int | None, bool | None]:
    if sys.platform == "win32":
        return None, None
    import fcntl

    how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
    while True:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, how)
            # While this one waited, the other may have removed it or put another in its place.
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor, True
        except BlockingIOError:
            return descriptor, False
        except FileNotFoundError:
            os.close(descriptor)
            raise
        except OSError:
            return descriptor, None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)

"""Reading files that may be damaged, missing, or not what their name says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from senseshift.errors import InputError, shortened


def printable(path: str | Path) -> str:
    """A path as it can be shown: cut if nobody would read on, bytes that are not UTF-8 escaped."""
    return shortened(str(path).encode("utf-8", "backslashreplace").decode(), 400)


def is_there(path: Path) -> bool:
    """Whether there is a file or folder; no for names that no file can have."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def contents(path: Path) -> bytes:
    """All bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{printable(path)} cannot be read: {error.strerror or error}.") from None


@contextmanager
def expecting(path: Path, kind: str) -> Iterator[None]:
    """Any failure to read a file as a kind of file is told in one sentence.

    Libraries that read binary files meet damage with errors of every sort, a panic of polars among
    them, which is not even an ``Exception``.
    """
    try:
        yield
    except InputError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise InputError(
            f"{printable(path)}: expected {kind}, but it cannot be read as such "
            f"({shortened(lines[0].rstrip('.'), 200)}): write it again from its source."
        ) from None

"""Writing files completely or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, BinaryIO
from unicodedata import normalize

from senseshift.errors import InputError
from senseshift.locks import held

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCRATCH = ".senseshift-"  # and eight digits: what is being written
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that appears under its name only when all of it is there.

    It is written beside its place under another name and then renamed; whatever goes wrong on the
    way leaves what was there before. Where the name is a link, what it points to is written.
    """
    with told(path) as body:
        check_place(path)
        place = path.resolve()
        with scratch(place.parent) as temporary:
            with temporary.open("wb") as file:
                with body():
                    yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(place)


def check_place(path: Path) -> None:
    """An error where no file can be, to be told before the work that it is to hold."""
    place = path.resolve()
    if not place.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}.")
    if place.exists() and not place.is_file():
        raise InputError(f"{path} cannot be written: it is there and not a file.")


@contextmanager
def folder_whole(folder: Path) -> Iterator[Path]:
    """A folder to fill that appears under its name only when all of it is there.

    It is filled beside its place under another name and then renamed. One that is already there
    is never replaced; for that see :func:`senseshift.folders.files_whole`.
    """
    with told(folder) as body:
        place = folder.resolve()
        if place.exists():
            raise InputError(f"{folder} exists: give another name, or move it away.")
        place.parent.mkdir(parents=True, exist_ok=True)
        with scratch(place.parent, folder=True) as made:
            with body():
                yield made
            made.replace(place)


def write_array(file: BinaryIO, array: NDArray[Any]) -> None:
    """Write a ``.npy``; NumPy's own ``save`` loses the end on a full disk without a word."""
    from numpy import ascontiguousarray
    from numpy.lib import format as npy

    whole = ascontiguousarray(array)
    npy.write_array_header_1_0(file, npy.header_data_from_array_1_0(whole))
    file.write(whole.data)


@contextmanager
def scratch(parent: Path, *, folder: bool = False) -> Iterator[Path]:
    """An empty file or folder of a name of its own, gone at the end if it is still there.

    What a killed process left of its own in the same place is removed.
    """
    for left in parent.glob(f"{SCRATCH}????????"):
        with suppress(OSError), held(left, wait=False) as dead:
            if dead:
                _remove(left)
    with ExitStack() as stack:
        made = None
        while made is None:
            made = parent / f"{SCRATCH}{token_hex(4)}"
            made.mkdir() if folder else made.touch(exist_ok=False)
            try:
                stack.enter_context(held(made))
            except FileNotFoundError:  # another took it for left before it was held
                made = None
        try:
            yield made
        finally:
            _remove(made)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def told(path: Path) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Tell what keeps a file or folder from being written in one sentence.

    What it gives goes around the part that is not ours: of the errors in there only those of the
    writing are told so; others, as of another file that cannot be read, pass as they are.
    """
    passing: list[Exception] = []

    @contextmanager
    def body() -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if reason := _reason(error):
                raise InputError(f"{path} cannot be written: {reason}.") from error
            passing.append(error)
            raise

    try:
        yield body
    except OSError as error:
        if any(error is one for one in passing):
            raise
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error


def _reason(error: Exception) -> str | None:
    """Why something could not be written; None if that is not what the error is about."""
    if isinstance(error, OSError) and error.filename is not None:
        ours = SCRATCH in f"{error.filename} {error.filename2}"
        return error.strerror if ours else None
    # A write that fails names no file, and libraries put it in words of their own.
    said = re.search(r"\(os error (\d+)\)|\[Errno (\d+)\]", str(error))
    number = int(said[1] or said[2]) if said else None
    if number in NO_ROOM:
        return os.strerror(number)
    if isinstance(error, OSError) and re.fullmatch(r"\d+ requested and \d+ written", str(error)):
        return "not all of it could be written, as on a full disk"  # of NumPy
    return None


_RESERVED = {"con", "prn", "aux", "nul"}  # names that Windows keeps for itself
_RESERVED |= {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}


def file_names(words: Iterable[str]) -> dict[str, str]:
    """For each word the name of a file or folder that every system can have, no two alike.

    >>> file_names(["cell", "Cell", "and/or", "aux", "…"])
    {'cell': 'cell', 'Cell': 'Cell-2', 'and/or': 'and_or', 'aux': 'aux_', '…': '_'}
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for word in words:
        stem = re.sub(r"[^\w\- ]", "_", normalize("NFC", word)).strip()[:100] or "_"
        stem += "_" * (stem.lower() in _RESERVED)
        name, count = stem, 1
        while name.casefold() in taken:
            count += 1
            name = f"{stem}-{count}"
        taken.add(name.casefold())
        names[word] = name
    return names

"""Writing files completely or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO
from unicodedata import normalize

from senseshift.errors import InputError


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that appears under its name only when all of it is there.

    It is written beside its place under another name and then renamed; whatever goes wrong on the
    way leaves what was there before.
    """
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}.")
    temporary = folder / f".{path.name}.{token_hex(4)}"
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def folder_whole(folder: Path, *, replace: bool = False) -> Iterator[Path]:
    """A folder to fill that appears under its name only when all of it is there.

    It is filled beside its place under another name and then renamed. One that is already there
    is only replaced when asked for, and stays as it was until the new one is complete.
    """
    place = folder.absolute()
    if place.exists() and not replace:
        raise InputError(f"{folder} exists: give another name, or move it away.")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}.") from None
    try:
        made.chmod(0o755)  # a temporary folder is private, what was asked for is not
        yield made
        if place.exists():
            earlier = made.with_name(made.name + ".old")
            place.replace(earlier)
            made.replace(place)
            shutil.rmtree(earlier)
        else:
            made.replace(place)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}.") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


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

"""Writing files and folders completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

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
def folder_written_whole(
    folder: Path, what: str, replaceable: Callable[[Path], bool]
) -> Iterator[Path]:
    """A folder to fill that appears under its name only when all of it is there.

    What is there already is replaced if it is ``what`` we write, and nothing else ever is.
    """
    if folder.exists() and not (folder.is_dir() and replaceable(folder)):
        raise InputError(f"{folder} exists and is not {what}: give another name.")
    try:
        folder.absolute().parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.absolute().parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}.") from None
    try:
        made.chmod(0o755)  # a temporary folder is private, what we write is not
        yield made
        if folder.exists():
            old = made.with_name(made.name + ".old")
            folder.replace(old)
            made.replace(folder)
            shutil.rmtree(old)
        else:
            made.replace(folder)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}.") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)

"""Writing files completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
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

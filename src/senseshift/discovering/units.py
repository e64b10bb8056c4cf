"""Units of work: each writes its tables and, when they are whole, a mark; marks are the state.

A unit is known by what it is made of: its key is a digest of its inputs and settings, so that what
an earlier run has done is found again, and what other settings would change is done anew.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, ClassVar

import polars as pl

from senseshift._version import __version__
from senseshift.errors import InputError
from senseshift.reading import expecting
from senseshift.storage import Folder
from senseshift.usages.identity import digest

MARK = ".json"


@dataclass(frozen=True)
class Unit(ABC):
    """Something to do, whose result is tables in a folder."""

    stage: ClassVar[str]

    folder: Folder
    name: str

    @abstractmethod
    def inputs(self) -> Any:
        """All that the result depends on, as JSON has it."""

    @abstractmethod
    def make(self) -> Mapping[str, pl.DataFrame]:
        """Do it: its tables by name."""

    @property
    def key(self) -> str:
        """What its files are called."""
        # What another version made may be something else.
        return f"{self.stage}-{self.name}-{key_of([__version__, self.inputs()])}"

    @property
    def resources(self) -> Mapping[str, float]:
        """What a worker must offer."""
        return {}

    def run(self) -> None:
        """Make the tables and write them, the mark last."""
        files = {}
        for table, rows in self.make().items():
            content = as_parquet(rows)
            name = f"{self.key}.{table}.parquet"
            self.folder.write(name, content)
            files[name] = hashlib.sha256(content).hexdigest()
        mark = json.dumps({"files": files}, sort_keys=True, indent=1)
        self.folder.write(self.key + MARK, mark.encode())


def key_of(content: Any) -> str:
    """A short name for anything that JSON holds."""
    return digest(json.dumps(content, sort_keys=True, ensure_ascii=False)).hex()[:16]


def as_parquet(rows: pl.DataFrame) -> bytes:
    """The same bytes for the same rows."""
    buffer = BytesIO()
    rows.write_parquet(buffer, compression="zstd", statistics=False)
    return buffer.getvalue()


def table(folder: Folder, key: str, name: str) -> pl.DataFrame:
    """A table that a unit wrote."""
    return parquet(folder, f"{key}.{name}.parquet")


def parquet(folder: Folder, name: str) -> pl.DataFrame:
    """A table by the name of its file."""
    content = folder.read(name)
    with expecting((folder.path or _Named(str(folder))) / name, "a Parquet file"):  # type: ignore[arg-type]
        return pl.read_parquet(BytesIO(content))


class _Named(str):
    """A place that is no path on this machine."""

    def __truediv__(self, name: str) -> str:
        return f"{self}/{name}"


def files_of(folder: Folder, key: str) -> dict[str, str]:
    """The files of a unit with their digests; none where it is not done."""
    try:
        found = json.loads(folder.read(key + MARK))["files"]
    except (InputError, ValueError, KeyError, TypeError):
        return {}
    return {str(name): str(value) for name, value in found.items()}


def is_whole(folder: Folder, key: str) -> bool:
    """Whether a unit that has a mark has all its files as they were written."""
    files = files_of(folder, key)
    try:
        return bool(files) and all(
            hashlib.sha256(folder.read(name)).hexdigest() == value for name, value in files.items()
        )
    except InputError:
        return False


def missing(units: Iterable[Unit], folder: Folder) -> list[Unit]:
    """The units that are still to be done: without a mark, or damaged since."""
    marked = set(folder.names(MARK))
    return [
        unit for unit in units if unit.key + MARK not in marked or not is_whole(folder, unit.key)
    ]

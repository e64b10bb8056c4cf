"""A folder of small files, each of them whole or not there, on a disk or in an object store."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from senseshift.errors import InputError, shortened
from senseshift.writing import SCRATCH, told

if TYPE_CHECKING:
    from senseshift.storage.holding import Hold

# What is being written. Not of the kind that writing.scratch sweeps: its locks do not reach other
# machines, and the file of a worker there would look as if it were left behind.
PART = f"{SCRATCH}part-"
_URL = re.compile(r"([a-z][a-z0-9+.-]+)://", re.I)


class Folder(ABC):
    """Files by their names; it can be sent to other processes and machines.

    >>> from tempfile import mkdtemp
    >>> folder = Folder.at(mkdtemp())
    >>> folder.child("counts").write("old.json", b"{}")
    >>> folder.child("counts").names(".json"), folder.child("counts").read("old.json")
    (['old.json'], b'{}')
    """

    @staticmethod
    def at(place: str | Path) -> Folder:
        """The folder at a path, or at an address such as ``s3://bucket/study``.

        Nothing is made or looked up: a folder appears with the first file in it.
        """
        written = str(place)
        scheme = _URL.match(written)
        if scheme is None or scheme[1].lower() == "file":
            return LocalFolder(Path(written[scheme.end() :] if scheme else written).absolute())
        from senseshift.storage.store import StoreFolder

        return StoreFolder(written.rstrip("/"))

    @property
    def path(self) -> Path | None:
        """Where it is on this machine's disks; None in an object store."""
        return None

    @abstractmethod
    def child(self, name: str) -> Folder:
        """A folder within it."""

    @abstractmethod
    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """What is in a file."""

    @abstractmethod
    def write(self, name: str, content: bytes) -> None:
        """Put a file there, in the place of an earlier one: all of it, or nothing happened."""

    @abstractmethod
    def names(self, suffix: str = "") -> list[str]:
        """The names of its files that end so, sorted; not of folders, nor of what is unfinished."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file; nothing happens where there is none."""

    @abstractmethod
    def create(self, name: str, content: bytes) -> bool:
        """Put a file there unless there is one: whether it was put there."""

    @abstractmethod
    def sweep(self) -> None:
        """Remove what killed writers left unfinished, in all folders below, too."""

    @contextmanager
    def held(self) -> Iterator[Hold]:
        """Keep other drivers away meanwhile; an error where there is one already."""
        from senseshift.storage.holding import hold

        with hold(self) as holding:
            self.sweep()
            yield holding


@dataclass(frozen=True)
class LocalFolder(Folder):
    """A folder on a disk of this machine, or on one that it shares with others."""

    place: Path

    def __str__(self) -> str:
        return str(self.place)

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.place

    def child(self, name: str) -> LocalFolder:
        """A folder within it."""
        return LocalFolder(self.place / checked(name))

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return (self.place / checked(name)).is_file()

    def read(self, name: str) -> bytes:
        """What is in a file."""
        path = self.place / checked(name)
        try:
            return path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error

    def write(self, name: str, content: bytes) -> None:
        """Put a file there, in the place of an earlier one: all of it, or nothing happened."""
        with self._written(name, content) as (temporary, path):
            temporary.replace(path)

    def create(self, name: str, content: bytes) -> bool:
        """Put a file there unless there is one: whether it was put there."""
        with self._written(name, content) as (temporary, path):
            try:
                os.link(temporary, path)
            except FileExistsError:
                return False
            except OSError:  # a disk without second names: not as safe, but hold() looks again
                if path.exists():
                    return False
                temporary.replace(path)
            return True

    @contextmanager
    def _written(self, name: str, content: bytes) -> Iterator[tuple[Path, Path]]:
        """The content under another name on the same disk, gone at the end, and its own path."""
        path = self.place / checked(name)
        with told(path):
            self.place.mkdir(parents=True, exist_ok=True)
            temporary = self.place / f"{PART}{token_hex(4)}"
            try:
                with temporary.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                yield temporary, path
            finally:
                temporary.unlink(missing_ok=True)

    def names(self, suffix: str = "") -> list[str]:
        """The names of its files that end so, sorted; not of folders, nor of what is unfinished."""
        if not self.place.is_dir():
            return []
        with os.scandir(self.place) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.name.endswith(suffix)
                and not entry.name.startswith(SCRATCH)
                and entry.is_file()
            )

    def remove(self, name: str) -> None:
        """Remove a file; nothing happens where there is none."""
        (self.place / checked(name)).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove what killed writers left unfinished, in all folders below, too."""
        for left in self.place.rglob(f"{PART}*"):
            left.unlink(missing_ok=True)


def checked(name: str) -> str:
    """The name of a file or folder that leads nowhere else."""
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise InputError(f"{shortened(repr(name))} is no name of a file in a folder.")
    return name

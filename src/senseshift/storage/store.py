"""A folder in an object store, by fsspec: ``s3://``, ``gs://`` and whatever else it knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from senseshift.errors import InputError, MissingExtraError, SenseshiftError, shortened
from senseshift.storage.folder import Folder, checked
from senseshift.writing import SCRATCH

# What an address needs, and the extra that has it.
NEEDED = {"s3": ("s3fs", "s3"), "gs": ("gcsfs", "gs"), "gcs": ("gcsfs", "gs")}


@dataclass(frozen=True)
class StoreFolder(Folder):
    """A folder in an object store, where a file appears when all of it has arrived."""

    address: str

    def __str__(self) -> str:
        return self.address

    def child(self, name: str) -> StoreFolder:
        """A folder within it."""
        return StoreFolder(f"{self.address}/{checked(name)}")

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        with self._opened("read", name) as (store, path):
            return bool(store.isfile(path))

    def read(self, name: str) -> bytes:
        """What is in a file."""
        with self._opened("read", name) as (store, path):
            return bytes(store.cat_file(path))

    def write(self, name: str, content: bytes) -> None:
        """Put a file there, in the place of an earlier one: all of it, or nothing happened."""
        with self._opened("written", name) as (store, path):
            store.pipe_file(path, content)

    def create(self, name: str, content: bytes) -> bool:
        """Put a file there unless there is one: whether it was put there."""
        with self._opened("written", name) as (store, path):
            try:
                store.pipe_file(path, content, mode="create")
            except FileExistsError:
                return False
            return True

    def names(self, suffix: str = "") -> list[str]:
        """The names of its files that end so, sorted; not of folders, nor of what is unfinished."""
        with self._opened("read") as (store, path):
            try:
                entries = store.ls(path, detail=True)
            except FileNotFoundError:  # there is none before its first file
                return []
        names = (str(e["name"]).rpartition("/")[2] for e in entries if e["type"] == "file")
        return sorted(n for n in names if n and n.endswith(suffix) and not n.startswith(SCRATCH))

    def remove(self, name: str) -> None:
        """Remove a file; nothing happens where there is none."""
        with self._opened("written", name) as (store, path):
            try:
                store.rm_file(path)
            except FileNotFoundError:
                return

    def sweep(self) -> None:
        """Nothing: what did not arrive whole never was there."""

    @contextmanager
    def _opened(self, done: str, name: str | None = None) -> Iterator[tuple[Any, str]]:
        """The store and the path in it; what goes wrong there is told in one sentence."""
        address = self.address if name is None else f"{self.address}/{checked(name)}"
        try:
            yield _store(address)
        except SenseshiftError:
            raise
        except FileNotFoundError as error:
            what = "it is not there" if done == "read" else "there is no such bucket"
            raise InputError(f"{address} cannot be {done}: {what}.") from error
        except Exception as error:  # of botocore, aiohttp, gcsfs …: no common base
            said = shortened(str(error).strip(), 200) or type(error).__name__
            raise InputError(f"{address} cannot be {done}: {said.rstrip('.')}.") from error


def _store(address: str) -> tuple[Any, str]:
    """The store of an address, which fsspec keeps, and the path in it."""
    scheme = address.partition("://")[0].lower()
    try:
        from fsspec.core import url_to_fs

        # What other workers wrote since must be seen: no listing is kept.
        store, path = url_to_fs(address, use_listings_cache=False)
    except ImportError as missing:
        package, extra = NEEDED.get(scheme, ("a package of fsspec", ""))
        remedy = f"pip install 'senseshift[{extra}]'" if extra else str(missing)
        raise MissingExtraError(
            f"{address} needs {package}, which is not installed: {remedy}."
        ) from missing
    except ValueError as error:
        raise InputError(
            f"{shortened(address)}: {scheme}:// is no address of a store that is known "
            "(s3://, gs://): give one, or a path."
        ) from error
    return store, path

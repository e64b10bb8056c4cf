"""Vectors on disk by what made them, so that nothing is ever encoded twice.

Every process appends to a shard of its own and reads everybody's: no locks, so a cache may lie on
a network drive and be shared, which a database does not survive. A record has a fixed size and a
checksum; what a killed process wrote by halves, or a disk spoilt, is known as such and encoded
anew. A batch is one write, which outlives the process that made it::

    <folder>/vectors/<hash of fingerprint>/encoder.json       name, fingerprint, dimension
                                           <writer>.shard     header, then records:
                                                              key 16, checksum 4, float32 vector
                                           <writer>.foreign   keys of usages in other languages
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import struct
import time
import zlib
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from senseshift.encoders.protocol import Span, Vectors
from senseshift.errors import InputError
from senseshift.places import cache_folder
from senseshift.usages.identity import SIZE as KEY
from senseshift.usages.identity import digest

MAGIC = b"senseshift vec 1"
HEADER = struct.Struct("<16sII")
AT_ONCE = 1 << 24


@dataclass(frozen=True)
class CachedEncoder:
    """What the cache holds of one encoder."""

    name: str
    fingerprint: str
    dimension: int
    entries: int
    bytes: int


@dataclass(frozen=True)
class CacheReport:
    """What the cache holds (or held), encoder by encoder, the largest first."""

    folder: Path
    encoders: tuple[CachedEncoder, ...]

    @property
    def entries(self) -> int:
        """Vectors in all."""
        return sum(encoder.entries for encoder in self.encoders)

    @property
    def bytes(self) -> int:
        """Size on disk."""
        return sum(encoder.bytes for encoder in self.encoders)

    def __str__(self) -> str:
        lines = [f"{self.entries:,} vectors, {self.bytes / 1e6:,.1f} MB, in {self.folder}"]
        for one in self.encoders:
            size = f"{one.entries:,} of {one.dimension} dimensions, {one.bytes / 1e6:,.1f} MB"
            lines.append(f"  {one.name} ({one.fingerprint[:8]})  {size}")
        return "\n".join(lines)


def usage_key(fingerprint: str, text: str, span: Span) -> bytes:
    """What a vector is filed under: its encoder, text and span."""
    return digest(f"{fingerprint}\0{span[0]}:{span[1]}\0{text}")


class Cache:
    """All vectors kept on disk, or those in a folder given."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = cache_folder() if folder is None else Path(folder).expanduser()

    def shelf(self, name: str, fingerprint: str, dimension: int) -> Shelf:
        """The part for one encoder, made if need be."""
        folder = self.folder / "vectors" / digest(fingerprint).hex()
        about = {"name": name, "fingerprint": fingerprint, "dimension": dimension}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if _about(folder) != about:
                _write_atomically(folder / "encoder.json", json.dumps(about).encode())
        except OSError as error:
            raise InputError(
                f"The cache {self.folder} cannot be written ({error.strerror}): set "
                "SENSESHIFT_CACHE to a folder of yours, or switch the cache off."
            ) from None
        return Shelf(folder, dimension)

    def describe(self) -> CacheReport:
        """What is there."""
        found = (_describe(folder) for folder in self._folders())
        return CacheReport(self.folder, tuple(sorted(found, key=lambda one: -one.bytes)))

    def clear(self, encoder: str | None = None) -> CacheReport:
        """Remove everything, or one encoder by name or beginning of its fingerprint.

        Returns what was removed. A run that is writing meanwhile goes on, uncached.
        """
        removed = []
        for folder in self._folders():
            about = _describe(folder)
            if encoder and about.name != encoder and not about.fingerprint.startswith(encoder):
                continue
            # Only what we wrote: the folder is the user's choice and may hold other things.
            for pattern in ("*.shard", "*.foreign*", "encoder.json*"):
                for path in folder.glob(pattern):
                    path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                folder.rmdir()
            removed.append(about)
        return CacheReport(self.folder, tuple(removed))

    def _folders(self) -> list[Path]:
        place = self.folder / "vectors"
        return sorted(path for path in place.glob("*") if path.is_dir())


class Shelf:
    """One encoder's vectors in a cache, for one run: read everybody's, write one's own."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._folder, self._dimension = folder, dimension
        self._record = _record(dimension)
        self._read: dict[Path, int] = {}
        self.taken = 0  # entries of others that were looked at
        self._own: Path | None = None
        self._file: int | None = None
        self._broken = False

    def news(self, wanted: Container[bytes]) -> Iterator[tuple[bytes, Vectors]]:
        """Sound entries that are wanted, of all that was written since the last look."""
        for path in sorted(self._folder.glob("*.shard")):
            if path != self._own:
                # It may be cleared at any time, be another user's or lie on a broken disk: what
                # cannot be read is encoded anew.
                with contextlib.suppress(OSError):
                    yield from self._new_in(path, wanted)

    def _new_in(self, path: Path, wanted: Container[bytes]) -> Iterator[tuple[bytes, Vectors]]:
        size, step = path.stat().st_size, self._record.itemsize
        start = self._read.get(path, HEADER.size)
        if (size - start) // step <= 0:
            return
        with path.open("rb") as file:
            if _dimension(file.read(HEADER.size)) != self._dimension:
                return
            file.seek(start)
            left = (size - start) // step
            while left:
                count = min(left, max(1, AT_ONCE // step))
                records = np.frombuffer(block := file.read(count * step), self._record)
                self.taken += len(records)
                for row in range(len(records)):
                    key = block[row * step : row * step + KEY]
                    if key in wanted and _checksum(block, row * step, step) == records["sum"][row]:
                        yield key, records["vector"][row]
                left -= count
        self._read[path] = start + (size - start) // step * step

    def foreign(self, wanted: Container[bytes]) -> set[bytes]:
        """Those of the usages wanted that were noted to be in another language."""
        found: set[bytes] = set()
        for path in self._folder.glob("*.foreign"):
            with contextlib.suppress(OSError):
                block = path.read_bytes()
                found.update(block[at : at + KEY] for at in range(0, len(block), KEY))
        return {key for key in found if key in wanted}

    def note_foreign(self, keys: Collection[bytes]) -> None:
        """Keep which usages are in another language, so that none is looked at again."""
        if keys:
            with contextlib.suppress(OSError):
                _write_atomically(self._folder / f"{_writer()}.foreign", b"".join(keys))

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Append entries, all in one write."""
        records = np.empty(len(keys), self._record)
        records["key"] = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, KEY)
        records["vector"] = vectors
        block, step = records.tobytes(), self._record.itemsize
        records["sum"] = [_checksum(block, row * step, step) for row in range(len(keys))]
        self._append(records.tobytes())

    def _append(self, block: bytes) -> None:
        if self._broken:
            return
        try:
            if self._file is None:
                self._own = self._folder / f"{_writer()}.shard"
                flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND
                self._file = os.open(self._own, flags | getattr(os, "O_BINARY", 0), 0o644)
                block = _header(self._dimension) + block
            while block:
                block = block[os.write(self._file, block) :]
        except OSError as error:
            # Encoding matters more than keeping; a half record at the end is never read.
            self._broken = True
            logging.getLogger("senseshift").warning(
                "The cache %s cannot be written any more (%s): the vectors that follow are not "
                "kept for another run.",
                self._folder,
                error.strerror,
            )

    def close(self) -> None:
        """Finish writing."""
        if self._file is not None:
            os.close(self._file)
            self._file, self._own = None, None

    def __enter__(self) -> Shelf:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _writer() -> str:
    """A name that no other process has."""
    return f"{time.time_ns():x}-{os.getpid()}-{secrets.token_hex(4)}"


def _record(dimension: int) -> np.dtype[np.void]:
    return np.dtype([("key", "u1", KEY), ("sum", "<u4"), ("vector", "<f4", (dimension,))])


def _checksum(block: bytes, start: int, step: int) -> int:
    """Of key and vector; the four bytes between are where it is kept."""
    key = zlib.crc32(block[start : start + KEY])
    return zlib.crc32(block[start + KEY + 4 : start + step], key)


def _header(dimension: int) -> bytes:
    return HEADER.pack(MAGIC, dimension, zlib.crc32(MAGIC + struct.pack("<I", dimension)))


def _dimension(header: bytes) -> int | None:
    """The length of a shard's vectors; None if it is not a shard, or a damaged one."""
    if len(header) != HEADER.size:
        return None
    dimension: int = HEADER.unpack(header)[1]
    return dimension if header == _header(dimension) else None


def _describe(folder: Path) -> CachedEncoder:
    entries = size = dimension = 0
    for path in folder.glob("*.shard"):
        with contextlib.suppress(OSError), path.open("rb") as file:
            length = path.stat().st_size
            size += length
            if known := _dimension(file.read(HEADER.size)):
                dimension = known
                entries += (length - HEADER.size) // _record(known).itemsize
    about = _about(folder)
    name, fingerprint = about.get("name", "unknown"), about.get("fingerprint", folder.name)
    return CachedEncoder(str(name), str(fingerprint), dimension, entries, size)


def _about(folder: Path) -> dict[str, object]:
    """What ``encoder.json`` says; nothing if it is not there or damaged."""
    try:
        about = json.loads((folder / "encoder.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return about if isinstance(about, dict) else {}


def _write_atomically(path: Path, content: bytes) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    temporary.write_bytes(content)
    try:
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise

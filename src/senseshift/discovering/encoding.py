"""Vectors of usages on disk: half precision, a row of bytes each."""

from __future__ import annotations

import marshal
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.discovering.units import key_of
from senseshift.encoders import Encoder, Precomputed, encode, load
from senseshift.encoders.resolve import EncoderLike
from senseshift.errors import InputError, LanguageWarning
from senseshift.executors import unit_threads

Vectors = NDArray[np.float32]
KEPT = np.dtype("<f2")


@dataclass(frozen=True)
class Encoding:
    """The encoder, by its name where it has one, and what tells its vectors from others'."""

    encoder: EncoderLike
    fingerprint: str
    name: str
    calibration: Calibration | None
    batch_size: int = 32
    offline: bool = False

    @classmethod
    def of(
        cls, encoder: EncoderLike, calibration: Calibration | None, batch_size: int, offline: bool
    ) -> Encoding:
        """What was named, loaded once to see that it can be."""
        source = _loaded(encoder, batch_size, offline)
        return cls(
            encoder, source.fingerprint or _code(encoder), source.name,
            calibration or getattr(source, "calibration", None), batch_size, offline,
        )  # fmt: skip

    def inputs(self) -> list[object]:
        """What vectors depend on, as JSON has it."""
        return [self.fingerprint, self.batch_size]

    def encode(self, usages: pl.DataFrame) -> Vectors:
        """Vectors of usages, as they are read back from disk.

        The cache is left alone: vectors lie with their unit, and a usage must not depend on which
        others happened to be cached.
        """
        if not usages.height:
            return np.empty((0, 0), np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LanguageWarning)  # of each unit; once is enough
            made = encode(usages, self._source(), batch_size=self.batch_size, cache=False)
        return made.astype(KEPT).astype(np.float32)

    def _source(self) -> Encoder:
        if isinstance(self.encoder, str | Path):  # loaded once in a process
            return _kept(str(self.encoder), self.batch_size, self.offline, unit_threads())
        return _loaded(self.encoder, self.batch_size, self.offline)

    @property
    def resources(self) -> dict[str, float]:
        """Models of a hub want a GPU, where some worker has one."""
        named = str(self.encoder) if isinstance(self.encoder, str | Path) else ""
        return {"GPU": 1.0} if named.startswith(("hf:", "xl-lexeme")) else {}


@lru_cache(maxsize=2)
def _kept(encoder: str, batch_size: int, offline: bool, threads: int) -> Encoder:
    return _loaded(encoder, batch_size, offline, threads)


def _loaded(
    encoder: EncoderLike, batch_size: int, offline: bool, threads: int | None = None
) -> Encoder:
    source = load(encoder, batch_size=batch_size, threads=threads, offline=offline)
    if isinstance(source, Precomputed):
        raise InputError(
            f"The encoder {source.name} is a file of vectors, which cannot know the usages that "
            "will be found: name an encoder, such as bundled or onnx:DIR."
        )
    return source


def _code(encoder: EncoderLike) -> str:
    """What there is to know a callable by: its name and its code."""
    code = getattr(encoder, "__code__", None)
    if code is None:
        code = getattr(vars(type(encoder)).get("__call__"), "__code__", None)
    name = getattr(encoder, "__qualname__", type(encoder).__qualname__)
    return key_of([name, None if code is None else marshal.dumps(code).hex()])


def packed(vectors: Vectors) -> pl.Series:
    """Vectors as a column."""
    rows = np.ascontiguousarray(vectors.astype(KEPT))
    return pl.Series("vector", [row.tobytes() for row in rows], dtype=pl.Binary)


def unpacked(column: pl.Series) -> Vectors:
    """What :func:`packed` made."""
    rows = column.to_list()
    if not rows:
        return np.empty((0, 0), np.float32)
    return np.frombuffer(b"".join(rows), KEPT).reshape(len(rows), -1).astype(np.float32)

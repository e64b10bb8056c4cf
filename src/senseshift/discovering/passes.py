"""The units of both passes over the corpora."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, ClassVar
from zlib import crc32

import polars as pl

from senseshift.discovering.counting import count
from senseshift.discovering.reading import Reading, Share
from senseshift.discovering.sampling import Sampling, sample
from senseshift.discovering.units import Unit, parquet
from senseshift.storage import Folder


@dataclass(frozen=True)
class Count(Unit):
    """The words of some shares of the corpora."""

    stage: ClassVar[str] = "count"

    shares: tuple[Share, ...]
    reading: Reading
    each: int

    def inputs(self) -> Any:
        """Files by size and time of change, and how they are read."""
        return [_files(self.shares), _how(self.reading), self.each]

    def make(self) -> Mapping[str, pl.DataFrame]:
        """Count them."""
        return count(self.shares, self.reading, self.each)


@dataclass(frozen=True)
class Sample(Unit):
    """Usages that some shares of the corpora offer, by partition of the words."""

    stage: ClassVar[str] = "sample"

    shares: tuple[Share, ...]
    reading: Reading
    sampling: Sampling
    wanted: str  # the file with the words, by its digest

    def inputs(self) -> Any:
        """The shares and the words."""
        return [_files(self.shares), _how(self.reading), asdict(self.sampling), self.wanted]

    def make(self) -> Mapping[str, pl.DataFrame]:
        """Draw them."""
        bounds, partitions = _wanted(self.folder, self.wanted, self.reading.language)
        found = sample(self.shares, self.reading, self.sampling, bounds)
        words = found["word"].unique()
        place = {word: partition_of(word, partitions) for word in words}
        found = found.with_columns(
            pl.col("word").replace_strict(place, return_dtype=pl.Int64).alias("partition")
        )
        parts = found.partition_by("partition", as_dict=True, include_key=False)
        return {partition_name(int(key[0])): parts[key] for key in sorted(parts)}


def partition_of(word: str, partitions: int) -> int:
    """Where a word belongs."""
    return crc32(word.encode()) % partitions


def partition_name(partition: int) -> str:
    """What a partition is called."""
    return f"{partition:05d}"


@lru_cache(maxsize=2)
def _wanted(folder: Folder, name: str, language: str) -> tuple[dict[str, dict[str, int]], int]:
    """The words to find and the bounds of their numbers, and how many partitions they have."""
    rows = parquet(folder, name)
    bounds: dict[str, dict[str, int]] = {}
    for word, period, bound in rows.select("word", "period", "bound").iter_rows():
        bounds.setdefault(period, {})[word] = int(bound)
    return bounds, int(rows["partitions"][0]) if rows.height else 1


def _files(shares: tuple[Share, ...]) -> list[Any]:
    return [asdict(share) | {"file": [str(share.file.path), share.file.name, share.file.period]}
            for share in shares]  # fmt: skip


def _how(reading: Reading) -> Any:
    return asdict(reading)

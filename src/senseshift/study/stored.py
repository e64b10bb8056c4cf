"""Reading a study: whole, or as it lies on disk, a word at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.errors import InputError, shortened
from senseshift.folders import read_whole
from senseshift.study.by_word import ByWord
from senseshift.study.checking import check_tables, check_vectors
from senseshift.study.files import VECTORS, about_of, tables_in
from senseshift.study.study import TABLES, Study

LARGE = ("instances", "arcs")  # rows for each usage, not for each word


def load(folder: Path) -> Study:
    """Read a study that was saved."""
    with stored(folder) as found, _told(folder):
        vectors = np.load(folder / VECTORS, allow_pickle=False)
        tables = {name: getattr(found, name) for name in TABLES}
    return Study(**tables, vectors=vectors, about=found.about)


@contextmanager
def stored(folder: str | Path) -> Iterator[Study]:
    """A study of which nothing is read but what is asked for.

    :meth:`Study.of_word` takes as much time and memory however many words there are. The folder
    is held meanwhile, so that nobody replaces the study.
    """
    place = Path(folder)
    with read_whole(place):
        study = StoredStudy(place, about_of(place))
        with _told(place):
            study.check()
        yield study


class StoredStudy(Study):
    """Tables that are asked for whole are read whole, and are then kept."""

    def __init__(self, folder: Path, about: dict[str, Any]) -> None:
        self.__dict__.update(_folder=folder, about=about)

    def __getattr__(self, name: str) -> Any:
        """A table that nobody asked for yet."""
        if name not in (*TABLES, "vectors"):
            raise AttributeError(name)
        with _told(self._folder):
            read = self._mapped() if name == "vectors" else self._frames[name].collect()
        self.__dict__[name] = read
        return read

    def of_word(self, word: str) -> Study:
        """What it has of one word, read now."""
        with _told(self._folder):
            return super().of_word(word)

    @cached_property
    def by_word(self) -> ByWord:
        """Its tables: the large ones where they lie, the others in memory."""
        return ByWord({name: self._frames[name] if name in LARGE else getattr(self, name)
                       for name in TABLES})  # fmt: skip

    def vectors_of(self, usages: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of some usages, by their numbers."""
        return self._mapped()[usages]  # mapped anew, or all that was ever looked at would stay

    def _mapped(self) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = np.load(
            self._folder / VECTORS, mmap_mode="r", allow_pickle=False
        )
        return vectors

    @cached_property
    def _frames(self) -> dict[str, pl.LazyFrame]:
        frames = dict.fromkeys(TABLES, pl.LazyFrame())
        return frames | {
            name: pl.scan_parquet(path, glob=False)
            for name, path in tables_in(self._folder).items()
        }

    def check(self) -> None:
        """An error if it is none, as far as columns and the numbers of its usages tell."""
        try:
            check_tables({k: frame.head(1).collect() for k, frame in self._frames.items()},
                         self.measures)  # fmt: skip
            instances = self._frames["instances"]
            usage = pl.col("usage") if "usage" in instances.collect_schema() else pl.lit(0).head(0)
            ends = instances.select(usage.min(), last=usage.max()).collect()
            check_vectors(self._mapped(), ends.unpivot()["value"].drop_nulls())
        except InputError as error:
            raise InputError(
                f"The study {self._folder} is damaged: {error}: make it again."
            ) from None


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Whatever cannot be read is damaged."""
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError, EOFError, pl.exceptions.PolarsError) as error:
        raise InputError(f"The study {folder} is damaged: {shortened(str(error), 200)}.") from None

"""The rows that tables have of one word, found without looking at those of all the others."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

Span = tuple[int, int]  # the first row of a word, and over how many its rows are spread


class ByWord:
    """Tables, in memory or on disk, that are asked for one word.

    Rows of a word stand together in what we write: then they are all that is read. Where they do
    not, it takes longer and gives the same.
    """

    def __init__(self, tables: Mapping[str, pl.DataFrame | pl.LazyFrame]) -> None:
        self._frames = {name: table.lazy() for name, table in tables.items()}
        self._spans: dict[str, dict[str, Span]] = {}

    def rows(self, name: str, word: str, *columns: str) -> pl.DataFrame:
        """The word's rows of a table; all columns, or some."""
        frame = self._frames[name]
        first, count = self.spans(name).get(word, (0, 0))
        found = frame.slice(first, count)
        if count:
            found = found.filter(pl.col("word") == word)
        return (found.select(columns) if columns else found).collect()

    def spans(self, name: str) -> dict[str, Span]:
        """Where the rows of every word are."""
        if name not in self._spans:
            self._spans[name] = _spans(self._frames[name])
        return self._spans[name]


def _spans(frame: pl.LazyFrame) -> dict[str, Span]:
    if "word" not in frame.collect_schema():  # a table of nothing
        return {}
    row = pl.int_range(pl.len())
    ends = frame.select("word", row.alias("row")).group_by("word", maintain_order=True)
    first, last = pl.min("row").alias("first"), pl.max("row").alias("last")
    found = ends.agg(first, last).collect().iter_rows()
    return {word: (start, end - start + 1) for word, start, end in found}

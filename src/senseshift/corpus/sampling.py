"""Which of the usages found are kept: no context twice, and a fair sample if there are many.

Every usage gets a number from a keyed hash of its word, context and span, and a sample keeps the
smallest numbers: reservoir sampling in which the number decides, not the order. So a usage that is
there twice has the same number and counts once, memory is bounded by the size of the sample, and
the same seed gives the same sample however the corpus is cut into files.
"""

from __future__ import annotations

from hashlib import blake2b
from heapq import heappush, heapreplace

import polars as pl

COLUMNS = ("word", "period", "id", "text", "start", "end", "date", "source")
Record = tuple[str, str, str, str, int, int, str | None, str | None]
FLUSH = 50_000

_SCHEMA = dict.fromkeys(COLUMNS, pl.String) | {"start": pl.Int64, "end": pl.Int64}


class Sample:
    """The usages to keep, at most ``limit`` for each word and period."""

    def __init__(self, limit: int | None, seed: int) -> None:
        self._limit = limit
        self._key = seed.to_bytes(16, "little", signed=True)
        self._seen: dict[tuple[str, str], set[int]] = {}
        self._heaps: dict[tuple[str, str], list[tuple[int, int, Record]]] = {}
        self._pending: list[Record] = []
        self._frames: list[pl.DataFrame] = []
        self.found: dict[tuple[str, str], int] = {}
        self.duplicates: dict[str, int] = {}

    def add(self, record: Record) -> None:
        """Keep a usage, or drop it as a duplicate or by chance."""
        word, period, _, text, start, *_ = record
        place = (word, period)
        self.found[place] = self.found.get(place, 0) + 1
        seen = self._seen.setdefault(place, set())
        content = f"{word}\0{start}\0{text}".encode()
        number = int.from_bytes(blake2b(content, digest_size=8, key=self._key).digest(), "little")
        if number in seen:
            self.duplicates[period] = self.duplicates.get(period, 0) + 1
        elif self._limit is None:
            seen.add(number)
            self._pending.append(record)
            if len(self._pending) >= FLUSH:
                self._flush()
        else:
            self._sample(self._heaps.setdefault(place, []), seen, number, record)

    def _sample(
        self, heap: list[tuple[int, int, Record]], seen: set[int], number: int, record: Record
    ) -> None:
        assert self._limit is not None
        # Negative numbers, so that the heap's first is the largest and the next to go.
        item = (-number, self.found[record[0], record[1]], record)
        if len(heap) < self._limit:
            heappush(heap, item)
            seen.add(number)
        elif heap and item > heap[0]:
            seen.discard(-heapreplace(heap, item)[0])
            seen.add(number)

    def _flush(self) -> None:
        self._frames.append(pl.DataFrame(self._pending, schema=_SCHEMA, orient="row"))
        self._pending = []

    def table(self, words: list[str], periods: tuple[str, ...]) -> pl.DataFrame:
        """What was kept: by word, then by period, then in the order of the corpus."""
        for word in words:
            for period in periods:
                heap = self._heaps.get((word, period), [])
                self._pending += [record for _, _, record in sorted(heap, key=lambda item: item[1])]
        self._flush()
        self._seen, self._heaps = {}, {}
        table = pl.concat(self._frames)
        self._frames = []
        order = [
            pl.col("word").replace_strict(words, range(len(words)), return_dtype=pl.UInt32),
            pl.col("period").replace_strict(periods, range(len(periods)), return_dtype=pl.UInt32),
        ]
        return table.sort(order, maintain_order=True)

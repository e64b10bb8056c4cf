"""Which of the usages found are kept: no context twice, and a fair sample if there are many.

Every usage gets a number from a keyed hash of its word, context and span, and a sample keeps the
smallest numbers: reservoir sampling in which the number decides, not the order. So a usage that is
there twice has the same number and counts once, memory is bounded by the size of the sample, and
the same seed gives the same sample however the corpus is cut into files.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import chain

import polars as pl

# The smallest sample in which the share of any sense is known to within five points (at 95 %:
# 1.96 · √(¼ / 400) = 0.049). More tells little that is new, and takes time and memory.
MAX_USAGES = 400
FLUSH = 50_000

_SCHEMA = {
    "word": pl.String,
    "period": pl.String,
    "id": pl.String,
    "text": pl.String,
    "start": pl.Int64,
    "end": pl.Int64,
    "date": pl.String,
    "source": pl.String,
}


# A usage that was found: its values by the columns above, the source last; and what else its
# corpus says of it.
Found = tuple[str, str, str, str, int, int, str | None, str]
Extra = Mapping[str, str] | None


class Count:
    """What was found of a word in a period, whether or not it is kept."""

    __slots__ = ("documents", "dropped", "found", "last")

    def __init__(self) -> None:
        self.found = self.documents = self.dropped = 0
        self.last: str | None = None


class _Reservoir:
    """The usages with the smallest numbers, at most ``each`` of one document."""

    def __init__(self, limit: int | None, each: int | None) -> None:
        self._limit, self._each = limit, each
        self.kept: dict[int, tuple[int, Found, Extra]] = {}
        self._heap: list[int] = []  # negative, so that the largest is first; some may be gone
        self._of: dict[str, list[int]] = {}

    def offer(self, number: int, order: int, usage: Found, extra: Extra) -> bool:
        """Take a usage if it is among the smallest; whether one had to go."""
        source = usage[7]
        mine = self._of.get(source, []) if self._each else []
        if self._each and len(mine) >= self._each:
            largest = mine[-1]
        elif self._limit is not None and len(self.kept) >= self._limit:
            while -self._heap[0] not in self.kept:
                heappop(self._heap)
            largest = -self._heap[0]
        else:
            largest = None
        if largest is not None:
            if number > largest:
                return True
            self._remove(largest)
        self.kept[number] = (order, usage, extra)
        heappush(self._heap, -number)
        if self._each:
            insort(self._of.setdefault(source, []), number)
        return largest is not None

    def _remove(self, number: int) -> None:
        _, usage, _ = self.kept.pop(number)
        if self._each:
            source = usage[7]
            mine = self._of[source]
            mine.remove(number)
            if not mine:
                del self._of[source]


class Sample:
    """The usages to keep, at most ``limit`` for each word and period and ``each`` a document."""

    def __init__(self, limit: int | None, each: int | None, seed: int) -> None:
        self._limit, self._each = limit, each
        self._key = seed.to_bytes(16, "little", signed=True)
        self._seen: dict[tuple[str, str], set[int]] = {}
        self._reservoirs: dict[tuple[str, str], _Reservoir] = {}
        self._pending: list[Found] = []
        self._extras: list[Extra] = []
        self._frames: list[pl.DataFrame] = []
        self.counts: dict[tuple[str, str], Count] = {}
        self.duplicates: dict[str, int] = {}

    def add(self, usage: Found, extra: Extra = None) -> None:
        """Keep a usage, or drop it as a duplicate or by chance."""
        word, period, _, text, start, _, _, source = usage
        place = (word, period)
        count = self.counts.get(place)
        if count is None:
            count = self.counts[place] = Count()
        count.found += 1
        if count.last != source:
            count.last = source
            count.documents += 1
        content = f"{word}\0{start}\0{text}".encode()
        number = int.from_bytes(blake2b(content, digest_size=8, key=self._key).digest(), "little")
        if self._limit is None and self._each is None:
            seen = self._seen.setdefault(place, set())
            if number in seen:
                self.duplicates[period] = self.duplicates.get(period, 0) + 1
                return
            seen.add(number)
            self._pending.append(usage)
            self._extras.append(extra)
            if len(self._pending) >= FLUSH:
                self._flush()
            return
        reservoir = self._reservoirs.get(place)
        if reservoir is None:
            reservoir = self._reservoirs[place] = _Reservoir(self._limit, self._each)
        if number in reservoir.kept:
            self.duplicates[period] = self.duplicates.get(period, 0) + 1
        else:
            count.dropped += reservoir.offer(number, count.found, usage, extra)

    def capped(self) -> set[str]:
        """Words of which not all usages are kept."""
        return {word for (word, _), count in self.counts.items() if count.dropped}

    def _flush(self) -> None:
        frame = pl.DataFrame(self._pending, schema=_SCHEMA, orient="row")
        extras = [extra or {} for extra in self._extras]
        names = dict.fromkeys(chain.from_iterable(extras))
        self._frames.append(
            frame.with_columns(
                pl.Series(name, [extra.get(name) for extra in extras], dtype=pl.String)
                for name in names
            )
        )
        self._pending, self._extras = [], []

    def table(self, words: list[str], periods: tuple[str, ...]) -> pl.DataFrame:
        """What was kept: by word, then by period, then in the order of the corpus."""
        for word in words:
            for period in periods:
                if reservoir := self._reservoirs.pop((word, period), None):
                    kept = sorted(reservoir.kept.values(), key=lambda item: item[0])
                    self._pending += [usage for _, usage, _ in kept]
                    self._extras += [extra for _, _, extra in kept]
        self._flush()
        self._seen = {}
        table = pl.concat(self._frames, how="diagonal")
        self._frames = []
        order = [
            pl.col("word").replace_strict(words, range(len(words)), return_dtype=pl.UInt32),
            pl.col("period").replace_strict(periods, range(len(periods)), return_dtype=pl.UInt32),
        ]
        return table.sort(order, maintain_order=True)

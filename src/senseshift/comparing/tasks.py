"""The words of a study as tasks: which usages each has, in which periods and documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.errors import InputError
from senseshift.usages import Usages
from senseshift.usages.identity import digest, identities

Ints = NDArray[np.int64]
Pair = tuple[str, str]  # the old and the new period


@dataclass(frozen=True, eq=False)
class Task:
    """One word, in all periods that are compared.

    Attributes
    ----------
    word
        The word.
    rows
        Its usages as rows of the table, in an order that follows from what they are, so that
        nothing drawn at random depends on how the table is sorted.
    periods
        The period of each.
    documents
        The document of each as a number, −1 where it is not known; None where none is.
    given
        The sense of each as it was given, if it was.
    pairs
        The pairs of periods in which it has usages on both sides.
    absent
        The other pairs, with the reason.
    seed
        A number that follows from its usages.
    per_million
        How often it is used in each period, where the corpora are known.
    """

    word: str
    rows: Ints
    periods: NDArray[np.object_]
    documents: Ints | None
    given: NDArray[np.object_] | None
    pairs: list[Pair]
    absent: dict[Pair, str] = field(default_factory=dict)
    seed: int = 0
    per_million: dict[str, float] = field(default_factory=dict)

    def frequencies(self, pair: Pair) -> tuple[float, float] | None:
        """How often it is used in two periods, if that is known."""
        old, new = (self.per_million.get(period) for period in pair)
        return None if old is None or new is None else (old, new)

    def side(self, period: str) -> Ints:
        """Places among :attr:`rows` of the usages of one period."""
        return np.flatnonzero(self.periods == period)


def pairs_of(usages: Usages, pairs: Sequence[Pair] | None) -> list[Pair]:
    """The pairs of periods to compare: those asked for, or each period with the next."""
    if len(usages.periods) < 2:
        raise InputError(
            f"The usages are all of one period, {', '.join(usages.periods) or 'none'}: "
            "a comparison needs two."
        )
    if pairs is None:
        return list(zip(usages.periods[:-1], usages.periods[1:], strict=True))
    for pair in pairs:
        for period in pair:
            if period not in usages.periods:
                raise InputError(
                    f"There is no period {period!r}; there are {', '.join(usages.periods)}."
                )
        if pair[0] == pair[1]:
            raise InputError(f"The period {pair[0]!r} is to be compared with itself: give two.")
    return [(old, new) for old, new in pairs]


def tasks_of(usages: Usages, pairs: list[Pair]) -> list[Task]:
    """A task for every word, those among them that have no usage at all."""
    table = usages.table.with_row_index("#row").with_columns(identities(usages.table))
    found = {
        str(word): part.sort("identity")
        for (word,), part in table.group_by("word", maintain_order=True)
    }
    counted = _per_million(usages)
    tasks = []
    for word in (*usages.words, *usages.missing):
        part = found.get(word)
        if part is None:
            none = np.empty(0, np.int64)
            reason = usages.missing[word]
            tasks.append(
                Task(
                    word, none, none.astype(object), None, None, [], dict.fromkeys(pairs, reason),
                    per_million=counted.get(word, {}),
                )
            )  # fmt: skip
            continue
        have = set(part["period"])
        absent = {
            pair: f"no usages in {' and '.join(period for period in pair if period not in have)}"
            for pair in pairs
            if not have.issuperset(pair)
        }
        tasks.append(
            Task(
                word,
                part["#row"].to_numpy().astype(np.int64),
                part["period"].to_numpy().astype(object),
                _documents(part),
                part["sense"].to_numpy().astype(object) if "sense" in part.columns else None,
                [pair for pair in pairs if pair not in absent],
                absent,
                int.from_bytes(digest("".join(part["identity"]))[:7], "big"),
                counted.get(word, {}),
            )
        )
    return tasks


def _documents(part: pl.DataFrame) -> Ints | None:
    """Numbers of the documents that usages are from."""
    if "source" not in part.columns or part["source"].is_null().all():
        return None
    sources = part["source"]
    number = {source: k for k, source in enumerate(sources.drop_nulls().unique().sort())}
    return np.array([-1 if s is None else number[s] for s in sources], np.int64)


def _per_million(usages: Usages) -> dict[str, dict[str, float]]:
    """How often each word is used in each period of the corpora, if there are any."""
    found: dict[str, dict[str, float]] = {}
    if usages.corpora is not None:
        counts = usages.corpora.counts.select("word", "period", "per_million").drop_nulls()
        for word, period, per_million in counts.iter_rows():
            found.setdefault(word, {})[period] = per_million
    return found

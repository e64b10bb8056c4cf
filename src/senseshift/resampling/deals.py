"""Random deals: the periods of a word's usages permuted, or those of whole documents.

If the period made no difference, usages could be dealt to the periods anew and nothing would look
unlike before.  But usages of one document hang together, so where documents are known it is
documents that are dealt.  They keep their usages, and every period keeps its number of documents,
among large documents and among small ones: then sides stay about as large as they are, and a deal
is as likely as the one that was found even where one period has the longer texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, lgamma

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Ints = NDArray[np.int64]

CLASS = 8  # documents of about the same size that are dealt among each other, at the least
CLEAR = 0.05  # a p-value that cannot come below says nothing


@dataclass(frozen=True, eq=False)
class Dealer:
    """Deals the periods of one word's usages.

    Parameters
    ----------
    periods
        The period of every usage, a whole number, or whether it is new.
    documents
        The document of every usage, a whole number; a negative one is not known and the usage is
        then a document of its own.  Without any, single usages are dealt.  A document found in
        two periods counts as two.
    seed
        One whole number or several.  Each deal depends on them and on its own number alone, so it
        is the same however many are made, in whatever order and by however many threads.  Give a
        number made from the word's content too, or equal words of a study are dealt alike.
    """

    periods: Ints
    documents: Ints | None = None
    seed: int | Sequence[int] = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "periods", _whole(self.periods, "periods"))
        if self.documents is not None:
            documents = _whole(self.documents, "documents")
            if documents.size != self.periods.size:
                raise InputError(
                    f"There are {documents.size} documents for {self.periods.size} usages: "
                    "give one for each usage."
                )
            object.__setattr__(self, "documents", documents)

    def draw(self, start: int, stop: int) -> Ints:
        """Deals number ``start`` to ``stop − 1``, one row each: the period of every usage."""
        return np.array([self._deal(number) for number in range(start, stop)]).reshape(
            -1, self.periods.size
        )

    def _deal(self, number: int) -> Ints:
        rng = self.generator(number)
        dealt = self.owners.copy()
        for blocks in self._classes:
            dealt[blocks] = rng.permutation(self.owners[blocks])
        return dealt[self.blocks]

    def generator(self, *numbers: int) -> np.random.Generator:
        """Random numbers that depend on the seed and on these numbers alone."""
        seeds = [self.seed] if isinstance(self.seed, int) else [*self.seed]
        return np.random.default_rng([*seeds, *numbers])

    @cached_property
    def blocks(self) -> Ints:
        """What is dealt as one: the number of every usage's document, in order of appearance."""
        if self.documents is None:
            return np.arange(self.periods.size)
        lone = np.arange(self.periods.size) + self.documents.max(initial=0) + 1
        documents = np.where(self.documents < 0, lone, self.documents)
        pairs = np.stack([documents, self.periods])
        _, first, block = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
        rank = np.empty(first.size, dtype=np.int64)
        rank[np.argsort(first)] = np.arange(first.size)
        return rank[block.ravel()]

    @cached_property
    def owners(self) -> Ints:
        """The period of every block."""
        owners = np.empty(int(self.blocks.max(initial=-1)) + 1, dtype=np.int64)
        owners[self.blocks] = self.periods
        return owners

    @cached_property
    def _classes(self) -> list[Ints]:
        """Blocks that are dealt among each other: of about the same size, not too few.

        They follow from the sizes alone, whatever the periods; otherwise the deal that was found
        would not be one among equals.
        """
        magnitudes = np.frexp(np.bincount(self.blocks))[1]  # 1, 2–3, 4–7, … usages
        classes: list[Ints] = []
        for magnitude in np.unique(magnitudes)[::-1]:
            blocks = np.flatnonzero(magnitudes == magnitude)
            if classes and classes[-1].size < CLASS:
                classes[-1] = np.sort(np.concatenate([classes[-1], blocks]))
            else:
                classes.append(blocks)
        if len(classes) > 1 and classes[-1].size < CLASS:
            last = classes.pop()
            classes[-1] = np.sort(np.concatenate([classes[-1], last]))
        return classes

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many documents, or single usages, each period has."""
        periods, counts = np.unique(self.owners, return_counts=True)
        return dict(zip(periods.tolist(), counts.tolist(), strict=True))

    @cached_property
    def distinct(self) -> float:
        """How many different deals there are, the found one among them."""
        logarithm = 0.0
        for blocks in self._classes:
            _, counts = np.unique(self.owners[blocks], return_counts=True)
            logarithm += lgamma(blocks.size + 1) - sum(lgamma(count + 1) for count in counts)
        return float(round(exp(logarithm))) if logarithm < 35 else exp(min(logarithm, 700.0))

    def floor(self, permutations: int) -> float:
        """The smallest p-value that so many permutations can give."""
        return max(1.0 / self.distinct, 1.0 / (permutations + 1))

    @property
    def enough(self) -> bool:
        """Whether there are enough different deals for any p-value to be clear."""
        return self.distinct >= 1.0 / CLEAR


def pair(periods: ArrayLike, old: int, new: int) -> tuple[Ints, NDArray[np.bool_]]:
    """The usages of two of several periods, and which of them are new.

    Only these two are dealt when they are compared: a third may well differ from both.
    """
    labels = _whole(periods, "periods")
    rows = np.flatnonzero((labels == old) | (labels == new))
    return rows, labels[rows] == new


def _whole(values: ArrayLike, name: str) -> Ints:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "bui":
        raise InputError(
            f"The {name} must be one whole number for each usage, "
            f"not {array.dtype} of shape {array.shape}."
        )
    return array.astype(np.int64)

"""How a word's usages are spread over documents, and whether one document carries it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.resampling.deals import Dealer

CARRIED = 0.25  # a share of a side's usages beyond which one document can make or undo a finding
FEW = 5.0  # effective documents below which a side says more of its texts than of its time


@dataclass(frozen=True)
class Dispersion:
    """The usages of one period over their documents.

    Attributes
    ----------
    usages, documents
        How many there are.
    largest, largest_share
        The document with the most usages, as it was numbered, and its share of them.
    effective
        The effective number of documents, 1 / Σ share²: how many equally large ones would
        concentrate the usages as much.
    dp
        Gries's deviation of proportions, normalised, of the usages from documents of equal size:
        0 where every document has as many usages, near 1 where one has nearly all of them.
    """

    usages: int
    documents: int
    largest: int
    largest_share: float
    effective: float
    dp: float

    @property
    def carried(self) -> bool:
        """Whether one document carries the word: it has a large share of several usages."""
        return self.usages > 1 / CARRIED and self.largest_share > CARRIED

    @property
    def narrow(self) -> bool:
        """Whether the usages come from few documents."""
        return self.effective < min(FEW, self.usages)

    def __str__(self) -> str:
        warning = "; one document carries it" if self.carried else ""
        return (
            f"{self.usages:,} usages in {self.documents:,} documents (as {self.effective:.1f} equal"
            f" ones), the largest with {100 * self.largest_share:.0f} %{warning}"
        )


def disperse(documents: ArrayLike) -> Dispersion:
    """The dispersion of one period's usages, given the document of each as a whole number.

    A negative number is not known; such a usage counts as a document of its own.
    """
    given = np.asarray(documents)
    blocks = Dealer(np.zeros(given.size, dtype=np.int64), given).blocks
    counts: NDArray[np.int64] = np.bincount(blocks)
    if not counts.size:
        return Dispersion(0, 0, -1, 0.0, 0.0, 0.0)
    shares = counts / counts.sum()
    widest = int(np.argmax(counts))
    even = 1.0 / counts.size
    deviation = float(np.abs(shares - even).sum() / 2.0)
    return Dispersion(
        usages=int(given.size),
        documents=counts.size,
        largest=int(given[np.flatnonzero(blocks == widest)[0]]),
        largest_share=float(shares[widest]),
        effective=float(1.0 / (shares**2).sum()),
        dp=deviation / (1.0 - even) if counts.size > 1 else 0.0,
    )

"""Every score that tuning can ask for, computed once: words × hyper-parameters."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senseshift.errors import UncertifiedWarning
from senseshift.evaluation.methods import BY_DAMPING, BY_LAM, DAMPINGS, FIXED, LAMS, WIDE_LAMS
from senseshift.measures import WORD, Comparison, measure
from senseshift.progress import Progress

Floats = NDArray[np.float64]
Pair = tuple[Floats, Floats]  # of the old and the new usages

THRESHOLDED = {m.name: m.beyond for m in WORD if m.beyond}


@dataclass(frozen=True, eq=False)
class WordScores:
    """All scores of one word by method and hyper-parameter: of its usages, and of the word.

    Infinities of τ_WiDiD are as they were found.
    """

    usages: Mapping[str, Mapping[float | None, Pair]]
    values: Mapping[tuple[str, float | None], float]

    @property
    def sus(self) -> Mapping[float | None, Pair]:
        """SUS of the usages by λ."""
        return self.usages["tau_SUS"]

    def largest(self, lam: float) -> float:
        """The largest |SUS| of the word."""
        return max(float(np.abs(side).max()) for side in self.sus[lam])


def score_word(old: Floats, new: Floats, *, compat: bool) -> WordScores:
    """The scores of one word from its old and new vectors, with ``compat`` as published."""
    word = Comparison(old, new, method="mm" if compat else "exact", compat=compat)
    values: dict[tuple[str, float | None], float] = {}
    values |= {(name, None): value for name, value in measure(word, FIXED).items()}
    lams = sorted({*LAMS, *WIDE_LAMS})
    along = dict(zip(lams, word.path(lams), strict=True))
    for lam, solved in along.items():
        values |= {(name, lam): value for name, value in measure(solved, BY_LAM).items()}
    clustered = {damping: word.at(damping=damping) for damping in DAMPINGS}
    for damping, other in clustered.items():
        values |= {(name, damping): value for name, value in measure(other, BY_DAMPING).items()}
    return WordScores(
        usages={
            "tau_SUS": {lam: solved.sus for lam, solved in along.items()},
            "tau_LDR": {None: word.ldr},
            "tau_WiDiD": {damping: other.cluster_tau for damping, other in clustered.items()},
        },
        values=values,
    )


def score_words(
    words: Mapping[str, Pair],
    *,
    compat: bool,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, WordScores]:
    """The scores of every word, from its old and its new vectors."""
    found: dict[str, WordScores] = {}
    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    with quiet():
        try:
            running = {
                pool.submit(score_word, *pair, compat=compat): word for word, pair in words.items()
            }
            for future in as_completed(running):
                found[running[future]] = future.result()
                if progress:
                    progress(len(found), len(words))
        finally:
            pool.shutdown(cancel_futures=True)
    return {word: found[word] for word in words}


@contextmanager
def quiet() -> Iterator[None]:
    """No warnings of what is known and meant: 1,000 iterations, and clusters not converged."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="All samples have mutually equal")
        yield


class Thresholded:
    """f_2 or g_1 of all words, θ = r·M with M the largest |SUS| of a set of words, as in the paper.

    With ``compat`` M is each word's own, as in the published scripts.
    """

    def __init__(
        self,
        name: str,
        words: Sequence[WordScores],
        grid: Sequence[tuple[float, float]],
        *,
        compat: bool,
    ) -> None:
        self.score, self.words, self.grid, self.compat = THRESHOLDED[name], words, grid, compat
        self.largest = {lam: np.array([w.largest(lam) for w in words]) for lam, _ in grid}
        self.known: dict[tuple[float, float, float], Floats] = {}

    def __call__(self, chosen: NDArray[np.bool_]) -> Floats:
        """Grid × words, by the threshold of the words chosen."""
        return np.array([self._row(lam, r, chosen) for lam, r in self.grid])

    def _row(self, lam: float, r: float, chosen: NDArray[np.bool_]) -> Floats:
        own = self.largest[lam]
        shared = float(own[chosen].max(initial=0.0))
        key = (lam, r, 0.0 if self.compat else shared)
        if key not in self.known:  # few sets differ in their largest
            thetas = r * (own if self.compat else np.full(own.size, shared))
            scores = [self.score(*w.sus[lam], t) for w, t in zip(self.words, thetas, strict=True)]
            self.known[key] = np.array(scores, dtype=np.float64)
        return self.known[key]

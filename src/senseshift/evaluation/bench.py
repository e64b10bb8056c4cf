"""The words that methods are measured on: their gold, their scores, their splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.evaluation import protocol
from senseshift.evaluation.gold import Gold
from senseshift.evaluation.methods import (
    BY_THRESHOLD,
    METHODS,
    PROPOSED,
    WIDE_LAMS,
    WIDE_SHARES,
    grid_of,
)
from senseshift.evaluation.ours import gold_of
from senseshift.evaluation.protocol import Mask, Outcome, Parameter, Scores, UsageGold, spearman
from senseshift.evaluation.scores import Thresholded, WordScores
from senseshift.measures import impute

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Bench:
    """The words on which methods are measured, and everything about them."""

    def __init__(
        self,
        table: pl.DataFrame,
        scores: Sequence[WordScores],
        rows: Mapping[str, tuple[Ints, Ints]],
        gold: Gold,
        compat: bool,
        splits: int,
    ) -> None:
        self.words, self.scores, self.compat = table["word"].to_list(), scores, compat
        self.gold = {kind: self._distinct(table[kind].to_numpy()) for kind in ("f", "g")}
        self.splits = protocol.draw_splits(len(self.words), splits)
        self.notes: list[tuple[str, str]] = []
        at = [np.concatenate(rows[word]) for word in self.words]
        tau = gold.usages["tau"].to_numpy()[np.concatenate([np.empty(0, np.int64), *at])]
        self.has_tau: Mask = ~np.isnan(tau)
        place = np.repeat(np.arange(len(at)), [rows.size for rows in at])
        sizes = [side.size for word in self.words for side in rows[word]]
        is_new = np.repeat(np.arange(len(sizes)) % 2 == 1, sizes)[self.has_tau]
        changed = table["changed"]
        groups = {"stable": changed.eq_missing(False), "changed": changed.eq_missing(True)}
        self.usage_gold = UsageGold(
            tau[self.has_tau],
            place[self.has_tau],
            {} if changed.is_null().all() else {k: v.to_numpy() for k, v in groups.items()},
            {"old": ~is_new, "new": is_new},
        )

    def tune(self, method: str) -> Outcome:
        """Tune and measure one method."""
        tune = self._tune_usages if gold_of(method) == "tau" else self._tune_words
        return tune(method)

    def _tune_words(self, method: str) -> Outcome:
        grid = grid_of(method, compat=self.compat)
        scores, gold = self.word_scores(method, grid), self.gold[gold_of(method)]
        known: Mask = np.ones(len(self.words), np.bool_)
        if self.words:
            known &= ~np.isnan(scores(known)).any(axis=0)
        for word in np.array(self.words)[~known]:
            self.notes.append((method, f"without {word}, which has too few usages"))

        def of_known(chosen: Mask) -> Floats:
            among = known.copy()
            among[known] = chosen
            return scores(among)[:, known]

        return protocol.tune_words(method, grid, gold[known], of_known, self.splits[:, known])

    def _tune_usages(self, method: str) -> Outcome:
        grid, by_paper = grid_of(method, compat=self.compat), method in METHODS
        scores = self.usage_scores(method, grid)
        known: Mask = np.asarray(~np.isnan(scores).any(axis=0))
        if not known.all():
            why = "on which the published script stops" if by_paper else "that have no score"
            self.notes.append((method, f"without {(~known).sum()} usages, {why}"))
        gold = self.usage_gold.among(known)
        as_published = self.compat and by_paper
        return protocol.tune_usages(
            method, grid, gold, scores[:, known], self.splits,
            within=_impute_within if self.compat and method == "tau_WiDiD" else np.asarray,
            undefined=0.0 if as_published and np.unique(gold.tau).size > 1 else np.nan,
        )  # fmt: skip

    def usage_scores(self, method: str, grid: Sequence[Parameter]) -> Floats:
        """Grid × usages with τ*, in the order of the words."""
        found = np.empty((len(grid), self.usage_gold.tau.size))
        for k, parameter in enumerate(grid):
            pairs = [word.usages[method][parameter] for word in self.scores]  # type: ignore[index]
            whole = np.concatenate([np.empty(0), *(side for pair in pairs for side in pair)])
            if method == "tau_WiDiD" and not self.compat:
                whole = impute([whole])[0]
            found[k] = whole[self.has_tau]
        return found

    def word_scores(self, method: str, grid: Sequence[Parameter]) -> Scores:
        """Grid × words, by the set of words that sets the threshold where there is one."""
        if method in BY_THRESHOLD:
            pairs = [parameter for parameter in grid if isinstance(parameter, tuple)]
            thresholded = Thresholded(method, self.scores, pairs, compat=self.compat)
            return lambda chosen: self._distinct(thresholded(chosen))
        table = np.array([[w.values[method, p] for w in self.scores] for p in grid], ndmin=2)  # type: ignore[index]
        scores = self._distinct(table)
        return lambda chosen: scores

    def _distinct(self, scores: Floats) -> Floats:
        """Scores of words that only rounding tells apart become equal; not so as published."""
        return scores if self.compat else np.round(scores, protocol.DECIMALS)

    def all_words(self) -> dict[tuple[str, float], tuple[float, float | None]]:
        """Every proposed measure on all words at once, by λ, with the best r if it has one."""
        found: dict[tuple[str, float], tuple[float, float | None]] = {}
        for method, lam in product(PROPOSED if self.words else (), WIDE_LAMS):
            shares = WIDE_SHARES if method in BY_THRESHOLD else (None,)
            grid: list[Parameter] = [lam if r is None else (lam, r) for r in shares]
            correlations = self._on_all_words(method, grid)
            if not np.isnan(correlations).all():
                best = int(np.nanargmax(correlations))
                found[method, lam] = float(correlations[best]), shares[best]
        return found

    def _on_all_words(self, method: str, grid: Sequence[Parameter]) -> Floats:
        if gold_of(method) == "tau":
            return spearman(self.usage_gold.tau, self.usage_scores(method, grid))
        scores = self.word_scores(method, grid)(np.ones(len(self.words), np.bool_))
        known = ~np.isnan(scores).any(axis=0)
        return spearman(self.gold[gold_of(method)][known], scores[:, known])

    def nothing_to_rank(self, method: str) -> str | None:
        """Why no set of words can be ranked by this method's gold, if so."""
        kind = gold_of(method)
        usages = kind == "tau"
        values = self.usage_gold.tau if usages else self.gold[kind]
        if not self.words:
            return "no word has usages with gold senses in both periods"
        if not values.size:
            return "the usages have no gold senses"
        if np.unique(values).size > 1:
            return None
        if not usages and len(self.words) == 1:
            return "there is one word only: nothing to rank"
        symbol = "τ*" if usages else f"{kind}*"
        all_of_them = "usages" if usages else f"{len(self.words)} words"
        return f"{symbol} is {values[0]:.2f} for all {all_of_them}: there is nothing to rank"


def _impute_within(scores: Floats) -> Floats:
    """Infinities become the extremes within this set of words, row by row."""
    return np.array([impute([row], compat=True)[0] for row in scores])

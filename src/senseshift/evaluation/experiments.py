"""The paper's experiments: every method against the gold, with and without splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.evaluation import protocol
from senseshift.evaluation.gold import Gold
from senseshift.evaluation.protocol import Mask, Outcome, Parameter, Scores, UsageGold, spearman
from senseshift.evaluation.scores import (
    BY_DAMPING,
    BY_LAM,
    DAMPINGS,
    LAMS,
    SHARES,
    THRESHOLD_LAMS,
    THRESHOLDED,
    WIDE_LAMS,
    WIDE_SHARES,
    Thresholded,
    WordScores,
)
from senseshift.measures import impute
from senseshift.progress import Progress

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

USAGES = ("tau_SUS", "tau_LDR", "tau_WiDiD")
MAGNITUDES = (
    "f_SUS", "f_1", "f_2", "f_3", "f_OT", "f_APD", "f_LDR", "f_WiDiD", "f_APDP", "f_PRT",
)  # fmt: skip
SCOPES = ("g_SUS", "g_1", "g_vMF", "g_LDR", "g_WiDiD")
METHODS = (*USAGES, *MAGNITUDES, *SCOPES)
DECIMALS = 12  # in which scores must differ to be ranked as different
PROPOSED = ("tau_SUS", "f_SUS", "f_1", "f_2", "f_3", "g_SUS", "g_1")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All methods of one variant, as corrected or as published.

    Attributes
    ----------
    words
        The words that were evaluated, and how many of them are stable and changed.
    outcomes
        What came of every method over the splits.
    all_words
        Correlations over all words without splitting by method and λ, with the best r where the
        method has a threshold.
    reasons
        Why a method has no correlation in some column.
    left_out
        Words that were not evaluated, and why.
    notes
        What else was left out, by method.
    """

    words: list[str]
    groups: dict[str, int]
    outcomes: dict[str, Outcome]
    all_words: dict[tuple[str, float], tuple[float, float | None]]
    reasons: dict[tuple[str, str], str]
    left_out: dict[str, str]
    notes: list[tuple[str, str]]


def evaluate(
    scores: Mapping[str, WordScores],
    rows: Mapping[str, tuple[Ints, Ints]],
    gold: Gold,
    *,
    compat: bool,
    splits: int = protocol.SPLITS,
    skipped: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate all methods.

    Parameters
    ----------
    scores
        The scores of every word, computed with the same ``compat``.
    rows
        The rows of every word's old and new usages among those of the gold.
    gold
        What annotators found.
    compat
        As in the published scripts; see the README.
    splits
        How often the words are split.
    skipped
        Words without scores, and why.
    progress
        Called with the numbers of methods that are done and in all.
    """
    table = gold.words.filter(pl.col("f").is_not_null() & pl.col("word").is_in(list(scores)))
    bench = _Bench(table, [scores[w] for w in table["word"]], rows, gold, compat, splits)
    outcomes = {}
    for k, method in enumerate(METHODS):
        outcomes[method] = bench.tune(method)
        if progress:
            progress(k + 1, len(METHODS))
    return Evaluation(
        words=table["word"].to_list(),
        groups={name: int(group.sum()) for name, group in bench.usage_gold.groups.items()},
        outcomes=outcomes,
        all_words=bench.all_words(),
        reasons=bench.reasons(outcomes),
        left_out=_left_out(gold, table["word"].to_list(), skipped or {}),
        notes=bench.notes,
    )


def _left_out(gold: Gold, kept: list[str], skipped: Mapping[str, str]) -> dict[str, str]:
    reasons = dict(gold.words.select("word", "reason").iter_rows()) | dict(skipped)
    return {word: why for word, why in reasons.items() if word not in kept}


class _Bench:
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
        changed = table["changed"]
        groups = {"stable": changed.eq_missing(False), "changed": changed.eq_missing(True)}
        self.usage_gold = UsageGold(
            tau[self.has_tau],
            place[self.has_tau],
            {} if changed.is_null().all() else {k: v.to_numpy() for k, v in groups.items()},
        )

    def tune(self, method: str) -> Outcome:
        """Tune and measure one method."""
        return self._tune_usages(method) if method in USAGES else self._tune_words(method)

    def _tune_words(self, method: str) -> Outcome:
        grid = _grid(method, self.compat)
        scores, gold = self.word_scores(method, grid), self.gold[method[0]]
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
        grid = _grid(method, self.compat)
        scores = self.usage_scores(method, grid)
        known = ~np.isnan(scores).any(axis=0)
        if not known.all():
            left = f"without {(~known).sum()} usages, on which the published script stops"
            self.notes.append((method, left))
        gold = UsageGold(
            self.usage_gold.tau[known], self.usage_gold.word[known], self.usage_gold.groups
        )
        return protocol.tune_usages(
            method, grid, gold, scores[:, known], self.splits,
            within=_impute_within if self.compat and method == "tau_WiDiD" else np.asarray,
            undefined=0.0 if self.compat and np.unique(gold.tau).size > 1 else np.nan,
        )  # fmt: skip

    def usage_scores(self, method: str, grid: Sequence[Parameter]) -> Floats:
        """Grid × usages with τ*, in the order of the words."""
        found = np.empty((len(grid), self.usage_gold.tau.size))
        for k, parameter in enumerate(grid):
            pairs = [_usage_scores(word, method, parameter) for word in self.scores]
            whole = np.concatenate([np.empty(0), *(side for pair in pairs for side in pair)])
            if method == "tau_WiDiD" and not self.compat:
                whole = impute([whole])[0]
            found[k] = whole[self.has_tau]
        return found

    def word_scores(self, method: str, grid: Sequence[Parameter]) -> Scores:
        """Grid × words, by the set of words that sets the threshold where there is one."""
        if method in THRESHOLDED:
            pairs = [parameter for parameter in grid if isinstance(parameter, tuple)]
            thresholded = Thresholded(method, self.scores, pairs, compat=self.compat)
            return lambda chosen: self._distinct(thresholded(chosen))
        table = np.array([[w.values[method, p] for w in self.scores] for p in grid], ndmin=2)  # type: ignore[index]
        scores = self._distinct(table)
        return lambda chosen: scores

    def _distinct(self, scores: Floats) -> Floats:
        """Scores of words that only rounding tells apart become equal; not so as published."""
        return scores if self.compat else np.round(scores, DECIMALS)

    def all_words(self) -> dict[tuple[str, float], tuple[float, float | None]]:
        """Every proposed measure on all words at once."""
        found: dict[tuple[str, float], tuple[float, float | None]] = {}
        everything = np.ones(len(self.words), np.bool_)
        for method, lam in product(PROPOSED, WIDE_LAMS):
            if method == "tau_SUS":
                at = spearman(self.usage_gold.tau, self.usage_scores(method, [lam]))
                found[method, lam] = float(at[0]), None
                continue
            shares = WIDE_SHARES if method in THRESHOLDED else [None]
            grid: list[Parameter] = [lam if r is None else (lam, r) for r in shares]
            if not self.words:
                continue
            scores = self.word_scores(method, grid)(everything)
            known = ~np.isnan(scores).any(axis=0)
            at = spearman(self.gold[method[0]][known], scores[:, known])
            best = 0 if np.isnan(at).all() else int(np.nanargmax(at))
            found[method, lam] = float(at[best]), shares[best]
        return {key: value for key, value in found.items() if not np.isnan(value[0])}

    def reasons(self, outcomes: Mapping[str, Outcome]) -> dict[tuple[str, str], str]:
        """Why columns are empty."""
        return {
            (method, column): self._reason(method, column)
            for method, outcome in outcomes.items()
            for column in outcome.values
            if not outcome.counted(column)
        }

    def _reason(self, method: str, column: str) -> str:
        usages = method in USAGES
        values = self.usage_gold.tau if usages else self.gold[method[0]]
        symbol = "τ*" if usages else f"{method[0]}*"
        if not self.words:
            return "no word has usages with gold senses in both periods"
        if not values.size:
            return "the usages have no gold senses"
        if np.unique(values).size == 1:
            all_of_them = "usages" if usages else f"{len(self.words)} words"
            return f"{symbol} is {values[0]:.2f} for all {all_of_them}: there is nothing to rank"
        group = column.partition("_")[2]
        if group and not self.usage_gold.groups[group].any():
            return f"no word is {group}"
        test = int((~self.splits[0]).sum())
        return f"no split has test words ({test} each) that differ in {symbol} and can be ranked"


def _grid(method: str, compat: bool) -> Sequence[Parameter]:
    if method in THRESHOLDED:
        return list(product(LAMS if compat else THRESHOLD_LAMS, SHARES))
    if method == "tau_SUS" or method in BY_LAM:
        return LAMS
    return DAMPINGS if method == "tau_WiDiD" or method in BY_DAMPING else (None,)


def _usage_scores(word: WordScores, method: str, parameter: Parameter) -> tuple[Floats, Floats]:
    if method == "tau_LDR":
        return word.ldr
    by_parameter = word.sus if method == "tau_SUS" else word.tau
    return by_parameter[parameter]  # type: ignore[index]


def _impute_within(scores: Floats) -> Floats:
    """Infinities become the extremes within this set of words, row by row."""
    return np.array([impute([row], compat=True)[0] for row in scores])

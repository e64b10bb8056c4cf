"""The paper's experiments: every method against the gold, with and without splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.evaluation import protocol
from senseshift.evaluation.bench import Bench
from senseshift.evaluation.gold import Gold
from senseshift.evaluation.methods import METHODS, PROPOSED, WIDE_LAMS
from senseshift.evaluation.ours import OwnScores
from senseshift.evaluation.protocol import Outcome
from senseshift.evaluation.scores import WordScores
from senseshift.progress import Progress

Ints = NDArray[np.int64]
AllWords = dict[tuple[str, float], tuple[float, float | None]]  # correlation and best r


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All methods of one variant, as corrected or as published.

    Attributes
    ----------
    words
        The words that were evaluated, and how many of them are stable and changed.
    outcomes
        What came of every method over the splits, of the paper's and of ours.
    all_words
        Correlations over all words without splitting by method and λ, with the best r where the
        method has a threshold.
    reasons
        Why a method has no correlation in some column.
    left_out
        Words that were not evaluated, and why.
    notes
        What else was left out, by method, and what our methods are.
    """

    words: list[str]
    groups: dict[str, int]
    outcomes: dict[str, Outcome]
    all_words: AllWords
    reasons: dict[tuple[str, str], str]
    left_out: dict[str, str]
    notes: list[tuple[str, str]]


def evaluate(
    scores: Mapping[str, WordScores],
    rows: Mapping[str, tuple[Ints, Ints]],
    gold: Gold,
    own: OwnScores,
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
    own
        The scores of our methods, the same whatever ``compat``.
    compat
        As in the published scripts; see :mod:`senseshift.evaluation`.
    splits
        How often the words are split.
    skipped
        Words without scores, and why.
    progress
        Called with the numbers of methods that are done and in all.
    """
    table = gold.words.filter(pl.col("f").is_not_null() & pl.col("word").is_in(list(scores)))
    together = own.beside(scores, rows)
    bench = Bench(table, [together[w] for w in table["word"]], rows, gold, compat, splits)
    outcomes, methods = {}, (*METHODS, *own.methods)
    for k, method in enumerate(methods):
        outcomes[method] = bench.tune(method)
        if progress:
            progress(k + 1, len(methods))
    all_words = bench.all_words()
    return Evaluation(
        words=table["word"].to_list(),
        groups={name: int(group.sum()) for name, group in bench.usage_gold.groups.items()},
        outcomes=outcomes,
        all_words=all_words,
        reasons=_reasons(bench, outcomes, all_words),
        left_out=_left_out(gold, table["word"].to_list(), skipped or {}),
        notes=[*own.notes, *bench.notes],
    )


def _left_out(gold: Gold, kept: list[str], skipped: Mapping[str, str]) -> dict[str, str]:
    reasons = dict(gold.words.select("word", "reason").iter_rows()) | dict(skipped)
    return {word: why for word, why in reasons.items() if word not in kept}


def _reasons(
    bench: Bench, outcomes: Mapping[str, Outcome], all_words: AllWords
) -> dict[tuple[str, str], str]:
    """Why there is no correlation, by method and column."""
    found = {
        (method, column): bench.nothing_to_rank(method) or _of_splits(bench, method, column)
        for method, outcome in outcomes.items()
        for column in outcome.values
        if not outcome.counted(column)
    }
    for method in PROPOSED:
        for lam in WIDE_LAMS:
            if (method, lam) not in all_words:
                alike = "all scores are the same"
                found[method, f"lambda_{lam:g}"] = bench.nothing_to_rank(method) or alike
    return found


def _of_splits(bench: Bench, method: str, column: str) -> str:
    group = column.partition("_")[2]
    if group in bench.usage_gold.groups and not bench.usage_gold.groups[group].any():
        return f"no word is {group}"
    if group in bench.usage_gold.periods and method == "period":
        return "all usages of a period have the same"
    if not bench.splits.any():
        return "there is one word only: none is left to choose hyper-parameters by"
    test = int((~bench.splits[0]).sum())
    return f"no split has test words ({test} each) that differ and can be ranked"

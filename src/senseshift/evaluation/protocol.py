"""The paper's protocol: random splits of the words, tuned on one part, measured on the other.

100 times, 80 % of the words are drawn for validation; there the best hyper-parameter is chosen,
and what counts is its rank correlation with the gold on the other words.  All methods see the same
splits, those of the published scripts, so that methods can be compared split by split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Parameter = float | tuple[float, float] | None  # λ or a damping, (λ, r), or nothing to tune
Scores = Callable[[Mask], Floats]  # grid × words, by the set of words they are for

SPLITS = 100
SEED = 42
VALIDATION = 0.8
DECIMALS = 12  # in which scores must differ to be ranked as different


def draw_splits(words: int, number: int = SPLITS) -> Mask:
    """Splits × words, true for validation: NumPy's legacy generator, as published."""
    generator = np.random.RandomState(SEED)
    splits = np.zeros((number, words), dtype=np.bool_)
    for split in splits:
        split[generator.choice(words, int(words * VALIDATION), replace=False)] = True
    return splits


def spearman(gold: Floats, scores: Floats) -> Floats:
    """Spearman's correlation of each row of scores with the gold.

    NaN where all are alike, which leaves nothing to rank.  Computed from whole numbers, so that
    equal correlations are equal and of those the first is chosen, whatever the order of the words.
    """
    if gold.size < 2:
        return np.full(scores.shape[:-1], np.nan)
    x, y = _centred_ranks(gold), _centred_ranks(scores)
    size = np.sqrt((x @ x) * (y * y).sum(axis=-1))
    with np.errstate(invalid="ignore"):
        correlation: Floats = (y @ x) / size
    return correlation


def _centred_ranks(values: Floats) -> Floats:
    """Twice the rank, less what makes the sum zero: whole numbers even where ranks are shared."""
    from scipy.stats import rankdata

    ranks: Floats = 2.0 * rankdata(values, axis=-1) - (values.shape[-1] + 1)
    return ranks


def sense_means(gold: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """The distinct τ* and the mean score of the usages with each: the paper's sense level."""
    distinct, place = np.unique(gold, return_inverse=True)
    means = np.bincount(place, scores) / np.bincount(place)
    return distinct, np.round(means, DECIMALS)  # the means of equal scores are equal


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of one method over all splits.

    ``values`` has an array with a correlation for each split by column, NaN where it has none;
    ``chosen`` is the place in the grid of what was chosen for each split, −1 for nothing.
    """

    method: str
    grid: Sequence[Parameter]
    chosen: Ints
    values: dict[str, Floats]

    def mean(self, column: str) -> float | None:
        """The mean over all splits that have a correlation."""
        known = self._known(column)
        return float(known.mean()) if known.size else None

    def spread(self, column: str) -> float | None:
        """The standard deviation over these splits."""
        known = self._known(column)
        return float(known.std()) if known.size else None

    def counted(self, column: str) -> int:
        """How many splits these are."""
        return int(self._known(column).size)

    def _known(self, column: str) -> Floats:
        values = self.values[column]
        return values[~np.isnan(values)]

    @property
    def selected(self) -> tuple[Parameter, int]:
        """What was chosen most often and how often; of equals the one that came first."""
        places = Counter(self.chosen[self.chosen >= 0].tolist())
        if not places or len(self.grid) == 1:
            return None, 0
        place, times = places.most_common(1)[0]
        return self.grid[place], times


def tune_words(
    method: str, grid: Sequence[Parameter], gold: Floats, scores: Scores, splits: Mask
) -> Outcome:
    """Tune and measure a word-level method."""
    chosen, values = np.zeros(len(splits), np.int64), np.full(len(splits), np.nan)
    for k, valid in enumerate(splits):
        test = ~valid
        chosen[k] = first_best(spearman(gold[valid], scores(valid)[:, valid]))
        if chosen[k] >= 0:
            values[k] = spearman(gold[test], scores(test)[chosen[k], test])
    return Outcome(method, grid, chosen, {"spearman": values})


def first_best(correlations: Floats) -> int:
    """The place of the best correlation, the first of equals; −1 where nothing can be chosen by."""
    if correlations.size == 1:
        return 0
    return -1 if np.isnan(correlations).all() else int(np.nanargmax(correlations))


@dataclass(frozen=True, eq=False)
class UsageGold:
    """τ* of the usages that have one, and the place of each one's word.

    ``groups`` are groups of words by name, ``periods`` the usages of each period.
    """

    tau: Floats
    word: Ints
    groups: Mapping[str, Mask] = field(default_factory=dict)
    periods: Mapping[str, Mask] = field(default_factory=dict)

    def among(self, known: Mask) -> UsageGold:
        """Some of the usages only."""
        periods = {name: period[known] for name, period in self.periods.items()}
        return UsageGold(self.tau[known], self.word[known], self.groups, periods)


def tune_usages(
    method: str,
    grid: Sequence[Parameter],
    gold: UsageGold,
    scores: Floats,
    splits: Mask,
    *,
    within: Callable[[Floats], Floats] = lambda scores: scores,
    undefined: float = np.nan,
) -> Outcome:
    """Tune an instance-level method on the instance level; measure it there and by sense.

    The columns are ``instance`` and ``sense``, for every group such as ``instance_stable``, and
    ``instance`` within every period, such as ``instance_old``.

    Parameters
    ----------
    method, grid
        Its name and its hyper-parameters.
    gold
        τ* and the words of the usages.
    scores
        Grid × usages.
    splits
        Splits × words.
    within
        What is done to the scores of a set of words before they are ranked.
    undefined
        What a set of usages counts that leaves nothing to rank; it is left out by default.
    """

    def correlate(at: Mask, rows: slice) -> Floats:
        found = spearman(gold.tau[at], within(scores[rows, at]))
        return np.where(np.isnan(found), undefined, found)

    groups = {"": np.ones(splits.shape[1], np.bool_)}
    groups |= {f"_{name}": group for name, group in gold.groups.items()}
    columns = [level + name for name in groups for level in ("instance", "sense")]
    columns += [f"instance_{name}" for name in gold.periods]
    values = {column: np.full(len(splits), np.nan) for column in columns}
    chosen = np.zeros(len(splits), np.int64)
    for k, valid in enumerate(splits):
        chosen[k] = first_best(correlate(valid[gold.word], slice(None)))
        if chosen[k] < 0:
            continue
        row = slice(chosen[k], chosen[k] + 1)
        for name, group in groups.items():
            at = (~valid & group)[gold.word]
            if not at.any():
                continue
            values[f"instance{name}"][k] = correlate(at, row)[0]
            means = spearman(*sense_means(gold.tau[at], within(scores[row, at])[0]))
            values[f"sense{name}"][k] = undefined if np.isnan(means) else means
        for name, period in gold.periods.items():
            at = ~valid[gold.word] & period
            if at.any():
                values[f"instance_{name}"][k] = correlate(at, row)[0]
    return Outcome(method, grid, chosen, values)

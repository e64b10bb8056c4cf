"""One word of a study as pictures need it: its usages in order, its map and its two plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.colours import ROUNDING, natural, squash
from senseshift.errors import InputError
from senseshift.measures import EXCESS, INSTANCE, Comparison, UsageMeasure
from senseshift.projection import positions
from senseshift.transport.result import Arcs

if TYPE_CHECKING:
    from senseshift.study.study import Study

LABELS = ("sense", "induced_sense", "cluster")  # of usages: the first that a study has

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WordView:
    """One word in two periods.

    Attributes
    ----------
    word, old, new
        The word and the periods.
    usages
        Its rows of the study's instances: the old usages, then the new ones.
    vectors
        Their vectors.
    plan
        The unbalanced transport of the study; rows and columns count the old and the new usages.
    comparison
        The same usages as they were compared, for what the study does not keep.
    """

    word: str
    old: str
    new: str
    usages: pl.DataFrame
    vectors: Floats
    plan: Arcs
    comparison: Comparison

    @cached_property
    def is_new(self) -> NDArray[np.bool_]:
        """Whether a usage is of the new period."""
        new: NDArray[np.bool_] = (self.usages["period"] == self.new).to_numpy()
        return new

    @property
    def sus(self) -> Floats:
        """Sense Usage Shift of every usage."""
        return self.usages["sus"].to_numpy()

    def coloured(self, measure: UsageMeasure) -> Floats:
        """What colours stand for: a measure of every usage, squashed where that is its way."""
        scores = self.usages[measure.name].to_numpy()
        return squash(scores) if measure.squashed else scores

    @property
    def measures(self) -> list[UsageMeasure]:
        """The instance measures that are known of its usages."""
        columns = [m for m in (EXCESS, *INSTANCE) if m.name in self.usages.columns]
        return [m for m in columns if not self.usages[m.name].is_null().any()]

    @cached_property
    def places(self) -> Floats:
        """Where every usage lies on the map."""
        return positions(self.vectors)

    @cached_property
    def bins(self) -> Floats:
        """Edges of bins of one width, one of which is at 0, that hold every SUS."""
        return bins(self.sus)

    @cached_property
    def senses(self) -> list[str | None] | None:
        """The gold sense of every usage; None where no usage of the word has one."""
        return self.labels("sense")

    @cached_property
    def groups(self) -> tuple[str, list[str | None]]:
        """What usages are ordered by, and each one's: gold sense, else what was induced."""
        for name in LABELS:
            if (labels := self.labels(name)) is not None:
                return name, labels
        return "map", [None] * self.usages.height

    def labels(self, name: str) -> list[str | None] | None:
        """One of :data:`LABELS` of every usage; None where no usage has one."""
        if name not in self.usages.columns or self.usages[name].is_null().all():
            return None
        return self.usages[name].cast(pl.String).to_list()

    @cached_property
    def balanced(self) -> Arcs:
        """The balanced transport of the same usages."""
        return self.comparison.balanced.arcs

    @cached_property
    def order(self) -> tuple[Ints, Ints]:
        """The old and the new usages by group and then from left to right on the map."""
        labels = self.groups[1]

        def ordered(rows: Ints) -> Ints:
            keys = [(natural(labels[row]), self.places[row, 0]) for row in rows]
            return np.array(sorted(range(rows.size), key=keys.__getitem__), dtype=np.int64)

        return ordered(np.flatnonzero(~self.is_new)), ordered(np.flatnonzero(self.is_new))

    @cached_property
    def group_order(self) -> tuple[list[str | None], list[str | None]]:
        """The groups of the old and the new usages in that order."""
        labels, sides = self.groups[1], (np.flatnonzero(~self.is_new), np.flatnonzero(self.is_new))
        old, new = (
            [labels[row] for row in rows[order]]
            for rows, order in zip(sides, self.order, strict=True)
        )
        return old, new


def bins(values: Floats, count: int = 30) -> Floats:
    """Edges of about so many bins of one width, one of which is at 0, that hold all values."""
    span = float(np.ptp(values))
    step = (span if span > ROUNDING else 1.0) / count
    first, last = math.floor(values.min() / step), math.ceil(values.max() / step)
    edges: Floats = step * np.arange(first, max(last, first + 1) + 1)
    return edges


def runs(groups: list[str | None]) -> list[tuple[str | None, int, int]]:
    """Groups in order with where each begins and ends.

    >>> runs(["a", "a", "b"])
    [('a', 0, 2), ('b', 2, 3)]
    """
    found, start = [], 0
    for group, members in groupby(groups):
        end = start + len(list(members))
        found.append((group, start, end))
        start = end
    return found


def pair_of(rows: pl.DataFrame, periods: Sequence[str] | None, what: str) -> tuple[str, str]:
    """The two periods that rows of a study compare, or those of them that are asked for."""
    pairs = sorted(rows.select("old", "new").unique().rows())
    if not pairs:
        raise InputError("The study has no measured word.")
    listed = ", ".join(f"{old} → {new}" for old, new in pairs)
    if periods is None:
        if len(pairs) > 1:
            raise InputError(f"{what} compared more than once ({listed}): say which with periods.")
        return pairs[0]
    if isinstance(periods, str) or len(periods) != 2:
        raise InputError(f"Give two periods, the old and the new one, not {periods!r}.")
    old, new = periods
    if (old, new) not in pairs:
        raise InputError(f"{what} not compared {old} → {new}, only {listed}.")
    return old, new


def word_view(study: Study, word: str, periods: Sequence[str] | None = None) -> WordView:
    """One word of a study; ``periods`` says which two, where the study compares several pairs."""
    old, new = pair_of(study.rows_of(word), periods, f"The word {word!r} is")
    of_pair = (pl.col("word") == word) & (pl.col("old") == old) & (pl.col("new") == new)
    is_new = pl.col("period") == new
    usages = study.instances.filter(of_pair).sort(is_new, "usage")
    vectors = study.vectors[usages["usage"].to_numpy()].astype(np.float64)
    olds = int((usages["period"] == old).sum())
    return WordView(
        word, old, new, usages, vectors,
        _arcs(study.arcs.filter(of_pair), usages.filter(~is_new), usages.filter(is_new)),
        _comparison(study, vectors[:olds], vectors[olds:], study.words.filter(of_pair)),
    )  # fmt: skip


def _comparison(study: Study, old: Floats, new: Floats, row: pl.DataFrame) -> Comparison:
    """The old and the new usages under the settings of the study."""
    how = study.about["settings"]
    known = ("old_per_million", "new_per_million")
    frequencies = row.select(known).row(0) if set(known) <= set(row.columns) else (None, None)
    return Comparison(
        old, new, rho=how.get("rho"), lam=how.get("lam"), method=how.get("method", "exact"),
        weights=how.get("weights", "uniform"),
        calibration=None if how.get("cost") == "cosine" else study.calibration,
        per_million=None if None in frequencies else frequencies,
    )  # fmt: skip


def _arcs(arcs: pl.DataFrame, old: pl.DataFrame, new: pl.DataFrame) -> Arcs:
    rows, columns = (
        arcs[name].replace_strict(side["id"], np.arange(side.height), return_dtype=pl.Int64)
        for name, side in (("old_id", old), ("new_id", new))
    )
    return Arcs(rows.to_numpy(), columns.to_numpy(), arcs["mass"].to_numpy())

"""Calibration of an encoder by usages whose senses are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.calibration import Calibration, fit
from senseshift.encoders import encode
from senseshift.errors import InputError
from senseshift.progress import Progress
from senseshift.senses.induction import choose_cut
from senseshift.senses.manner import Manner
from senseshift.usages import Usages
from senseshift.vectors import cosine_cost, unit

if TYPE_CHECKING:
    from senseshift.encoders.resolve import EncoderLike

Floats = NDArray[np.float64]

MOST = 300  # usages of a word: enough pairs


@dataclass(frozen=True)
class Calibrated:
    """A calibration and what it was made of."""

    calibration: Calibration
    words: int
    usages: int
    pairs: int

    def __str__(self) -> str:
        found = self.calibration
        return (
            f"by {self.words:,} words, {self.usages:,} usages and {self.pairs:,} pairs: "
            f"usages at a distance of {found.middle:.3f} differ in sense half the time, "
            f"senses are kept apart at {found.cut:.2f}"
            + ("" if found.apart is None else f" where words are {found.apart:.2f} apart")
        )


def calibrate(
    usages: Usages,
    encoder: EncoderLike | None = None,
    *,
    cache: bool | str | Path = True,
    threads: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Calibrated:
    """What an encoder's distances mean, by usages with known senses.

    Words with two senses and two usages of each at least count, all alike. They should be words
    that the encoder was not trained on, and not those that figures are reported on.
    """
    if "sense" not in usages.table.columns:
        raise InputError("The usages have no senses: give usages with the column sense.")
    table = usages.table.filter(pl.col("sense").is_not_null())
    table = table.filter(
        pl.len().over("word", "sense") >= 2, pl.col("sense").n_unique().over("word") >= 2
    )
    table = table.filter(pl.col("sense").n_unique().over("word") >= 2)
    if not table.height:
        raise InputError(
            "No word has two senses with two usages each, which a calibration is made by."
        )
    shuffled = pl.int_range(pl.len()).shuffle(seed).over("word")
    table = table.filter(shuffled < MOST)
    vectors = encode(table, encoder, cache=cache, threads=threads, progress=progress)
    distances, different, owners, words = [], [], [], []
    places = table.with_row_index("#row").group_by("word", maintain_order=True).agg("#row", "sense")
    for number, (_, rows, senses) in enumerate(places.iter_rows()):
        units = unit(vectors[rows].astype(np.float64), "usage")
        codes = np.unique(np.array(senses), return_inverse=True)[1]
        upper = np.triu_indices(len(rows), 1)
        distances.append(cosine_cost(units, units)[upper])
        different.append((codes[:, None] != codes)[upper])
        owners.append(np.full(upper[0].size, number))
        words.append((units, codes))
    curve = fit(np.concatenate(distances), np.concatenate(different), np.concatenate(owners))
    calibration = replace(curve, cut=choose_cut(words), apart=_apart(words))
    pairs = sum(part.size for part in distances)
    return Calibrated(calibration, len(words), table.height, pairs)


def _apart(words: list[tuple[Floats, NDArray[np.int64]]]) -> float | None:
    """How far apart different words lie in these texts; None by one word, or where all are one."""
    found = Manner.of(units for units, _ in words).apart
    return found if found > 0.0 else None

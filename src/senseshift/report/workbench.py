"""What a page needs for work on senses: nearest usages, and which study it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from senseshift.findings.finding import label_column
from senseshift.usages.identity import digest
from senseshift.vectors import unit

if TYPE_CHECKING:
    from senseshift.study.study import Study

NEIGHBOURS = 8
BLOCK = 2_000  # usages whose distances are held at once


def study_identity(study: Study) -> str:
    """The same for the same usages with the same senses, so that work on another is kept apart."""
    words = sorted(study.by_word.spans("instances"))
    if not words:
        return "nothing"
    columns, column = ["word", "period", "id"], label_column(study)
    if column in study.of_word(words[0]).instances.columns:
        columns.append(column)

    def rows(word: str) -> pl.DataFrame:
        found = study.by_word.rows("instances", word, "usage", *columns)
        return found.unique("usage", keep="first").select(columns).sort("id")

    parts = (rows(word).write_csv(include_header=word == words[0]).encode() for word in words)
    return digest(parts).hex()[:16]


def neighbours(vectors: ArrayLike) -> dict[str, list[int]]:
    """The usages nearest to each, and their cosine distances in thousandths, one after the other.

    >>> neighbours([[1, 0], [0, 1], [1, 1]])["at"]
    [2, 1, 2, 0, 0, 1]
    """
    units = unit(np.asarray(vectors, np.float64), "vectors").astype(np.float32)
    count = min(NEIGHBOURS, len(units) - 1)
    at: list[NDArray[np.int64]] = []
    away: list[NDArray[np.int64]] = []
    for first in range(0, len(units), BLOCK) if count else ():
        rows = np.arange(first, min(first + BLOCK, len(units)))
        likeness = units[rows] @ units.T
        likeness[np.arange(rows.size), rows] = -np.inf  # nobody is a neighbour of himself
        near = np.argpartition(-likeness, count - 1, axis=1)[:, :count]
        found = np.take_along_axis(likeness, near, axis=1)
        order = np.lexsort((near, -found), axis=1)
        at.append(np.take_along_axis(near, order, axis=1).ravel())
        distance = np.maximum(0, 1 - np.take_along_axis(found, order, axis=1))
        away.append(np.rint(1_000 * distance).astype(np.int64).ravel())
    return {
        "at": np.concatenate(at).tolist() if at else [],
        "away": np.concatenate(away).tolist() if away else [],
    }

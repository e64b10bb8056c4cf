"""The study from the results of its words, with what depends on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.comparing.rows import (
    KEY,
    arc_rows,
    chance_rows,
    instance_rows,
    word_rows,
    words_schema,
)
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Task
from senseshift.comparing.word import WordResult
from senseshift.measures import INSTANCE
from senseshift.measures.scores import threshold
from senseshift.study import Study

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows of a study's tables: those of one word, or of several."""

    words: list[dict[str, Any]] = field(default_factory=list)
    instances: list[pl.DataFrame] = field(default_factory=list)
    arcs: list[pl.DataFrame] = field(default_factory=list)
    senses: list[dict[str, Any]] = field(default_factory=list)
    sense_changes: list[dict[str, Any]] = field(default_factory=list)
    typical: list[dict[str, Any]] = field(default_factory=list)
    chance: list[pl.DataFrame] = field(default_factory=list)

    @classmethod
    def of(cls, usages: pl.DataFrame, task: Task, result: WordResult) -> Parts:
        """The rows of one word."""
        senses = result.senses
        return cls(
            word_rows(task, result),
            instance_rows(usages, task, result),
            arc_rows(usages, task, result),
            [] if senses is None else list(senses.share_rows(task.word)),
            [] if senses is None else list(senses.change_rows(task.word)),
            [] if senses is None else list(senses.typical_rows(task)),
            chance_rows(task, result),
        )

    @classmethod
    def together(cls, parts: Sequence[Parts]) -> Parts:
        """The rows of all the words."""
        every = [[row for part in parts for row in getattr(part, f.name)] for f in fields(cls)]
        return cls(*every)


def assemble(
    of_words: Sequence[Parts],
    vectors: NDArray[np.float32],
    about: dict[str, Any],
    settings: Settings,
    order: Sequence[str],
    earlier: Study | None,
) -> Study:
    """Put the parts together with those of an earlier study; add what depends on all words."""
    parts = Parts.together(of_words)
    place = {word: k for k, word in enumerate(order)}
    words = pl.DataFrame(parts.words, schema=words_schema(settings))
    if earlier is not None:
        before = earlier.words.filter(pl.col("certified").is_not_null())
        # The new ones first: a study of an earlier version may have fewer columns.
        words = pl.concat([words, before], how="diagonal")
    tables = {
        "instances": parts.instances,
        "arcs": parts.arcs,
        "senses": [of_rows(parts.senses)],
        "sense_changes": [of_rows(parts.sense_changes)],
        "typical": [of_rows(parts.typical)],
        "chance": parts.chance,
    }
    joined = {name: _joined(name, table, earlier, place) for name, table in tables.items()}
    instances = _over_all_usages(_as_they_came(joined.pop("instances"), place))
    words = _over_all_words(_sorted(words, place), instances, settings)
    measured = instances["usage"].n_unique() if instances.height else 0
    made = about | {"usages": measured}  # those of words that were not measured are not counted
    return Study(words=words, instances=instances, vectors=vectors, about=made, **joined)


def of_rows(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """A table of rows; what a column holds may be known of late ones only."""
    return pl.DataFrame(rows, infer_schema_length=None)


def _joined(
    name: str, tables: list[pl.DataFrame], earlier: Study | None, place: dict[str, int]
) -> pl.DataFrame:
    """The parts of one table, in the order of the words."""
    before = [] if earlier is None else [getattr(earlier, name)]
    kept = [table for table in (*before, *tables) if table.width]
    if not kept:
        return pl.DataFrame(schema={"word": pl.String})
    return _sorted(pl.concat(kept, how="diagonal_relaxed"), place)


def _sorted(table: pl.DataFrame, place: dict[str, int]) -> pl.DataFrame:
    """In the order of the words among the usages; rows of one word stay in theirs."""
    key = pl.col("word").replace_strict(place, default=len(place), return_dtype=pl.Int64)
    return table.sort(key, maintain_order=True)


def _as_they_came(instances: pl.DataFrame, place: dict[str, int]) -> pl.DataFrame:
    """Old usages and then new ones in the order of the data; ``position`` is that of transport."""
    if not instances.height:
        return instances
    word = pl.col("word").replace_strict(place, default=len(place), return_dtype=pl.Int64)
    pair = pl.int_range(pl.len()).min().over("word", "old", "new")  # pairs in their order
    return instances.sort(word, pair, pl.col("period") == pl.col("new"), "usage")


def _over_all_usages(instances: pl.DataFrame) -> pl.DataFrame:
    """Instance measures that wait for all words, such as τ_WiDiD with its infinities imputed."""
    for measure in INSTANCE:
        if measure.over_all and measure.raw_name in instances.columns:
            raw = instances[measure.raw_name]
            whole = np.full(instances.height, np.nan)
            whole[raw.is_not_null().to_numpy()] = measure.over_all([raw.drop_nulls().to_numpy()])[0]
            column = pl.Series(measure.name, whole).fill_nan(None)
            instances = instances.with_columns(column)
    return instances


def _over_all_words(
    words: pl.DataFrame, instances: pl.DataFrame, settings: Settings
) -> pl.DataFrame:
    """Measures whose threshold θ is a share of the largest |SUS| of all words.

    In the published code it is a share of the word's own.
    """
    wanted = {m.name: m.beyond for m in settings.word_measures if m.beyond}
    if not wanted or not instances.height:
        return words
    scores: dict[tuple[Any, ...], tuple[Floats, Floats]] = {}
    for key, part in instances.group_by(*KEY, maintain_order=True):
        is_old = pl.col("period") == pl.col("old")
        old, new = (part.filter(side)["sus"].to_numpy() for side in (is_old, ~is_old))
        scores[key] = (old, new)
    theta = threshold(settings.r, scores.values())
    thetas = {
        key: threshold(settings.r, [pair]) if settings.compat else theta
        for key, pair in scores.items()
    }
    for name, beyond in wanted.items():
        values = [
            beyond(*scores[key], thetas[key]) if key in scores else None
            for key in words.select(KEY).iter_rows()
        ]
        words = words.with_columns(pl.Series(name, values, dtype=pl.Float64))
    return words
